"""The store against a plain model: writes, repeats, failing disks, clocks that are set, restarts and power failures.

The disk remembers what the medium surely holds. After a power failure the file is any version that the medium may
hold, and the model knows the same ones: what was acknowledged is in all of them.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from clinics import schedule
from clinics.database import Database, load
from clinics.file_storage import FileStorage
from clinics.ledger import MAX_AGE, Repeatable, WriteOutcome
from clinics.operation_log import OPERATIONS, OperationLog
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.schedule import HouseRules
from clinics.silo import DatabaseFile
from clinics.slots import Change, Person, Rule, Slot, SlotRef, Snapshot
from clinics.store import SlotStore
from mesh.clock import ZONE, steady_clock
from mesh.errors import DomainError
from mesh.private_file import Disk
from tests.support.form import tries

NOW = datetime(2025, 7, 15, 8, 0, tzinfo=ZONE)
RULES = HouseRules()
BOOTED = datetime(2025, 7, 15, 11, 0, tzinfo=UTC)
DOCTORS = ("Dr. Ricardo Lopes", "Dra. Inês Sant'Anna")
REFS = tuple(SlotRef(doctor, "2025-07-21", f"{hour:02d}:00") for doctor in DOCTORS for hour in (8, 9))
PEOPLE = (Person("Carlos Teste", "12345678900"), Person("Maria Souza", "11144477735"))
IDS = tuple(f"550e8400-e29b-41d4-a716-44665544000{number}" for number in range(3))
TIMEOUT_S = 30.0
KEY = b"k" * 32
Request = tuple[int, str]
"""Who asks, and under which id."""
KEYS = {
    Repeatable(request_id, ("", ""), person).fingerprint(KEY).key: (who, request_id)
    for who, person in enumerate(PEOPLE)
    for request_id in IDS
}
Holders = dict[SlotRef, int | None]
ARCHIVE_STEPS = ("archive write", "archive sync", "archive rename", "archive sync folder")
STEPS = ("write", "sync", "rename", *ARCHIVE_STEPS, "sync folder")


@dataclass(frozen=True)
class Content:
    """What the medium may hold of one file: what it surely does, and any part of what may have reached it after."""

    sure: bytes
    maybe: bytes = b""


class Medium(Disk):
    """A disk that fails at the step it is told to, and knows what would outlive a power failure.

    Args:
        folder: Its files are on the medium.
    """

    __slots__ = ("_folder", "_synced", "failing", "versions")

    def __init__(self, folder: Path) -> None:
        self.failing: str | None = None
        self._folder = folder.resolve()
        files = (self._folder / "db.json", *(self._folder / ARCHIVE).glob("*.json"))
        self.versions: dict[Path, list[Content | None]] = {path: [Content(path.read_bytes())] for path in files}
        self._synced: set[int] = set()

    def write(self, descriptor: int, data: bytes) -> None:
        step = self._named("write", path_of(descriptor).parent)
        self._synced.discard(os.fstat(descriptor).st_ino)
        super().write(descriptor, data[: len(data) // 2] if self.failing == step else data)
        self._step(step)

    def sync(self, descriptor: int) -> None:
        seen, path = os.fstat(descriptor), path_of(descriptor)
        if stat.S_ISDIR(seen.st_mode):
            self._step(self._named("sync folder", path))
            for file, versions in self.versions.items():
                if file.parent == path:
                    del versions[:-1]
        else:
            self._step(self._named("sync", path.parent))
            self._synced.add(seen.st_ino)
        # The real disk is not waited for: what it holds is known here.

    def rename(self, source: Path, target: Path) -> None:
        self._step(self._named("rename", target.parent))
        content = source.read_bytes()
        # A name on the medium says nothing of the content: what was not synced may be cut off.
        is_synced = source.stat().st_ino in self._synced
        versions = self.versions.setdefault(target.resolve(), [None])
        versions.append(Content(content) if is_synced else Content(b"", content))
        super().rename(source, target)

    def _named(self, step: str, folder: Path) -> str:
        return f"archive {step}" if folder.name == ARCHIVE else step

    def _step(self, name: str) -> None:
        if self.failing == name:
            raise OSError(errno.EIO, "Input/output error")


def path_of(descriptor: int) -> Path:
    return Path(f"/proc/self/fd/{descriptor}").readlink()


@dataclass(frozen=True)
class Made:
    """A write that was made under a request id."""

    content: WriteOutcome
    outcome: WriteOutcome
    at: timedelta


@dataclass(frozen=True)
class State:
    """What one version of the file means: who holds what, and what was made under which id."""

    held: Mapping[SlotRef, int | None] = field(default_factory=lambda: dict.fromkeys(REFS))
    made: Mapping[Request, Made] = field(default_factory=dict)

    def after(self, gained: SlotRef | None, lost: SlotRef | None, who: int) -> State:
        """Return the state in which somebody has taken one slot and given one back."""
        freed = {} if lost is None else {lost: None}
        return replace(self, held={**self.held, **freed, **({} if gained is None else {gained: who})})

    def recorded(self, request: Request, made: Made) -> State:
        """Return the state with one more record."""
        return replace(self, made={**self.made, request: made})

    def allows(self, held: Holders, made: Mapping[Request, WriteOutcome], now: timedelta) -> bool:
        """Return whether files that say so may be this state's: what is older than a day may be forgotten."""
        young = {request for request, one in self.made.items() if one.at > now - MAX_AGE}
        known = all(request in self.made and self.made[request].outcome == made[request] for request in made)
        return held == self.held and known and young <= made.keys()


