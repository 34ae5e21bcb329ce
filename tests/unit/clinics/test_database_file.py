"""A db.json is read, kept private, and replaced; never over what another hand made of it."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from clinics.database import Database
from clinics.silo import DatabaseFile, ForeignChangeError
from mesh.private_file import Disk

OWN, NEXT = Database().encode(), Database().encode() + b"\n"


def edit(path: Path) -> None:
    path.write_bytes(b'{"slots": []}')


def rewrite(path: Path) -> None:
    """Replace the file by one of the same content, as an editor does."""
    beside = path.with_suffix(".edited")
    beside.write_bytes(path.read_bytes())
    beside.replace(path)


def touch(path: Path) -> None:
    os.utime(path, (1, 1))


@pytest.mark.parametrize("change", [edit, rewrite, touch, Path.unlink])
def test_a_file_that_another_hand_changed_is_not_written_over(
    tmp_path: Path, change: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "db.json"
    file = DatabaseFile(path, Disk())
    file.replace(OWN)
    file.replace(NEXT)
    change(path)
    left = path.read_bytes() if path.exists() else None
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            with pytest.raises(ForeignChangeError):
                file.replace(OWN)
    assert (path.read_bytes() if path.exists() else None) == left
    (said,) = [record.getMessage() for record in caplog.records]
    assert "db.json was changed by another hand; no write is made any more" in said
    assert not path.with_name("db.json.new").exists()


def test_a_file_that_was_changed_between_two_lives_is_the_new_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "db.json"
    DatabaseFile(path, Disk()).replace(OWN)
    edit(path)
    file = DatabaseFile(path, Disk())
    assert file.read().snapshot.slots == []
    file.replace(OWN)
    assert path.read_bytes() == OWN


def test_a_file_that_came_from_elsewhere_is_made_private(tmp_path: Path) -> None:
    path = tmp_path / "db.json"
    path.write_bytes(OWN)
    path.chmod(0o644)
    DatabaseFile(path, Disk()).read()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_where_there_is_no_file_one_may_appear_by_this_hand_only(tmp_path: Path) -> None:
    path = tmp_path / "db.json"
    file = DatabaseFile(path, Disk())
    assert file.read().snapshot.slots == []
    edit(path)
    with pytest.raises(ForeignChangeError):
        file.replace(OWN)
