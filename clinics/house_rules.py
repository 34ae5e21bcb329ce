"""How long visits take in a clinic, and what it holds bookings to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache

from clinics.slots import Layout, Slot, Snapshot
from mesh.clock import ZONE
from mesh.text_folding import doctor_key

DEFAULT_DURATION_MIN = 30
LONGEST_VISIT_MIN = 480


@dataclass(frozen=True, slots=True, eq=False)
class HouseRules:
    """A clinic's rules; 0 stands for a rule that it does not have. Times are minutes."""

    duration_min: int = DEFAULT_DURATION_MIN
    durations: Mapping[str, int] = field(default_factory=dict)  # of doctors whose visits take another time, by key
    booking_notice_min: int = 0
    change_notice_min: int = 0
    most_open: int = 0  # appointments to come that one patient may hold

    def duration_of(self, doctor: str) -> int:
        """Return how many minutes a visit to a doctor takes."""
        return self.durations.get(doctor_key(doctor), self.duration_min) if self.durations else self.duration_min

    def end_of(self, slot: Slot) -> datetime:
        """Return when a visit ends, in local time."""
        return begin_of(slot.start) + timedelta(minutes=self.duration_of(slot.doctor))

    def near(self, snapshot: Snapshot, doctor: str, start: tuple[str, str]) -> tuple[int, ...]:
        """Return the positions of the slots that overlap a visit to a doctor at a date and time."""
        begin = begin_of(start)
        longest = max(self.duration_min, *self.durations.values()) if self.durations else self.duration_min
        end = begin + timedelta(minutes=self.duration_of(doctor))
        around = snapshot.between(text_of(begin - timedelta(minutes=longest)), text_of(end))
        slots = snapshot.slots
        return tuple(at for at in around if begin_of(slots[at].start) < end and self.end_of(slots[at]) > begin)


def begin_of(start: tuple[str, str]) -> datetime:
    """Return a slot's date and time as an instant in the clinic's zone."""
    return datetime.fromisoformat("T".join(start)).replace(tzinfo=ZONE)


def text_of(instant: datetime) -> tuple[str, str]:
    """Return an instant as slots write theirs: YYYY-MM-DD and HH:MM, local to the clinic."""
    date, _, time = instant.astimezone(ZONE).isoformat(timespec="minutes").partition("T")
    return date, time[:5]


def overlapping_ahead(snapshot: Snapshot, rules: HouseRules, now: datetime) -> list[int]:
    """Return the positions of the slots after this minute that overlap another one of the same doctor, in order."""
    doubled = overlapping(snapshot.layout, rules)
    return [at for at in snapshot.after(text_of(now)) if at in doubled] if doubled else []


@lru_cache(maxsize=16)
def overlapping(layout: Layout, rules: HouseRules) -> Mapping[int, tuple[int, ...]]:
    """Return the slots that overlap others of the same doctor, by position, and those others."""
    found: dict[int, tuple[int, ...]] = {}
    open_ends: dict[str, list[tuple[int, datetime]]] = {}
    for at, start in zip(layout.in_order, layout.starts, strict=True):
        key, begin = layout.doctor_keys[at], begin_of(start)
        end = begin + timedelta(minutes=rules.durations.get(key, rules.duration_min))
        before = [(other, until) for other, until in open_ends.get(key, []) if until > begin]
        for other, _ in before:
            found[other] = (*found.get(other, ()), at)
            found[at] = (*found.get(at, ()), other)
        open_ends[key] = [*before, (at, end)]
    return found
