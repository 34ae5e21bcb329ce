"""What is on the table: what was shown or asked last, which a bare answer ("sim", "1", "o outro") is about."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, time
from enum import Enum, auto

from orchestrator.planner.calendar import Moment
from orchestrator.planner.understanding import Background, Understanding, row_said, rows_said
from orchestrator.planner.wishes import Kind
from orchestrator.turn import MOVE, Part, Session, Topic, clock


class Shown(Enum):
    """What was shown or asked last."""

    PROPOSAL = auto()  # writes that wait for a yes
    CHOICES = auto()  # numbered doctors or appointments
    INVITATION = auto()  # what a yes goes on with
    OPENINGS = auto()  # a list of openings
    QUESTION = auto()  # anything else that was asked
    NOTHING = auto()


def told_receipt(session: Session, replies: int = 1) -> bool:
    """Return whether one of the last replies told of a write."""
    return any(block.part is Part.RECEIPT for exchange in session.history[-replies:] for block in exchange.blocks)


_INVITATIONS = frozenset({Topic.OFFER_SPECIALTY, Topic.ASK_GO_ON})
_OF_OPENINGS = frozenset({Topic.ASK_WHICH_OFFER, Topic.ASK_NEW_TIME, Topic.ASK_ANOTHER_TIME})


def shown_last(session: Session) -> Shown:
    """Return what is on the table."""
    question = session.question
    if session.proposal is not None:
        return Shown.PROPOSAL
    if question is not None and question.choices and question.topic is not Topic.ASK_WHICH_OFFER:
        return Shown.CHOICES
    if question is not None and question.topic in _INVITATIONS:
        return Shown.INVITATION
    if session.offers and (question is None or question.topic in _OF_OPENINGS):
        return Shown.OPENINGS
    return Shown.NOTHING if question is None else Shown.QUESTION


def background_of(session: Session) -> Background:
    """Return what an utterance is said beside."""
    question = session.question
    anchored = bool(session.appointments or session.proposal or (question and question.action == MOVE))
    complains = question is not None and question.topic is Topic.OFFER_SPECIALTY
    holding = bool(session.appointments or session.history)
    return Background(anchored, holding and not complains, shown_last(session) in {Shown.OPENINGS, Shown.PROPOSAL})


def with_row(said: Understanding, session: Session) -> Understanding:
    """Return an utterance that is nothing but rows of what was shown last as those: "the first" is no day then."""
    match shown_last(session):
        case Shown.CHOICES:
            rows = {row for row, _ in enumerate(session.question.choices if session.question else (), 1)}
            weekdays, days = frozenset(range(7)), frozenset[int]()
        case Shown.PROPOSAL | Shown.OPENINGS:
            taken = [step.taken for step in session.proposal.plan.steps] if session.proposal is not None else []
            if taken and not {*filter(None, taken)} <= {offer.slot for offer in session.offers}:
                return said  # what is proposed is of no list
            rows = {offer.number for offer in session.printed}
            weekdays = frozenset(offer.date.weekday() for offer in session.offers)
            days = frozenset(offer.date.day for offer in session.offers)
        case _:
            return said
    row = row_said(said.text.folded, weekdays, days)
    named = (row,) if row in rows else rows_said(said.text.folded, rows)
    if not named:
        return said
    pointer = replace(said.pointer, numbers=named, perhaps=(), earliest=False, latest=False)
    either = tuple(token for token in said.wishes.tokens if token.kind is Kind.OR)
    wishes = replace(said.wishes, tokens=either, unread=(), unsure=False)
    return replace(said, moments=(), shift=None, pointer=pointer, wishes=wishes)


def moment_noted(known: Mapping[str, str], prefix: str = "") -> Moment:
    """Return the day and the time that a question's `known` holds, as far as it does."""
    day, at = known.get(f"{prefix}date"), known.get(f"{prefix}time")
    dates = () if day is None else (date.fromisoformat(day),)
    return Moment(0, 0, dates=dates, times=() if at is None else (time.fromisoformat(at),))


def noted(day: date | None, at: time | None, prefix: str = "") -> dict[str, str]:
    """Return a day and a time for a question's `known`, as far as they are certain."""
    texts = {"date": None if day is None else day.isoformat(), "time": None if at is None else clock(at)}
    return {f"{prefix}{name}": text for name, text in texts.items() if text is not None}
