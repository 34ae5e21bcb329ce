"""The agenda's rules against a plain model, over long random histories.

The model is a dictionary from slots to holders and a few comparisons; it knows people and doctors by number, while the
rules meet them in many spellings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from clinics import schedule
from clinics.agenda import new_visit
from clinics.ledger import Fingerprint, Ledger, Repeatable, WriteOutcome
from clinics.schedule import ALTERNATIVES, HouseRules, SlotUnavailableError
from clinics.slots import Change, Person, Slot, SlotRef, Snapshot
from mesh.clock import ZONE
from mesh.errors import DomainError
from tests.support.agenda import open_slots
from tests.support.form import tries

DOCTORS = (
    ("Dr. Ricardo Lopes", "ricardo lopes", "DR RICARDO  LOPES"),
    ("Dra. Inês Sant'Anna", "ines santanna", "Doutora Inês Sant’Anna"),
)
PEOPLE = (
    (Person("Carlos Teste", "123.456.789-00"), Person("carlos  TESTE", "12345678900")),
    (Person("Maria Souza", "111.444.777-35"), Person("MARIA SOUZA ", "11144477735")),
    (Person("Maria Souza", "123.456.789-00"), Person("maria souza", "12345678900")),  # another with Carlos' CPF
)
CPFS = (0, 1, 0)  # of the people, by number
FIRST_DAY = datetime(2025, 7, 15, tzinfo=ZONE)
TIMES = ("08:00", "09:30")
AHEAD = 1
IDS = ("550e8400-e29b-41d4-a716-446655440000", "550E8400-E29B-41D4-A716-446655440001")
RULES = HouseRules()
LABEL = "Cardiologia"
MADE_AT = datetime(2025, 7, 15, tzinfo=UTC)


@dataclass(frozen=True, order=True)
class At:
    """A slot as the model knows it."""

    date: str
    time: str
    doctor: int

    @property
    def ref(self) -> SlotRef:
        return SlotRef(DOCTORS[self.doctor][0], self.date, self.time)

    def spelled(self, spelling: int) -> SlotRef:
        return SlotRef(DOCTORS[self.doctor][spelling], self.date, self.time)

    @property
    def start(self) -> datetime:
        return datetime.fromisoformat(f"{self.date}T{self.time}").replace(tzinfo=ZONE)


@dataclass(frozen=True)
class Asked:
    """A write as somebody asks for it; how it is spelled does not count."""

    request: int | None
    tool: str
    spelling: int
    who: int
    how: int
    at: At
    there: At | None = None

    @property
    def meant(self) -> tuple[object, ...]:
        return self.tool, self.who, self.at, self.there

    def fingerprint(self, *, in_capitals: bool) -> Fingerprint | None:
        if self.request is None:
            return None
        ref = self.at.spelled(self.spelling)
        other = () if self.there is None else (self.there.date, self.there.time, self.there.ref.doctor)
        request_id = IDS[self.request].upper() if in_capitals else IDS[self.request]
        content = (self.tool, ref.doctor, ref.date, ref.time, *other)
        return Repeatable(request_id, content, PEOPLE[self.who][self.how]).fingerprint(b"k")


class Refused(Exception):  # noqa: N818 - the model's answer, not a fault
    """The model refuses, for this reason."""


def day(number: int) -> str:
    return (FIRST_DAY + timedelta(days=number)).date().isoformat()


SLOTS = st.builds(At, st.integers(-1, 2).map(day), st.sampled_from(TIMES), st.integers(0, 1))
SPELLINGS = st.integers(0, 2)
PICKS = st.integers(0, 9)
WHO, HOW = st.integers(0, 2), st.integers(0, 1)
REQUEST_IDS = st.none() | st.integers(0, len(IDS) - 1)


class Agenda(RuleBasedStateMachine):
    """A clinic's agenda through days of bookings, moves and cancellations."""

    def __init__(self) -> None:
        super().__init__()
        self.now = FIRST_DAY + timedelta(hours=8)
        self.snapshot, self.ledger = Snapshot(), Ledger()
        self.held: dict[At, int | None] = {}
        self.made: dict[tuple[int, int], tuple[object, WriteOutcome]] = {}
        self.a_day_begins(0)

    @rule(spelling=SPELLINGS)
    def a_day_begins(self, spelling: int) -> None:
        """Add what today asks for, by whatever spelling of the doctors."""
        today = (self.now.date() - FIRST_DAY.date()).days
        wanted = [
            At(day(today + ahead), time, doctor) for ahead in range(AHEAD + 1) for time in TIMES for doctor in (0, 1)
        ]
        planned = tuple(Slot(at.spelled(spelling).doctor, LABEL, at.date, at.time) for at in wanted)
        change = schedule.complete(self.snapshot, planned, new_visit)
        missing = [at for at in wanted if at not in self.held]
        assert [slot.start for slot in change.added] == [(at.date, at.time) for at in missing]
        # What was planned under another spelling would be listed so: the model knows the first one only.
        named = tuple(Slot(at.ref.doctor, LABEL, at.date, at.time) for at in missing)
        self.snapshot = self.snapshot.changed(Change(added=named))
        self.held.update(dict.fromkeys(missing))

    @rule(minutes=st.sampled_from([1, 29, 30, 90, 24 * 60, -1, -24 * 60]))
    def time_passes_or_the_clock_is_set_back(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @precondition(lambda self: self.appointments())
    @rule(pick=PICKS)
    def an_appointment_begins(self, pick: int) -> None:
        """Few random minutes are the very one at which a slot closes."""
        self.now = max(self.now, self.picked(pick).start)

    @rule(at=SLOTS, spelling=SPELLINGS, who=WHO, how=HOW, request=REQUEST_IDS)
    def book(self, at: At, spelling: int, who: int, how: int, request: int | None) -> None:
        def change() -> Change:
            return schedule.book(self.snapshot, self.now, at.spelled(spelling), PEOPLE[who][how], RULES)

        def model() -> WriteOutcome:
            self.must_not_be_ones_own(at, who)
            self.must_be_open(at)
            self.must_be_free(at, who)
            self.held[at] = who
            return WriteOutcome(booked=at.ref)

        self.both(change, model, at, Asked(request, "book", spelling, who, how, at))

    @rule(here=SLOTS, there=SLOTS, spelling=SPELLINGS, who=WHO, how=HOW, request=REQUEST_IDS)
    def move(self, here: At, there: At, spelling: int, who: int, how: int, request: int | None) -> None:
        def change() -> Change:
            return schedule.reschedule(
                self.snapshot, self.now, here.spelled(spelling), there.spelled(spelling), PEOPLE[who][how], RULES
            )

        def model() -> WriteOutcome:
            self.must_hold(here, who)
            self.must_be_open(there)
            self.must_be_free(there, who, leaving=here)
            self.held[here], self.held[there] = None, who
            return WriteOutcome(booked=there.ref, released=here.ref)

        self.both(change, model, there, Asked(request, "move", spelling, who, how, here, there))

    @rule(at=SLOTS, spelling=SPELLINGS, who=WHO, how=HOW, request=REQUEST_IDS)
    def cancel(self, at: At, spelling: int, who: int, how: int, request: int | None) -> None:
        def change() -> Change:
            return schedule.cancel(self.snapshot, self.now, at.spelled(spelling), PEOPLE[who][how], RULES)

        def model() -> WriteOutcome:
            self.must_hold(at, who)
            self.held[at] = None
            return WriteOutcome(released=at.ref)

        self.both(change, model, at, Asked(request, "cancel", spelling, who, how, at))

    @precondition(lambda self: self.appointments())
    @rule(pick=PICKS, there=SLOTS, spelling=SPELLINGS, how=HOW, request=REQUEST_IDS)
    def move_ones_own(self, pick: int, there: At, spelling: int, how: int, request: int | None) -> None:
        here = self.picked(pick)
        self.move(here, there, spelling, self.holder(here), how, request)

    @precondition(lambda self: self.appointments())
    @rule(pick=PICKS, spelling=SPELLINGS, how=HOW)
    def move_to_the_other_doctor_at_that_time(self, pick: int, spelling: int, how: int) -> None:
        here = self.picked(pick)
        self.move(here, replace(here, doctor=1 - here.doctor), spelling, self.holder(here), how, None)

    @precondition(lambda self: self.appointments())
    @rule(pick=PICKS, spelling=SPELLINGS, how=HOW, request=REQUEST_IDS)
    def cancel_ones_own(self, pick: int, spelling: int, how: int, request: int | None) -> None:
        at = self.picked(pick)
        self.cancel(at, spelling, self.holder(at), how, request)

    @rule(doctor=st.none() | st.integers(0, 1), spelling=SPELLINGS)
    def list_open(self, doctor: int | None, spelling: int) -> None:
        name = None if doctor is None else DOCTORS[doctor][spelling]
        listed = [slot.ref for slot in open_slots(self.snapshot, self.now, name)]
        assert listed == [at.ref for at in self.open() if doctor in {None, at.doctor}]

    @invariant()
    def the_agenda_holds_what_the_model_holds(self) -> None:
        holders = {
            slot.ref: next((who for who, spellings in enumerate(PEOPLE) if spellings[0].holds(slot)), None)
            for slot in self.snapshot.slots
        }
        assert holders == {at.ref: who for at, who in self.held.items()}
        assert [slot.ref for slot in self.snapshot.slots] == [at.ref for at in self.held], "positions never move"
        for slot in self.snapshot.slots:
            assert slot.available == (slot.patient_name is None) == (slot.cpf is None)

    # The model

    def appointments(self) -> list[At]:
        return sorted(at for at, who in self.held.items() if who is not None)

    def picked(self, pick: int) -> At:
        return self.appointments()[pick % len(self.appointments())]

    def holder(self, at: At) -> int:
        who = self.held[at]
        assert who is not None
        return who

    def open(self) -> list[At]:
        return sorted(at for at, who in self.held.items() if who is None and at.start > self.now)

    def must_not_be_ones_own(self, at: At, who: int) -> None:
        holder = self.held.get(at)
        if holder is not None and CPFS[holder] == CPFS[who] and at.start > self.now:
            raise Refused("ALREADY_BOOKED")

    def must_be_open(self, at: At) -> None:
        if at not in self.open():
            raise Refused("SLOT_UNAVAILABLE")

    def must_be_free(self, at: At, who: int, leaving: At | None = None) -> None:
        own = {number for number, cpf in enumerate(CPFS) if cpf == CPFS[who]}
        others = [one for one, holder in self.held.items() if holder in own and one != leaving]
        if any((one.date, one.time) == (at.date, at.time) for one in others):
            raise Refused("APPOINTMENT_CONFLICT")

    def must_hold(self, at: At, who: int) -> None:
        if self.held.get(at) != who:
            raise Refused("APPOINTMENT_NOT_FOUND")
        if at.start <= self.now:
            raise Refused("APPOINTMENT_IN_PAST")

    def both(self, change: Callable[[], Change], model: Callable[[], WriteOutcome], wanted: At, asked: Asked) -> None:
        """Do the same to the agenda and to the model, and compare what each says."""
        expected = self.by_the_model(model, asked)
        said: WriteOutcome | str
        offered: list[SlotRef] | None = None
        try:
            said = self.by_the_rules(change, asked)
        except SlotUnavailableError as refusal:
            said = refusal.reason
            offered = [slot.ref for slot in refusal.alternatives]
        except DomainError as refusal:
            said = refusal.reason
        assert said == expected
        assert offered == (self.near(wanted) if expected == "SLOT_UNAVAILABLE" else None)

    def by_the_rules(self, change: Callable[[], Change], asked: Asked) -> WriteOutcome:
        fingerprint = asked.fingerprint(in_capitals=bool(self.now.minute))
        record = None if fingerprint is None else self.ledger.records.get(fingerprint.key)
        if fingerprint is not None and record is not None:
            return record.outcome_for(fingerprint.digest)
        made = change()
        outcome = WriteOutcome(made.booked, made.released)
        self.snapshot = self.snapshot.changed(made)
        if fingerprint is not None:
            self.ledger.enter(fingerprint, outcome, MADE_AT)
        return outcome

    def by_the_model(self, model: Callable[[], WriteOutcome], asked: Asked) -> WriteOutcome | str:
        try:
            if asked.request is None:
                return model()
            if (key := (CPFS[asked.who], asked.request)) not in self.made:
                self.made[key] = asked.meant, model()
        except Refused as refusal:
            return str(refusal)
        known, outcome = self.made[key]
        return outcome if known == asked.meant else "REQUEST_ID_REUSED"

    def near(self, wanted: At) -> list[SlotRef]:
        """The same doctor's first, then by distance; of two at one distance the earlier."""
        nearest = sorted(self.open(), key=lambda at: (at.doctor != wanted.doctor, abs(at.start - wanted.start)))
        return [at.ref for at in nearest[:ALTERNATIVES]]


TestAgenda = Agenda.TestCase
TestAgenda.settings = settings(derandomize=True, max_examples=tries(120), stateful_step_count=40, deadline=None)
