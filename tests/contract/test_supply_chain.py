"""What is installed is pinned, published, licensed, listed, and compared with known vulnerabilities."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from cyclonedx.validation.json import JsonStrictValidator

from scripts import licences, vulnerabilities
from scripts.locked import DEVELOPMENT, EXTRAS, PROJECT, ROOT, locked_packages
from scripts.sbom import SCHEMA, bill_of_materials, write

LOCKS = ("run", *EXTRAS, *DEVELOPMENT)


def versions(lock: str) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for package in locked_packages(lock):
        found.setdefault(package.name, set()).add(package.version)
    return found


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, timeout=20, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_holds_versions_and_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")
    packages = [*locked_packages(lock)]
    assert len(packages) == len(re.findall(r"^\S+==", text, re.MULTILINE)) > 20
    assert all(package.hashes for package in packages)
    for line in text.splitlines():
        assert re.fullmatch(r"[\w.-]+==\S+( ;.*)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?|    #.*", line), line
    assert "://" not in text


def test_every_extra_has_a_lock_file_that_fits_the_others_and_a_target() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"EXTRAS := {' '.join(EXTRAS)}\n" in makefile
    everything = versions("dev")
    for lock in ("run", *EXTRAS):
        for name, pinned in versions(lock).items():
            assert name in {"pip", "setuptools"} or pinned <= everything[name], (lock, name)
    for extra in EXTRAS:
        wanted = {re.split(r"[\[<>=;]", line)[0] for line in PROJECT["optional-dependencies"][extra]}
        assert wanted <= versions(extra).keys() >= versions("run").keys() - {"pip", "setuptools"}


def test_no_text_tells_people_to_install_what_is_not_published() -> None:
    told = re.compile(r"clinic.mesh\[|install\s+(?:-\S+\s+)*['\"]?clinic.mesh|--editable\s+['\"]?\.\[|@latest")
    files = [path for path in tracked() if path.suffix not in {".svg", ".json", ".jsonl"} and path != Path(__file__)]
    assert len(files) > 500
    assert [str(path.relative_to(ROOT)) for path in files if told.search(path.read_text("utf-8", "replace"))] == []


def test_the_bill_of_materials_is_valid_and_names_all_that_users_install() -> None:
    text = write(bill_of_materials())
    assert JsonStrictValidator(SCHEMA).validate_str(text) is None
    bom = json.loads(text)
    components = {each["bom-ref"]: each for each in bom["components"]}
    locked = {(one.name, one.version): one for lock in ("run", *EXTRAS) for one in locked_packages(lock)}
    assert {(each["name"], each["version"]) for each in components.values()} == locked.keys()
    required = {name for name, each in components.items() if each["scope"] == "required"}
    assert {components[name]["name"] for name in required} == versions("run").keys()
    for each in components.values():
        assert each["licenses"]
        hashes = {one["content"] for one in each["externalReferences"][0]["hashes"]}
        assert hashes == set(locked[each["name"], each["version"]].hashes)
    joined = {each["ref"]: set(each.get("dependsOn", ())) for each in bom["dependencies"]}
    wanted = {re.split(r"[\[<>=;]", line)[0] for line in PROJECT["dependencies"]}
    assert wanted <= {components[name]["name"] for name in joined["clinic-mesh"]}
    reached, waiting = set[str](), ["clinic-mesh"]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += joined[name]
    assert {components[name]["name"] for name in components.keys() - reached} == {"pip"}


def test_the_licences_of_what_users_install_are_on_the_list_and_in_the_notice() -> None:
    assert [*licences.faults()] == []
    assert PROJECT["license-files"] == ["LICENSE", "NOTICE"]


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("MPL-2.0 AND (GPL-3.0-only OR MIT)", True),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
    ],
)
def test_one_of_alternative_licences_must_be_allowed_and_all_of_joint_ones(expression: str, *, allowed: bool) -> None:
    assert licences.is_allowed(expression) is allowed


def test_a_licence_that_nobody_knows_or_allows_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(licences.POLICY, "allowed", ["MIT"])
    monkeypatch.setitem(licences.POLICY, "packages", {})
    found = [*licences.faults()]
    assert "click: BSD-3-Clause is not on the list of scripts/licences.toml" in found
    assert any(fault.startswith("python-stdnum: no licence is known") for fault in found)
    assert not any(fault.startswith("rich:") for fault in found)


LOCKED = next(package for package in locked_packages("run") if package.name == "pyyaml")


def advisory(name: str = "PyYAML", **affected: object) -> dict[str, object]:
    package = {"ecosystem": "PyPI", "name": name}
    return {"id": "TEST-1", "summary": "Loads too much", "modified": "2025-07-15T08:00:00Z",
            "affected": [{"package": package, **affected}]}  # fmt: skip


def between(*events: tuple[str, str]) -> dict[str, object]:
    return advisory(ranges=[{"type": "ECOSYSTEM", "events": [{kind: version} for kind, version in events]}])


@pytest.mark.parametrize(
    ("found", "data"),
    [
        (True, advisory(versions=[LOCKED.version])),
        (False, advisory(versions=["0.0.1"])),
        (False, advisory("pyyaml-env-tag", versions=[LOCKED.version])),
        (True, between(("introduced", "0"))),
        (True, between(("introduced", "0"), ("fixed", "9999"))),
        (False, between(("introduced", "0"), ("fixed", LOCKED.version))),
        (True, between(("introduced", "0"), ("last_affected", LOCKED.version))),
        (False, between(("introduced", "0"), ("last_affected", "0.1"))),
        (True, between(("fixed", "0.2"), ("introduced", "0"), ("introduced", "1.0"))),
        (False, between(("introduced", "9998"), ("fixed", "9999"))),
        (True, between(("introduced", "0"), ("fixed", "no version"))),
        (False, {**between(("introduced", "0")), "withdrawn": "2025-07-16T08:00:00Z"}),
    ],
)
@pytest.mark.parametrize("is_zip", [True, False])
def test_a_known_vulnerability_of_what_is_locked_is_found_without_a_network(
    found: bool, data: Mapping[str, object], is_zip: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    advisories = {"TEST-1.json": json.dumps(data), "TEST-0.json": json.dumps(advisory("some-other-package"))}
    place = tmp_path / "all.zip" if is_zip else tmp_path
    if is_zip:
        with zipfile.ZipFile(place, "w") as archive:
            for name, text in advisories.items():
                archive.writestr(name, text)
    else:
        for name, text in advisories.items():
            (tmp_path / name).write_text(text, "utf-8")
    assert vulnerabilities.main([str(place)]) == int(found)
    printed = capsys.readouterr().out
    assert (f"pyyaml {LOCKED.version}: TEST-1 Loads too much" in printed) is found
    assert printed.endswith(f"known vulnerabilities: {int(found)}\n")


def test_without_advisories_it_says_which_to_give(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.zip").write_bytes(b"no zip file")
    for arguments in ([], [str(tmp_path / "absent")], [str(tmp_path)], [str(tmp_path / "broken.zip")]):
        assert vulnerabilities.main(arguments) == 2
        told = capsys.readouterr().err
        assert "make vulnerabilities DATA=all.zip" in told
        assert all(argument in told for argument in arguments)
