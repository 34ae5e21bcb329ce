"""What a model chose for a reply: courtesies, topics, questions that code answers, the table, a choice to propose."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, time
from enum import StrEnum

from orchestrator.turn.opening_filter import AtTimes, Filter, TimeRange
from orchestrator.turn.opening_questions import (
    Best,
    Compare,
    DaysOfBoth,
    Fits,
    Gap,
    OpeningQuestion,
    OpeningScope,
    Order,
    Pick,
    Treats,
)
from orchestrator.turn.step_actions import Appointment
from orchestrator.turn.topics import Topic


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


class Courtesy(StrEnum):
    """What a reply may say besides facts; none of them assents or promises."""

    GREET = "greet"
    WELCOME = "welcome"
    SORRY_TO_HEAR = "sorry_to_hear"
    MY_MISTAKE = "my_mistake"
    GET_WELL = "get_well"
    GOOD_TRIP = "good_trip"
    GOOD_QUESTION = "good_question"
    UP_TO_YOU = "up_to_you"
    NONE_SUITS = "none_suits"
    ANYTHING_ELSE = "anything_else"
    # fixed notices
    NOTHING_BOOKED = "nothing_booked"
    OWN_NAME_ONLY = "own_name_only"
    NO_NOTICE = "no_notice"  # the desk sends no message when something opens
    NO_HOLD = "no_hold"  # the desk holds no opening back


@dataclass(frozen=True, slots=True)
class Target:
    """An opening to take: a very slot, or the best of the first scope that has one."""

    slot: Appointment | None = None
    first_of: tuple[OpeningScope, ...] = ()
    order: Order = Order.SOONEST
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
        return (*(scope.filter for scope in self.scopes), *(one for asked in self.questions for one in _named(asked)))


def _named(question: OpeningQuestion) -> Iterator[Filter]:
    match question:
        case Compare(sides=sides) | DaysOfBoth(sides=sides):
            yield from sides
        case Best(at=time() as at) | Pick(best=Best(at=time() as at)):
            yield AtTimes((TimeRange(at, at),))
