"""A clinic's log is bounded, whatever makes it write."""

from __future__ import annotations

import logging
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from clinics.log_file import BoundedFile, RateFilter


class _Time:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    named = logging.getLogger("bounded")
    yield named
    for handler in tuple(named.handlers):
        named.removeHandler(handler)
        handler.close()


def test_a_large_file_is_begun_anew_and_one_before_it_is_kept(tmp_path: Path, logger: logging.Logger) -> None:
    path = tmp_path / "clinic.log"
    logger.addHandler(BoundedFile(path, maxBytes=1000, backupCount=1))
    for number in range(500):
        logger.error("line %d", number)
    assert {file.name for file in tmp_path.iterdir()} == {"clinic.log", "clinic.log.1"}
    for file in tmp_path.iterdir():
        assert file.stat().st_size < 1100
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = ((tmp_path / "clinic.log.1").read_text() + path.read_text()).splitlines()
    assert kept[-1] == "line 499"
    assert kept == [f"line {number}" for number in range(500 - len(kept), 500)]


def test_lines_of_one_place_that_come_too_often_are_left_out_and_counted(logger: logging.Logger) -> None:
    now, written = _Time(), []

    class Ears(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(record.getMessage())

    ears = Ears()
    ears.addFilter(RateFilter(now))
    logger.addHandler(ears)

    def complain(number: int) -> None:
        logger.error("bad message %d", number)

    for number in range(1000):
        complain(number)
    logger.error("something else")
    assert written == [*(f"bad message {number}" for number in range(20)), "something else"]
    now.seconds += 5.0
    complain(1000)
    assert written[-1] == "bad message 1000 (980 lines like this were left out before it)"
