"""Questions about openings that code answers in a sentence of its own; whoever asks one claims nothing.

A language model chooses them, and `orchestrator.responder` computes and words the answers over one snapshot.
"""

from dataclasses import dataclass, field
from datetime import time
from enum import StrEnum

from orchestrator.turn.opening_filter import ANY_OPENING, Condition, Filter
from orchestrator.turn.step_actions import Appointment


class Order(StrEnum):
    """Which opening of several is the best."""

    SOONEST = "soonest"
    LATEST = "latest"
    EARLIEST_HOUR = "earliest_hour"  # the one that starts earliest in the day, on whichever day
    LATEST_HOUR = "latest_hour"  # the one that starts latest in the day, on whichever day
    NEAREST = "nearest"  # the one that starts nearest to a time of day, on whichever day


@dataclass(frozen=True, slots=True)
class OpeningScope:
    """The openings that a question is about."""

    filter: Filter = ANY_OPENING
    among_shown: bool = False  # only those of the list on the screen, else all that were read
    quote: str = field(default="", repr=False)  # the person's own words for it, checked; empty for none
    assumed: tuple[Condition, ...] = ()  # conditions that nothing the person said supports


@dataclass(frozen=True, slots=True)
class CountOpenings:
    """How many there are, and with whom; none and only one are cases of it."""

    scope: OpeningScope


@dataclass(frozen=True, slots=True)
class InWords:
    """Which there are, in a sentence."""

    scope: OpeningScope


@dataclass(frozen=True, slots=True)
class SpanOfDays:
    """From when until when each doctor has openings."""

    scope: OpeningScope


@dataclass(frozen=True, slots=True)
class Best:
    """Which is the soonest, the latest or the nearest."""

    scope: OpeningScope
    order: Order
    at: time | None = None  # set for `Order.NEAREST` alone


@dataclass(frozen=True, slots=True)
class Pick:
    """Whether an opening may be recommended: whether it is the best of a scope."""

    opening: Appointment
    best: Best


@dataclass(frozen=True, slots=True)
class Gap:
    """How long it is from one opening to another."""

    first: Appointment
    second: Appointment
    at_least_days: int | None = None  # how many days the person wants it to be; None for no such wish


@dataclass(frozen=True, slots=True)
class Fits:
    """Which of some openings lie in a scope."""

    openings: tuple[Appointment, ...]
    scope: OpeningScope


class Comparison(StrEnum):
    """What sides are compared by."""

    COUNT = "count"
    SOONEST = "soonest"
    LATEST = "latest"
    EARLIEST_HOUR = "earliest_hour"
    LATEST_HOUR = "latest_hour"


@dataclass(frozen=True, slots=True)
class Compare:
    """Which side of a scope has more openings, or the sooner one."""

    scope: OpeningScope
    sides: tuple[Condition, ...]  # two or more, of one kind
    by: Comparison


@dataclass(frozen=True, slots=True)
class DaysOfBoth:
    """On which days every side of a scope has openings."""

    scope: OpeningScope
    sides: tuple[Condition, ...]  # two or more, of one kind


@dataclass(frozen=True, slots=True)
class WhyNot:
    """What the filter of the list hid, and how it is lifted."""

    scope: OpeningScope  # the openings that were missed


@dataclass(frozen=True, slots=True)
class Treats:
    """Which specialty is for a complaint."""

    specialty: str  # its code in the registry
    word: str = field(repr=False)  # the person's own word for the complaint, checked


OpeningQuestion = (
    CountOpenings | InWords | SpanOfDays | Best | Pick | Gap | Fits | Compare | DaysOfBoth | WhyNot | Treats
)
