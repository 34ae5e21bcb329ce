"""Compare the lock files with advisories of known vulnerabilities in the OSV format, without a network.

The advisories are JSON files, one each, in a folder or in a zip file such as OSV's export of PyPI.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from scripts.locked import DEVELOPMENT, EXTRAS, locked_packages

ADVICE = """\
vulnerabilities: {problem}
Name a folder or a zip file of advisories in the OSV format: make vulnerabilities DATA=all.zip
OSV exports those of PyPI as https://osv-vulnerabilities.storage.googleapis.com/PyPI/all.zip"""


def main(arguments: Sequence[str]) -> int:
    """Print the known vulnerabilities of what is locked; return 0 for none, 1 for some, 2 without advisories."""
    try:
        (place,) = arguments
        advisories = [one for one in advisories_in(Path(place)) if "withdrawn" not in one]
    except (ValueError, OSError, zipfile.BadZipFile) as error:
        problem = "it asks no network, so it needs advisories" if not arguments else f"{arguments[0]}: {error}"
        print(ADVICE.format(problem=problem), file=sys.stderr)
        return 2
    if not advisories:
        print(ADVICE.format(problem=f"no advisory is in {place}"), file=sys.stderr)
        return 2
    locked = {(one.name, one.version) for lock in ("run", *EXTRAS, *DEVELOPMENT) for one in locked_packages(lock)}
    found = [
        f"{name} {version}: {advisory['id']} {advisory.get('summary', '')}".rstrip()
        for name, version in sorted(locked)
        for advisory in advisories
        if concerns(advisory, name, version)
    ]
    print(*found, sep="\n", end="\n" * bool(found))
    newest = max(str(one.get("modified", ""))[:10] for one in advisories)
    print(f"packages: {len(locked)}, advisories: {len(advisories)} up to {newest}, known vulnerabilities: {len(found)}")
    return int(bool(found))


def advisories_in(place: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the advisories of a folder or a zip file."""
    if place.is_dir():
        yield from (json.loads(path.read_bytes()) for path in sorted(place.rglob("*.json")))
    elif place.is_file():
        with zipfile.ZipFile(place) as archive:
            yield from (json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json"))


def concerns(advisory: Mapping[str, Any], name: str, version: str) -> bool:
    """Return whether an advisory is about this version of a package of PyPI."""
    for affected in advisory.get("affected", ()):
        package = affected.get("package", {})
        if package.get("ecosystem") == "PyPI" and canonicalize_name(package["name"]) == name:
            ranges = (one["events"] for one in affected.get("ranges", ()) if one["type"] == "ECOSYSTEM")
            if version in affected.get("versions", ()) or any(_covers(events, version) for events in ranges):
                return True
    return False


def _covers(events: Sequence[Mapping[str, str]], version: str) -> bool:
    """Return whether a range covers a version; it does where the range names what is no version of PEP 440."""
    try:
        ordered = sorted((_instant(text), kind) for event in events for kind, text in event.items())
    except InvalidVersion:
        return True
    covered, mine = False, Version(version)
    for at, kind in ordered:
        if kind == "introduced" and mine >= at:
            covered = True
        elif (kind == "fixed" and mine >= at) or (kind == "last_affected" and mine > at):
            covered = False
    return covered


def _instant(text: str) -> Version:
    return Version("0.dev0" if text == "0" else text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
