"""Compare the licences of what users install with licences.toml, and NOTICE with them; --write writes NOTICE."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from license_expression import AND, OR, LicenseExpression, get_spdx_licensing

from scripts.locked import EXTRAS, ROOT, locked_packages

NOTICE = ROOT / "NOTICE"
POLICY = tomllib.loads(Path(__file__).with_name("licences.toml").read_text("utf-8"))
_SPDX = get_spdx_licensing()

_HEAD = """\
clinic-mesh

This repository holds no code of others. It runs with the packages below, which `make` installs as they are published,
and which keep their own licences (SPDX expressions). The texts of these are in the packages, in the folders *.dist-info
of the virtual environment. `make notice` writes this list.
"""


def licence_of(package: str) -> str:
    """Return a package's licence as an SPDX expression; raise LookupError if neither it nor licences.toml says one."""
    if package in POLICY["packages"]:
        return str(POLICY["packages"][package])
    for words in _stated(package):
        expression = str(POLICY["words"].get(words, words))
        if not _SPDX.validate(expression).errors:
            return expression
    raise LookupError(f"{package}: no licence is known that is an SPDX expression; name it in scripts/licences.toml")


def is_allowed(expression: str) -> bool:
    """Return whether a licence is on the list; of alternatives one must be, of several that hold together all."""
    return _allows(_SPDX.parse(expression, validate=True))


def notice() -> str:
    """Return the text of NOTICE."""
    run = {package.name for package in locked_packages("run")}
    parts = [("Always", run)]
    parts += [(f"With the extra {lock}", {one.name for one in locked_packages(lock)} - run) for lock in EXTRAS]
    text = _HEAD
    for title, packages in parts:
        text += f"\n{title}:\n" + "".join(f"  {one}: {licence_of(one)}\n" for one in sorted(packages))
    return text


def faults() -> Iterator[str]:
    """Yield what is wrong with the licences and with NOTICE."""
    is_known = True
    for package in sorted({package.name for lock in ("run", *EXTRAS) for package in locked_packages(lock)}):
        try:
            licence = licence_of(package)
        except LookupError as unknown:
            is_known = False
            yield str(unknown)
        else:
            if not is_allowed(licence):
                yield f"{package}: {licence} is not on the list of scripts/licences.toml"
    if is_known and NOTICE.read_text("utf-8") != notice():
        yield "NOTICE is not current: run make notice"


def _stated(package: str) -> Iterator[str]:
    try:
        about = metadata.metadata(package)
    except metadata.PackageNotFoundError:  # of another system
        return
    yield from filter(None, (about["License-Expression"], about["License"]))
    for classifier in about.get_all("Classifier", ()):
        if classifier.startswith("License :: "):
            yield classifier.rpartition(" :: ")[2]


def _allows(licence: LicenseExpression) -> bool:
    match licence:
        case OR():
            return any(map(_allows, licence.args))
        case AND():
            return all(map(_allows, licence.args))
        case _:
            return str(licence) in POLICY["allowed"]


if __name__ == "__main__":
    if "--write" in sys.argv:
        NOTICE.write_text(notice(), "utf-8")
    found = [*faults()]
    print(*found or ["the licences are on the list, and NOTICE is current"], sep="\n")
    sys.exit(bool(found))
