"""The end of a log file and what follows, whatever happens to the file meanwhile."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.fleet.fleet_status import LogTail


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "clinic_a.log"


@pytest.fixture
def tail(log: Path) -> Iterator[LogTail]:
    with LogTail(log) as tail:
        yield tail


def append(log: Path, text: str) -> None:
    with log.open("a", encoding="utf-8") as file:
        file.write(text)


def test_the_last_lines_and_then_what_is_written_next(tail: LogTail, log: Path) -> None:
    append(log, "one\ntwo\nthree\n")
    assert tail.last(2) == ["two", "three"]
    assert tail.more() == []
    append(log, "four\nfi")
    assert tail.more() == ["four"]
    append(log, "ve\n")
    assert tail.more() == ["five"]


def test_a_file_that_is_not_there_yet(tail: LogTail, log: Path) -> None:
    assert tail.last(5) == []
    assert tail.more() == []
    append(log, "one\n")
    assert tail.more() == ["one"]


def test_a_file_that_is_moved_away_is_read_to_its_end_first(tail: LogTail, log: Path) -> None:
    append(log, "one\n")
    tail.last(1)
    append(log, "two\n")
    log.rename(log.with_suffix(".1"))
    append(log, "three\n")
    assert tail.more() == ["two", "three"]


def test_a_file_that_is_emptied_is_read_from_its_beginning(tail: LogTail, log: Path) -> None:
    append(log, "one\ntwo\nhalf")
    tail.last(1)
    log.write_text("new\n", encoding="utf-8")
    assert tail.more() == ["new"]


def test_what_is_no_utf8_costs_a_character(tail: LogTail, log: Path) -> None:
    log.write_bytes(b"caf\xe9\n")
    assert tail.last(1) == ["caf\ufffd"]
