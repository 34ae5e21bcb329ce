from __future__ import annotations

import fcntl
import json
import os
import stat
from pathlib import Path

import pytest

from clinics.silo import ForeignChangeError, Silo
from clinics.startup import StartupError
from mesh.private_file import Disk


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
        key = silo.key(Disk())
        assert len(key) == 32
        assert silo.key(Disk()) == key
    assert stat.S_IMODE((tmp_path / "digest.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["", "zz", "abcd"])
def test_a_broken_key_is_a_clear_error_that_does_not_show_it(tmp_path: Path, content: str) -> None:
    (tmp_path / "digest.key").write_text(content, "utf-8")
    with Silo(tmp_path, "clinic_a", "rolling") as silo, pytest.raises(StartupError) as error:
        silo.key(Disk())
    assert "this is not a key" in str(error.value)
    assert not content or content not in str(error.value).removeprefix(str(tmp_path))


def test_a_silo_whose_lock_file_was_removed_is_still_held(tmp_path: Path) -> None:
    with Silo(tmp_path, "clinic_a", "rolling"):
        (tmp_path / "clinic.lock").unlink()
        with pytest.raises(StartupError, match="another process holds this silo"):
            Silo(tmp_path, "clinic_a", "rolling")
    with Silo(tmp_path, "clinic_a", "rolling"):
        pass


def test_a_process_of_an_earlier_release_that_holds_the_lock_file_alone_is_respected(tmp_path: Path) -> None:
    lock = tmp_path / "clinic.lock"
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(StartupError, match="another process holds this silo"):
            Silo(tmp_path, "clinic_a", "rolling")
    with Silo(tmp_path, "clinic_a", "rolling"):
        pass


def test_the_holder_notices_that_its_lock_or_its_folder_is_another_one(tmp_path: Path) -> None:
    folder = tmp_path / "clinic_a"
    with Silo(folder, "clinic_a", "rolling") as silo:
        silo.check()
        (folder / "clinic.lock").rename(folder / "moved.lock")
        with pytest.raises(ForeignChangeError, match=r"clinic\.lock was removed or replaced"):
            silo.check()
        (folder / "clinic.lock").touch()
        with pytest.raises(ForeignChangeError):
            silo.check()
        (folder / "moved.lock").replace(folder / "clinic.lock")
        silo.check()
        folder.rename(tmp_path / "moved")
        with pytest.raises(ForeignChangeError, match="clinic_a was removed or replaced"):
            silo.check()


@pytest.mark.parametrize("lost", ["clinic.lock", "clinic.id", None])
def test_a_clinic_does_not_start_on_anothers_silo(tmp_path: Path, lost: str | None) -> None:
    with Silo(tmp_path, "clinic_a", "rolling"):
        pass
    if lost is not None:
        (tmp_path / lost).unlink()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.name != "clinic.lock"}
    with pytest.raises(StartupError, match="this silo is another clinic's"):
        Silo(tmp_path, "clinic_b", "rolling")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.name != "clinic.lock"} == before
    with Silo(tmp_path, "clinic_a", "rolling"):
        pass


@pytest.mark.parametrize("content", [b"", b"[]", b'{"clinic": []}', b"\xff"])
def test_a_note_of_the_owner_that_says_nothing_is_a_clear_error_or_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "clinic.lock").write_bytes(content)
    if content == b'{"clinic": []}':
        with pytest.raises(StartupError, match="another clinic's"):
            Silo(tmp_path, "clinic_a", "rolling")
    else:
        with Silo(tmp_path, "clinic_a", "rolling"):
            pass
    (tmp_path / "clinic.lock").unlink()
    (tmp_path / "clinic.id").write_bytes(content)
    with pytest.raises(StartupError, match=r"another clinic's|cannot be read"):
        Silo(tmp_path, "clinic_a", "rolling")


@pytest.mark.parametrize("mask", [0, 0o022, 0o777])
def test_a_silo_and_the_folders_made_for_it_are_private_under_any_umask(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        with Silo(tmp_path / "data" / "rolling" / "clinic_a", "clinic_a", "rolling"):
            pass
    finally:
        os.umask(before)
    for folder in ("data", "data/rolling", "data/rolling/clinic_a"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) == 0o700


def test_folders_that_are_made_are_on_the_medium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    sync = os.fsync

    def noted(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    with Silo(tmp_path / "data" / "rolling", "clinic_a", "rolling"):
        pass
    assert synced[:2] == [str(tmp_path), str(tmp_path / "data")]
