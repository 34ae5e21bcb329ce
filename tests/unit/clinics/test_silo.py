from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from clinics.disk import LocalDisk
from clinics.silo import Silo
from clinics.startup import StartupError


def test_a_silo_is_private_and_says_who_holds_it(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "clinic_a"
    with Silo(folder, "clinic_a", "blueprint") as silo:
        silo.announce("127.0.0.1:8001")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        lock = folder / "clinic.lock"
        assert stat.S_IMODE(lock.stat().st_mode) == 0o600
        assert json.loads(lock.read_text("utf-8")) == {
            "pid": os.getpid(),
            "address": "127.0.0.1:8001",
            "agenda": "blueprint",
            "clinic": "clinic_a",
        }


def test_a_second_holder_is_told_who_the_first_is(tmp_path: Path) -> None:
    with Silo(tmp_path, "clinic_a", "blueprint") as silo:
        silo.announce("127.0.0.1:8001")
        with pytest.raises(StartupError) as error:
            Silo(tmp_path, "clinic_a", "blueprint")
    assert f"process {os.getpid()} at 127.0.0.1:8001" in str(error.value)


def test_a_holder_that_has_not_said_where_it_listens_is_named_by_its_process(tmp_path: Path) -> None:
    with Silo(tmp_path, "clinic_a", "rolling"), pytest.raises(StartupError, match=rf"\(process {os.getpid()}\)"):
        Silo(tmp_path, "clinic_a", "rolling")


def test_a_foreign_lock_file_is_no_obstacle_to_the_error(tmp_path: Path) -> None:
    with Silo(tmp_path, "clinic_a", "rolling"):
        (tmp_path / "clinic.lock").write_text("?", "utf-8")
        with pytest.raises(StartupError, match="another process holds this silo"):
            Silo(tmp_path, "clinic_a", "rolling")


def test_a_released_silo_can_be_held_again_and_a_longer_note_is_overwritten(tmp_path: Path) -> None:
    with Silo(tmp_path, "clinic_a", "blueprint") as first:
        first.announce("a-host-with-a-long-name.example:8001")
    with Silo(tmp_path, "clinic_a", "rolling") as second:
        second.announce("h:1")
        assert json.loads((tmp_path / "clinic.lock").read_text("utf-8"))["address"] == "h:1"


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(StartupError, match="cannot be used"):
        Silo(tmp_path / "file" / "clinic_a", "clinic_a", "rolling")


def test_the_key_is_made_once_and_private(tmp_path: Path) -> None:
    with Silo(tmp_path, "clinic_a", "rolling") as silo:
        key = silo.key(LocalDisk())
        assert len(key) == 32
        assert silo.key(LocalDisk()) == key
    assert stat.S_IMODE((tmp_path / "digest.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["", "zz", "abcd"])
def test_a_broken_key_is_a_clear_error_that_does_not_show_it(tmp_path: Path, content: str) -> None:
    (tmp_path / "digest.key").write_text(content, "utf-8")
    with Silo(tmp_path, "clinic_a", "rolling") as silo, pytest.raises(StartupError) as error:
        silo.key(LocalDisk())
    assert "this is not a key" in str(error.value)
    assert not content or content not in str(error.value).removeprefix(str(tmp_path))
