"""Patterns in text files: any row of a section matches, and a name in braces stands for a section above it."""

import re
from pathlib import Path

import pytest

import orchestrator
from orchestrator.texts import patterns_in

ROOMS = {name: Path(orchestrator.__path__[0]) / name for name in ("fallback", "privacy", "verifier")}
FILES = sorted(
    (room, file.name)
    for room, folder in ROOMS.items()
    for file in folder.glob("*.txt")
    if re.search(r"^\[\w+\]$", file.read_text("utf-8"), re.MULTILINE)
)
KNOWN = dict.fromkeys(("count", "month", "month_en", "months", "weekday", "word"), "x")


def test_a_section_matches_any_of_its_rows_and_what_they_name() -> None:
    denied = patterns_in("advice.txt", "orchestrator.verifier", **KNOWN)["denied"]
    assert re.search(denied, "nao posso indicar um remedio")
    assert not re.search(denied, "posso indicar um remedio")


@pytest.mark.parametrize(("room", "name"), FILES)
def test_every_section_is_a_pattern_that_code_or_another_section_uses(room: str, name: str) -> None:
    source = "".join(file.read_text("utf-8") for file in ROOMS[room].rglob("*.py")).lower()
    text = (ROOMS[room] / name).read_text("utf-8")
    for section, pattern in patterns_in(name, f"orchestrator.{room}", **KNOWN).items():
        re.compile(pattern)
        is_used = re.search(rf"[\"']{section}[\"']", source) or f"{{{section}}}" in text
        assert is_used or section in KNOWN, section


def test_there_are_such_files() -> None:
    assert ("verifier", "advice.txt") in FILES