class Refused(Exception):  # noqa: N818 - the model's answer, not a fault
    """The model refuses, for this reason."""


WHICH, WHO = st.integers(0, len(REFS) - 1), st.integers(0, len(PEOPLE) - 1)
REQUEST_IDS = st.none() | st.sampled_from(IDS)
# The folder's sync is the step after which the file and the medium may differ: it fails most often.
FAULTS = st.sampled_from((None, None, None, *STEPS, "sync folder", "sync folder"))


class Silo(RuleBasedStateMachine):
    """One db.json through writes, faults, restarts and power failures."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="clinic-mesh-model-")
        self.path = Path(self.folder.name) / "db.json"
        slots = (Slot(ref.doctor, "Cardiologia", ref.date, ref.time) for ref in REFS)
        self.path.write_bytes(Database(Snapshot(slots)).encode())
        # Few records are many here, so that they move to the archive.
        self.patches = pytest.MonkeyPatch()
        self.patches.setattr("clinics.file_storage.MOST_IN_DATABASE", 2)
        self.disk = Medium(self.path.parent)
        self.versions = [State()]  # what the medium may hold; the last is what the file holds
        self.settled = True  # whether the store knows that there is one
        self.passed = self.set_by = timedelta()
        self.start()

    def start(self) -> None:
        """Open the store; the clock is right then, whatever it was set to before."""
        self.set_by = timedelta()
        self.published = self.versions[-1]
        clock = steady_clock(
            wall=lambda: (BOOTED + self.passed + self.set_by).timestamp(),  # noqa: PLW0108 - as it is when asked
            elapsed=lambda: self.passed.total_seconds(),  # noqa: PLW0108 - as it is when asked
        )
        self.archive = RequestArchive(self.path.with_name(ARCHIVE), self.disk, clock())
        operations = OperationLog(self.path.with_name(OPERATIONS), self.disk, KEY, clock)
        storage = FileStorage(DatabaseFile(self.path, self.disk), self.archive, KEY)
        self.store = SlotStore(storage, utc_now=clock, max_waiting=len(PEOPLE), operations=operations)

    def teardown(self) -> None:
        self.patches.undo()
        self.store.close()
        self.folder.cleanup()

    @rule(which=WHICH, who=WHO, request_id=REQUEST_IDS, fault=FAULTS)
    def book(self, which: int, who: int, request_id: str | None, fault: str | None) -> None:
        wanted = REFS[which]
        rule = partial(schedule.book, now=NOW, wanted=wanted, patient=PEOPLE[who], rules=RULES)
        self.write(rule, WriteOutcome(booked=wanted), who, request_id, fault)

    @rule(which=WHICH, there=WHICH, who=WHO, request_id=REQUEST_IDS, fault=FAULTS)
    def move(self, which: int, there: int, who: int, request_id: str | None, fault: str | None) -> None:
        here, wanted = REFS[which], REFS[there]
        rule = partial(schedule.reschedule, now=NOW, original=here, wanted=wanted, patient=PEOPLE[who], rules=RULES)
        self.write(rule, WriteOutcome(booked=wanted, released=here), who, request_id, fault)

    @rule(which=WHICH, who=WHO, request_id=REQUEST_IDS, fault=FAULTS)
    def cancel(self, which: int, who: int, request_id: str | None, fault: str | None) -> None:
        held = REFS[which]
        rule = partial(schedule.cancel, now=NOW, held=held, patient=PEOPLE[who], rules=RULES)
        self.write(rule, WriteOutcome(released=held), who, request_id, fault)

    @precondition(lambda self: self.versions[-1].made)
    @rule(pick=st.integers(0, len(IDS) - 1), fault=FAULTS)
    def repeat(self, pick: int, fault: str | None) -> None:
        made = self.versions[-1].made
        who, request_id = sorted(made)[pick % len(made)]
        outcome = made[who, request_id].content
        self.write(lambda _: Change(), outcome, who, request_id, fault)

    @rule(hours=st.sampled_from([1, 23, 24]))
    def time_passes(self, hours: int) -> None:
        self.passed += timedelta(hours=hours)

    @rule(days=st.sampled_from([-400, -1, 1, 400]))
    def the_clock_is_set(self, days: int) -> None:
        """Set the machine's clock, which is no time passed."""
        self.set_by = timedelta(days=days)

    @rule(fault=st.sampled_from([None, "sync folder"]))
    def restart(self, fault: str | None) -> None:
        """End the process and start another, on what the kernel knows of the file."""
        self.store.close()
        self.disk.failing = fault
        self.start()
        self.settled = fault is None
        if self.settled:
            del self.versions[:-1]

    @precondition(lambda self: len(self.versions) > 1)
    @rule(data=st.data())
    def a_kill_and_then_a_power_failure(self, data: st.DataObject) -> None:
        """What a new process finds and answers from is on the medium, though the old one had not seen to it."""
        self.restart(None)
        self.the_power_fails(data, torn=False)

    @rule(data=st.data(), torn=st.booleans())
    def the_power_fails(self, data: st.DataObject, torn: bool) -> None:
        """Start on any versions that the medium may hold of the files, beside what a write left behind."""
        self.store.close()
        for file, versions in self.disk.versions.items():
            content = data.draw(st.sampled_from(versions), file.name)
            if content is None:
                file.unlink(missing_ok=True)
            else:
                part = data.draw(st.integers(0, len(content.maybe)), "part") if content.maybe else 0
                file.write_bytes(content.sure + content.maybe[:part])
        if torn:
            self.path.with_name("db.json.new").write_bytes(b'{"slots": [')
            self.path.with_name(ARCHIVE).mkdir(exist_ok=True)
            (self.path.with_name(ARCHIVE) / "000009-x.json.new").write_bytes(b"{")
        self.disk = Medium(self.path.parent)
        self.settled = True
        self.versions = [next(version for version in reversed(self.versions) if self.is_in_the_files(version))]
        self.start()

    @invariant()
    def the_files_are_what_the_model_says(self) -> None:
        assert self.is_in_the_files(self.versions[-1])

    @invariant()
    def readers_see_what_is_durable(self) -> None:
        assert holders(self.store.snapshot) == self.published.held

    def write(self, rule: Rule, wanted: WriteOutcome, who: int, request_id: str | None, fault: str | None) -> None:
        """Commit to the store and to the model, and compare what each says; a request a day old may be either's."""
        made = None if request_id is None else self.versions[-1].made.get((who, request_id))
        if made is not None and made.at <= self.passed - MAX_AGE:
            return
        self.disk.failing = fault
        expected = self.by_the_model(wanted, who, request_id, fault)
        said: object
        try:
            said = self.store.commit(rule, TIMEOUT_S, repeatable(wanted, who, request_id))
        except DomainError as refusal:
            said = refusal.reason, refusal.metadata.get("outcome")
        with suppress(DomainError):  # a refusal is answered before the flush that may follow it: wait for that
            self.store.commit(lambda _: Change(), TIMEOUT_S)
        assert said == expected

    def by_the_model(self, wanted: WriteOutcome, who: int, request_id: str | None, fault: str | None) -> object:
        current = self.versions[-1]
        answer: object = wanted
        try:
            following = self.following(current, wanted, who, request_id)
        except Refused as refusal:
            answer, following = (str(refusal), None), current
        if following is current and self.settled:
            return answer
        # A record that the archive does not take stays in db.json.
        lasting = None if fault in ARCHIVE_STEPS else fault
        unstored = {None: None, "sync folder": "unknown"}.get(lasting, "unchanged")
        if unstored == "unknown":
            self.versions.append(following)
            self.settled = False
        if unstored is None:
            self.versions, self.published, self.settled = [following], following, True
        elif answer is wanted:  # what was written before stays so, whatever becomes of a repeat
            answer = "STORAGE_UNAVAILABLE", "unknown" if following is current else unstored
        return answer

    def following(self, current: State, wanted: WriteOutcome, who: int, request_id: str | None) -> State:
        request = None if request_id is None else (who, request_id)
        if request is not None and request in current.made and self.is_known(request, current.made[request]):
            if current.made[request].content != wanted:
                raise Refused("REQUEST_ID_REUSED")
            return current
        if wanted.released is not None and current.held[wanted.released] != who:
            raise Refused("APPOINTMENT_NOT_FOUND")
        if wanted.booked is not None:
            if wanted.released is None and current.held[wanted.booked] == who:
                raise Refused("ALREADY_BOOKED")
            if current.held[wanted.booked] is not None:
                raise Refused("SLOT_UNAVAILABLE")
            if any(
                holder == who and ref.time == wanted.booked.time and ref != wanted.released
                for ref, holder in current.held.items()
            ):
                raise Refused("APPOINTMENT_CONFLICT")
        following = current.after(wanted.booked, wanted.released, who)
        if request is None:
            return following
        return following.recorded(request, Made(wanted, wanted, self.passed))

    def is_known(self, request: Request, made: Made) -> bool:
        """Return whether a write is remembered: for a day it must be, and later it may."""
        return made.at > self.passed - MAX_AGE or request in self.in_the_files()[1]

    def is_in_the_files(self, state: State) -> bool:
        return state.allows(*self.in_the_files(), self.passed)

    def in_the_files(self) -> tuple[Holders, dict[Request, WriteOutcome]]:
        database = load(self.path)
        archive = RequestArchive(self.path.with_name(ARCHIVE), Disk(), BOOTED + self.passed)
        found = {key: archive.find(key) for key in KEYS} | dict(database.ledger.records)
        return holders(database.snapshot), {KEYS[key]: record.outcome for key, record in found.items() if record}


def holders(snapshot: Snapshot) -> Holders:
    return {
        slot.ref: next((who for who, person in enumerate(PEOPLE) if person.holds(slot)), None)
        for slot in snapshot.slots
    }


def repeatable(wanted: WriteOutcome, who: int, request_id: str | None) -> Repeatable | None:
    return None if request_id is None else Repeatable(request_id, (repr(wanted), ""), PEOPLE[who])


TestSilo = Silo.TestCase
# Not shrunk: where only a busy machine fails, shrinking takes until the timeout and hides what failed.
TestSilo.settings = settings(
    derandomize=True, max_examples=tries(100), stateful_step_count=30, deadline=None, phases=(Phase.generate,)
)
