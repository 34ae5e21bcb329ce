"""What was chosen for a reply: courtesies, topics, the table, a choice to propose, and questions about openings.

A question claims nothing: `orchestrator.responder` computes and words its answer over one snapshot.
"""

from dataclasses import dataclass, field
from datetime import date, time
from enum import StrEnum

from orchestrator.turn.opening_filter import ANY_OPENING, AtTimes, Condition, Filter, TimeRange
from orchestrator.turn.step_actions import Appointment
from orchestrator.turn.topics import Topic

Courtesy = StrEnum(
    "Courtesy",
    "GREET WELCOME SORRY_TO_HEAR MY_MISTAKE GET_WELL GOOD_TRIP GOOD_QUESTION UP_TO_YOU NONE_SUITS ANYTHING_ELSE "
    # fixed notices; the last two: the desk sends no message when something opens, and holds no opening back
    "NOTHING_BOOKED OWN_NAME_ONLY NO_NOTICE NO_HOLD",
)  # what a reply may say besides facts; none of them assents or promises. The values are the names in small letters


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


class OfAll(StrEnum):
    """What is asked of all openings of a scope."""

    COUNT = "count"  # how many there are, and with whom; none and only one are cases of it
    IN_WORDS = "in_words"  # which there are, in a sentence
    SPAN = "span"  # from when until when each doctor has openings
    WHY_NOT = "why_not"  # which of them, missed, the filter of the list hid, and how it is lifted


@dataclass(frozen=True, slots=True)
class AskedOfAll:
    """A question about all openings of a scope."""

    what: OfAll
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


@dataclass(frozen=True, slots=True)
class Compare:
    """Which side of a scope has more openings, or the sooner one."""

    scope: OpeningScope
    sides: tuple[Condition, ...]  # two or more, of one kind
    by: Order | None  # whose best opening is the best of all, never by NEAREST; None for how many they are


@dataclass(frozen=True, slots=True)
class DaysOfBoth:
    """On which days every side of a scope has openings."""

    scope: OpeningScope
    sides: tuple[Condition, ...]  # two or more, of one kind


@dataclass(frozen=True, slots=True)
class Treats:
    """Which specialty is for a complaint."""

    specialty: str  # its code in the registry
    word: str = field(repr=False)  # the person's own word for the complaint, checked


OpeningQuestion = AskedOfAll | Best | Pick | Gap | Fits | Compare | DaysOfBoth | Treats


def scope_of(question: OpeningQuestion) -> OpeningScope | None:
    """Return the openings that a question is about; None where it is about numbers or a complaint alone."""
    match question:
        case Pick(best=best):
            return best.scope
        case Gap() | Treats():
            return None
        case _:
            return question.scope


def openings_named(question: OpeningQuestion) -> tuple[Appointment, ...]:
    """Return the openings that a question names one by one."""
    match question:
        case Pick(opening=opening):
            return (opening,)
        case Gap(first, second):
            return first, second
        case Fits(openings):
            return openings
        case _:
            return ()


@dataclass(frozen=True, slots=True)
class Target:
    """An opening to take: a very slot, or the best of the first scope that has one; without an order, the only one."""

    slot: Appointment | None = None
    first_of: tuple[OpeningScope, ...] = ()
    order: Order | None = Order.SOONEST
    at: time | None = None  # set for `Order.NEAREST` alone


@dataclass(frozen=True, slots=True)
class Rebooking:
    """An appointment to move, and where to."""

    held: Appointment
    target: Target


@dataclass(frozen=True, slots=True)
class Choice:
    """Changes to propose; which openings they take is looked up in what the clinics answer."""

    cancel: tuple[Appointment, ...] = ()
    book: tuple[Target, ...] = ()
    move: tuple[Rebooking, ...] = ()

    @property
    def given_back(self) -> tuple[Appointment, ...]:
        """The appointments that end with it."""
        return (*self.cancel, *(one.held for one in self.move))


@dataclass(frozen=True, slots=True)
class ReplySteps:
    """The steps of a reply, in the order in which they are said."""

    courtesies: tuple[Courtesy, ...] = ()
    topics: tuple[Topic, ...] = ()  # answers that have a text of their own
    questions: tuple[OpeningQuestion, ...] = ()
    shown: tuple[OpeningScope, ...] = ()  # the scopes of the table; none where no table is shown
    choice: Choice | None = None
    today: date = date.min  # the day of the turn, which days are told from
    awaits: bool = False  # the model wants to see the answers before it goes on
    refused: tuple[str, ...] = ()  # steps that were turned down and why, in English and without values
    own: OpeningScope | None = None  # the person's appointments that are told besides, as far as they lie in it

    @property
    def scopes(self) -> tuple[OpeningScope, ...]:
        """All openings and appointments that it speaks of."""
        asked = (scope for question in self.questions if (scope := scope_of(question)) is not None)
        return (*self.shown, *asked, *(() if self.own is None else (self.own,)))

    @property
    def filters(self) -> tuple[Filter, ...]:
        """All that its words may name: what it speaks of, the sides that it compares, the times to be near to."""
        named: list[Filter] = [scope.filter for scope in self.scopes]
        for question in self.questions:
            match question:
                case Compare(sides=sides) | DaysOfBoth(sides=sides):
                    named += sides
                case Best(at=time() as at) | Pick(best=Best(at=time() as at)):
                    named.append(AtTimes((TimeRange(at, at),)))
        return tuple(named)
