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

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from clinics import schedule
from clinics.database import Database, load
from clinics.disk import LocalDisk
from clinics.ledger import MAX_AGE, Repeatable, WriteOutcome
from clinics.slots import Change, Person, Rule, Slot, SlotRef, Snapshot
from clinics.store import JsonSlotStore
from mesh.clock import ZONE, steady_clock
from mesh.errors import DomainError
from tests.support.siege import tries

NOW = datetime(2025, 7, 15, 8, 0, tzinfo=ZONE)
BOOTED = datetime(2025, 7, 15, 11, 0, tzinfo=UTC)
DOCTORS = ("Dr. Ricardo Lopes", "Dra. Inês Sant'Anna")
REFS = tuple(SlotRef(doctor, "2025-07-21", f"{hour:02d}:00") for doctor in DOCTORS for hour in (8, 9))
PEOPLE = (Person("Carlos Teste", "12345678900"), Person("Maria Souza", "11144477735"))
IDS = tuple(f"550e8400-e29b-41d4-a716-44665544000{number}" for number in range(3))
TIMEOUT_S = 10.0
KEY = b"k" * 32
Meaning = tuple[dict[SlotRef, int | None], dict[str, WriteOutcome]]
STEPS = ("write", "sync", "rename", "sync folder")


class Medium(LocalDisk):
    """A disk that fails at the step it is told to, and knows what would outlive a power failure.

    Args:
        content: What the file holds, on the medium.
    """

    __slots__ = ("_synced", "failing", "versions")

    def __init__(self, content: bytes) -> None:
        self.failing: str | None = None
        self.versions = [content]
        self._synced: set[int] = set()

    def write(self, descriptor: int, data: bytes) -> None:
        if self.failing == "write":
            super().write(descriptor, data[: len(data) // 2])
        self._step("write")
        super().write(descriptor, data)
        self._synced.discard(os.fstat(descriptor).st_ino)

    def sync(self, descriptor: int) -> None:
        seen = os.fstat(descriptor)
        if stat.S_ISDIR(seen.st_mode):
            self._step("sync folder")
            del self.versions[:-1]
        else:
            self._step("sync")
            self._synced.add(seen.st_ino)
        super().sync(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        self._step("rename")
        content = source.read_bytes()
        # A name on the medium says nothing of the content: what was not synced may be cut off.
        self.versions.append(content if source.stat().st_ino in self._synced else content[: len(content) // 2])
        super().rename(source, target)

    def _step(self, name: str) -> None:
        if self.failing == name:
            raise OSError(errno.EIO, "Input/output error")


@dataclass(frozen=True)
class Made:
    """A write that was made under a request id."""

    content: tuple[WriteOutcome, int]
    outcome: WriteOutcome
    at: timedelta


@dataclass(frozen=True)
class State:
    """What one version of the file means: who holds what, and what was made under which id."""

    held: Mapping[SlotRef, int | None] = field(default_factory=lambda: dict.fromkeys(REFS))
    made: Mapping[str, Made] = field(default_factory=dict)

    def after(self, gained: SlotRef | None, lost: SlotRef | None, who: int) -> State:
        """Return the state in which somebody has taken one slot and given one back."""
        freed = {} if lost is None else {lost: None}
        return replace(self, held={**self.held, **freed, **({} if gained is None else {gained: who})})

    def recorded(self, request_id: str, made: Made) -> State:
        """Return the state with one more record, and without those of the day before."""
        kept = {key: one for key, one in self.made.items() if one.at > made.at - MAX_AGE}
        return replace(self, made={**kept, request_id: made})


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
        self.disk = Medium(self.path.read_bytes())
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
        self.store = JsonSlotStore(
            self.path, load(self.path), key=KEY, disk=self.disk, utc_now=clock, max_waiting=len(PEOPLE)
        )

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    @rule(which=WHICH, who=WHO, request_id=REQUEST_IDS, fault=FAULTS)
    def book(self, which: int, who: int, request_id: str | None, fault: str | None) -> None:
        wanted = REFS[which]
        rule = partial(schedule.book, now=NOW, wanted=wanted, patient=PEOPLE[who])
        self.write(rule, WriteOutcome(booked=wanted), who, request_id, fault)

    @rule(which=WHICH, there=WHICH, who=WHO, request_id=REQUEST_IDS, fault=FAULTS)
    def move(self, which: int, there: int, who: int, request_id: str | None, fault: str | None) -> None:
        here, wanted = REFS[which], REFS[there]
        rule = partial(schedule.reschedule, now=NOW, original=here, wanted=wanted, patient=PEOPLE[who])
        self.write(rule, WriteOutcome(booked=wanted, released=here), who, request_id, fault)

    @rule(which=WHICH, who=WHO, request_id=REQUEST_IDS, fault=FAULTS)
    def cancel(self, which: int, who: int, request_id: str | None, fault: str | None) -> None:
        held = REFS[which]
        rule = partial(schedule.cancel, now=NOW, held=held, patient=PEOPLE[who])
        self.write(rule, WriteOutcome(released=held), who, request_id, fault)

    @precondition(lambda self: self.versions[-1].made)
    @rule(pick=st.integers(0, len(IDS) - 1), fault=FAULTS)
    def repeat(self, pick: int, fault: str | None) -> None:
        made = self.versions[-1].made
        request_id = sorted(made)[pick % len(made)]
        outcome, who = made[request_id].content
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
    @rule(pick=st.integers(0, 9))
    def a_kill_and_then_a_power_failure(self, pick: int) -> None:
        """What a new process finds and answers from is on the medium, though the old one had not seen to it."""
        self.restart(None)
        self.the_power_fails(pick, torn=False)

    @rule(pick=st.integers(0, 9), torn=st.booleans())
    def the_power_fails(self, pick: int, torn: bool) -> None:
        """Start on any version that the medium may hold, beside what a write left behind."""
        self.store.close()
        self.path.write_bytes(self.disk.versions[pick % len(self.disk.versions)])
        if torn:
            self.path.with_name("db.json.new").write_bytes(b'{"slots": [')
        self.disk = Medium(self.path.read_bytes())
        self.settled = True
        found = self.meaning(load(self.path))
        self.versions = [next(version for version in self.versions if self.said_of(version) == found)]
        self.start()

    @invariant()
    def the_file_is_what_the_model_says(self) -> None:
        assert self.meaning(load(self.path)) == self.said_of(self.versions[-1])

    @invariant()
    def readers_see_what_is_durable(self) -> None:
        assert self.meaning(Database(self.store.snapshot))[0] == self.said_of(self.published)[0]

    def write(self, rule: Rule, wanted: WriteOutcome, who: int, request_id: str | None, fault: str | None) -> None:
        """Commit to the store and to the model, and compare what each says."""
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
        unstored = {None: None, "sync folder": "unknown"}.get(fault, "unchanged")
        if unstored == "unknown":
            self.versions.append(following)
            self.settled = False
        if unstored is None:
            self.versions, self.published, self.settled = [following], following, True
        elif answer is wanted:  # what was written before stays so, whatever becomes of a repeat
            answer = "STORAGE_UNAVAILABLE", "unknown" if following is current else unstored
        return answer

    def following(self, current: State, wanted: WriteOutcome, who: int, request_id: str | None) -> State:
        if request_id is not None and request_id in current.made:
            if current.made[request_id].content != (wanted, who):
                raise Refused("REQUEST_ID_REUSED")
            return current
        if wanted.released is not None and current.held[wanted.released] != who:
            raise Refused("APPOINTMENT_NOT_FOUND")
        if wanted.booked is not None:
            if current.held[wanted.booked] is not None:
                raise Refused("SLOT_UNAVAILABLE")
            if any(
                holder == who and ref.time == wanted.booked.time and ref != wanted.released
                for ref, holder in current.held.items()
            ):
                raise Refused("APPOINTMENT_CONFLICT")
        following = current.after(wanted.booked, wanted.released, who)
        if request_id is None:
            return following
        return following.recorded(request_id, Made((wanted, who), wanted, self.passed))

    def meaning(self, database: Database) -> Meaning:
        held = {
            slot.ref: next((who for who, person in enumerate(PEOPLE) if person.holds(slot)), None)
            for slot in database.snapshot.slots
        }
        return held, {key: record.outcome for key, record in database.ledger.records.items()}

    def said_of(self, state: State) -> Meaning:
        return dict(state.held), {key: made.outcome for key, made in state.made.items()}


def repeatable(wanted: WriteOutcome, who: int, request_id: str | None) -> Repeatable | None:
    return None if request_id is None else Repeatable(request_id, (repr(wanted), PEOPLE[who].name))


TestSilo = Silo.TestCase
TestSilo.settings = settings(derandomize=True, max_examples=tries(100), stateful_step_count=30, deadline=None)
