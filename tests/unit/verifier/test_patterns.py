"""Patterns in text files: any row of a section matches, and a name in braces stands for a section above it."""

import re
from pathlib import Path

import pytest

import orchestrator.verifier
from orchestrator.verifier.literals import patterns_in

ROOM = Path(orchestrator.verifier.__file__).parent
FILES = sorted(
    str(file.relative_to(ROOM))
    for file in ROOM.rglob("*.txt")
    if re.search(r"^\[\w+\]$", file.read_text("utf-8"), re.MULTILINE)
)


def test_a_section_matches_any_of_its_rows_and_what_they_name() -> None:
    denied = patterns_in("advice.txt")["denied"]
    assert re.search(denied, "nao posso indicar um remedio")
    assert not re.search(denied, "posso indicar um remedio")


@pytest.mark.parametrize("name", FILES)
def test_every_section_is_a_pattern_that_code_or_another_section_uses(name: str) -> None:
    source = "".join(file.read_text("utf-8") for file in ROOM.rglob("*.py"))
    text = (ROOM / name).read_text("utf-8")
    for section, pattern in patterns_in(name).items():
        re.compile(pattern)
        assert f'"{section}"' in source or f"{{{section}}}" in text, section


def test_there_are_such_files() -> None:
    assert "advice.txt" in FILES
