"""Slots, and an immutable snapshot of a clinic's whole agenda that finds one without searching."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mesh.text_folding import cpf_digits, doctor_key, person_key


@dataclass(frozen=True, slots=True)
class SlotRef:
    """The name of a slot: the doctor's full name with title, the date (YYYY-MM-DD) and the time (HH:MM), local."""

    doctor: str
    date: str
    time: str


@dataclass(frozen=True, slots=True)
class Visit:
    """Which appointment a taken slot is, whoever holds it."""

    id: str  # stays the same when the appointment is moved
    revision: int = 0  # grows with each change


@dataclass(frozen=True, slots=True)
class Slot:
    """One time with one doctor: the seven fields of db.json (blueprint 3.2), in order, and what is kept beside them."""

    doctor: str
    specialty: str
    date: str
    time: str
    available: bool = True
    patient_name: str | None = field(default=None, repr=False)
    cpf: str | None = field(default=None, repr=False)
    # None in an open slot, and for a moment in a silo of an earlier release
    visit: Visit | None = field(default=None, compare=False)
    # why it is closed or, if it is held, closes when its holder leaves; None in an open slot
    closed: str | None = field(default=None, compare=False)

    @property
    def is_held(self) -> bool:
        """Return whether a patient holds the slot; one that is neither held nor available is closed."""
        return self.cpf is not None

    @property
    def ref(self) -> SlotRef:
        """Return the slot's name."""
        return SlotRef(self.doctor, self.date, self.time)

    @property
    def start(self) -> tuple[str, str]:
        """Return date and time; these order and compare as text."""
        return self.date, self.time


@dataclass(frozen=True, slots=True)
class Person:
    """A patient as a request names one; neither field is ever in a repr."""

    name: str = field(repr=False)
    cpf: str = field(repr=False)

    def has(self, slot: Slot) -> bool:
        """Return whether the slot is this person's: a person is a CPF, however the name is spelled."""
        return slot.cpf is not None and cpf_digits(self.cpf) == cpf_digits(slot.cpf)

    def holds(self, slot: Slot) -> bool:
        """Return whether this person may move and cancel the slot: same CPF and same name."""
        if slot.patient_name is None or slot.cpf is None:
            return False
        return person_key(self.name, self.cpf) == person_key(slot.patient_name, slot.cpf)


@dataclass(frozen=True, slots=True)
class Change:
    """The result of a rule: slots to replace by position, slots to append, and the slot booked or released, if any."""

    replaced: Mapping[int, Slot] = field(default_factory=dict)
    added: tuple[Slot, ...] = ()
    booked: SlotRef | None = None
    released: SlotRef | None = None
    visit: Visit | None = None  # the appointment that was booked, moved or cancelled, after it


class DuplicateSlotError(ValueError):
    """Two slots name the same doctor, date and time; `position` is that of the second one."""

    def __init__(self, position: int) -> None:
        super().__init__(f"slot {position} repeats the doctor, date and time of an earlier one")
        self.position = position


class Layout:
    """Positions of slots; it depends on doctors, dates and times only, so bookings share it. Immutable."""

    def __init__(self, slots: Sequence[Slot]) -> None:
        self.keys = {name: doctor_key(name) for name in {slot.doctor for slot in slots}}
        self.by_key: dict[tuple[str, str, str], int] = {}
        for position, slot in enumerate(slots):
            if self.by_key.setdefault((self.keys[slot.doctor], *slot.start), position) != position:
                raise DuplicateSlotError(position)
        self.in_order = tuple(sorted(range(len(slots)), key=lambda at: (slots[at].start, slots[at].doctor)))
        self.starts = tuple(slots[at].start for at in self.in_order)
        self.doctor_keys = tuple(self.keys[slot.doctor] for slot in slots)

    def key_of(self, doctor: str) -> str:
        """Return a doctor's key; most callers spell the name as the agenda does."""
        return self.keys.get(doctor) or doctor_key(doctor)


class Snapshot:
    """All slots of a clinic at one moment. Immutable; a slot keeps its position from one snapshot to the next."""

    def __init__(self, slots: Iterable[Slot] = (), layout: Layout | None = None) -> None:
        # A list is kept as it is, for nobody to change: a copy of 100,000 slots takes a tenth of a batch on a server.
        self.slots: Sequence[Slot] = slots if isinstance(slots, list) else list(slots)
        self.layout = layout or Layout(self.slots)

    def find(self, ref: SlotRef) -> int | None:
        """Return the position of a slot, or None; the doctor's case, accents and title do not count."""
        layout = self.layout
        return layout.by_key.get((layout.key_of(ref.doctor), ref.date, ref.time))

    def between(self, first: tuple[str, str], last: tuple[str, str]) -> tuple[int, ...]:
        """Return the positions of the slots from a date and time to another, by date, time and doctor."""
        layout = self.layout
        return layout.in_order[bisect_left(layout.starts, first) : bisect_right(layout.starts, last)]

    def after(self, start: tuple[str, str], doctor: str | None = None) -> tuple[int, ...]:
        """Return the positions of the slots after this minute, by date, time and doctor; of one `doctor` or of all."""
        layout = self.layout
        later = layout.in_order[bisect_right(layout.starts, start) :]
        if doctor is None:
            return later
        wanted = layout.key_of(doctor)
        return tuple(at for at in later if layout.doctor_keys[at] == wanted)

    def changed(self, change: Change) -> "Snapshot":
        """Return the snapshot after a change; replaced slots keep doctor, date and time."""
        if not change.replaced and not change.added:
            return self
        slots = list(self.slots)
        for position, slot in change.replaced.items():
            slots[position] = slot
        slots += change.added
        return Snapshot(slots, None if change.added else self.layout)


class Draft(Snapshot):
    """What a batch of changes is made in: a long agenda is not copied for each. One thread's own, and never kept."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.slots = self._written = list(snapshot.slots)
        self.layout = snapshot.layout

    def apply(self, change: Change) -> None:
        """Make a change here."""
        if change.added:
            after = self.changed(change)
            self._written, self.layout = list(after.slots), after.layout
            self.slots = self._written
        for at, slot in change.replaced.items():
            self._written[at] = slot


Rule = Callable[[Snapshot], Change]  # make a change from the newest snapshot, or raise DomainError
