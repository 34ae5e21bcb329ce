"""The archive of records: what was added is there, whatever fails; what is a day old goes, and its bytes."""

from __future__ import annotations

import errno
import stat
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clinics.ledger import Record, WriteOutcome, instant
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.silo import ForeignChangeError
from clinics.slots import SlotRef
from clinics.startup import StartupError
from mesh.private_file import Disk

NOON = datetime(2025, 7, 15, 12, tzinfo=UTC)
OUTCOME = WriteOutcome(booked=SlotRef("Dra. Inês Sant'Anna", "2025-07-21", "09:00"), released=None)


class FailingDisk(Disk):
    """A disk that fails at one step, and writes half before it does."""

    __slots__ = ("failing",)

    def __init__(self) -> None:
        self.failing = ""

    def write(self, descriptor: int, data: bytes) -> None:
        super().write(descriptor, data[: len(data) // 2] if self.failing == "write" else data)
        self._step("write")

    def sync(self, descriptor: int) -> None:
        self._step("sync")
        super().sync(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        self._step("rename")
        super().rename(source, target)

    def _step(self, name: str) -> None:
        if self.failing == name:
            raise OSError(errno.EIO, "Input/output error")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ARCHIVE


def opened(path: Path, now: datetime = NOON, disk: Disk | None = None) -> RequestArchive:
    return RequestArchive(path, disk or Disk(), now)


def records(*numbers: int, at: datetime = NOON, subject: str = "a") -> Mapping[str, Record]:
    return {key(number, subject): Record(f"digest {number}", OUTCOME, instant(at)) for number in numbers}


def key(number: int, subject: str = "a") -> str:
    return f"{subject * 16}:{number:032x}"


def test_records_are_found_again_by_this_process_and_the_next(path: Path) -> None:
    archive = opened(path)
    archive.append(records(1, 2))
    archive.append(records(3, subject="b"))
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, *path.iterdir())] == [0o700, 0o600, 0o600]
    for each in (archive, opened(path)):
        assert each.find(key(2)) == records(2)[key(2)]
        assert each.find(key(3, "b")) == records(3)[key(3)]
        assert each.find(key(4)) is None
        assert (len(each), each.count("a" * 16), each.count("b" * 16), each.count("c" * 16)) == (3, 2, 1, 0)


def test_what_a_kill_left_behind_is_removed_and_counts_for_nothing(path: Path) -> None:
    opened(path).append(records(1))
    (path / "000002-0.json.new").write_bytes(b'{"')
    assert len(opened(path)) == 1
    assert len(list(path.iterdir())) == 1


@pytest.mark.parametrize("at", [0, 20, 100, -1])
def test_a_file_that_is_damaged_stops_the_start_and_is_left_as_it_is(path: Path, at: int) -> None:
    opened(path).append(records(1))
    (file,) = path.iterdir()
    content = bytearray(file.read_bytes())
    content[at] ^= 1
    for damaged in (content, content[:at], b""):
        file.write_bytes(damaged)
        with pytest.raises(StartupError, match=r"requests/000001-.*json: it is damaged\. The file was left as it is"):
            opened(path)
        assert file.read_bytes() == damaged


@pytest.mark.parametrize("step", ["write", "sync", "rename"])
def test_an_append_that_failed_added_nothing_and_leaves_nothing_in_the_way(path: Path, step: str) -> None:
    disk = FailingDisk()
    archive = opened(path, disk=disk)
    archive.append(records(1))
    disk.failing = step
    with pytest.raises(OSError, match="Input/output"):
        archive.append(records(2, 3, 4))
    assert archive.find(key(2)) is None
    disk.failing = ""
    archive.append(records(5))
    for each in (archive, opened(path)):
        assert [number for number in range(7) if each.find(key(number)) is not None] == [1, 5]


def test_a_new_file_is_not_relied_on_before_its_name_is_on_the_medium(path: Path) -> None:
    class FolderlessDisk(Disk):
        """A disk that cannot sync folders."""

        def sync(self, descriptor: int) -> None:
            if Path(f"/proc/self/fd/{descriptor}").is_dir():
                raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(OSError, match="Input/output"):
        opened(path, disk=FolderlessDisk()).append(records(1))


def test_records_are_kept_for_a_day(path: Path) -> None:
    archive = opened(path)
    archive.append(records(10, at=NOON))
    archive.append(records(*range(10), at=NOON + timedelta(hours=1)))
    archive.forget(NOON + timedelta(hours=23, minutes=59))
    assert (len(archive), archive.oldest_of("a" * 16)) == (11, instant(NOON))
    archive.forget(NOON + timedelta(hours=24))
    assert (len(archive), archive.count("a" * 16)) == (10, 10)
    archive.append(records(11, at=NOON + timedelta(hours=24)))
    for each in (archive, opened(path, NOON + timedelta(hours=24))):
        assert [number for number in range(12) if each.find(key(number)) is not None] == [*range(10), 11]
    archive.forget(NOON + timedelta(hours=25))
    assert (len(archive), archive.count("a" * 16)) == (1, 1)


@pytest.mark.parametrize("is_started_anew", [True, False])
def test_the_bytes_of_forgotten_records_leave_the_disk(path: Path, *, is_started_anew: bool) -> None:
    archive = opened(path)
    archive.append(records(*range(10), at=NOON))
    archive.append(records(10, at=NOON + timedelta(hours=1)))
    later = NOON + timedelta(hours=24)
    if is_started_anew:
        archive = opened(path, later)
    else:
        archive.forget(later)
    (kept,) = path.iterdir()
    assert key(9).encode() not in kept.read_bytes()
    assert archive.find(key(10)) is not None
    archive.forget(NOON + timedelta(hours=25))
    assert (len(archive), archive.oldest_of(), [*path.iterdir()]) == (0, None, [])
    archive.append(records(11, at=later))
    assert opened(path, later).find(key(11)) is not None


def test_a_file_that_cannot_be_removed_is_no_loss(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unremovable(_file: Path, *, missing_ok: bool) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    archive = opened(path)
    archive.append(records(1))
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", unremovable)
        archive.forget(NOON + timedelta(hours=24))
    assert (len(archive), len([*path.iterdir()])) == (0, 1)
    archive.append(records(2))
    assert [number for number in (1, 2) if archive.find(key(number)) is not None] == [2]
    assert opened(path, NOON + timedelta(hours=24)).find(key(1)) is None


def test_a_record_that_a_crash_brought_here_twice_counts_once(path: Path) -> None:
    archive = opened(path)
    archive.append(records(1, 2))
    archive.append(records(2, 3))
    for each in (archive, opened(path)):
        assert (len(each), each.count("a" * 16)) == (3, 3)


def test_a_record_of_a_clock_that_was_ahead_is_forgotten_a_day_after_a_start_that_knows_better(path: Path) -> None:
    opened(path).append(records(1, at=NOON + timedelta(days=400)))
    archive = opened(path, NOON)
    archive.forget(NOON + timedelta(hours=23))
    assert len(archive) == 1
    archive.forget(NOON + timedelta(hours=24))
    assert len(archive) == 0


def test_a_file_that_another_hand_changed_or_removed_answers_nothing_wrongly(path: Path) -> None:
    archive = opened(path)
    archive.append(records(1))
    other = path.with_name("other")
    opened(other).append(records(2))
    (file,), (others,) = path.iterdir(), other.iterdir()
    file.write_bytes(others.read_bytes())
    with pytest.raises(ForeignChangeError):
        archive.find(key(1))
    file.unlink()
    with pytest.raises(OSError, match="No such file"):
        archive.find(key(1))
