"""What is on the table: what was shown or asked last, which a bare answer ("sim", "1", "o outro") is about."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, time
from enum import Enum, auto
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.calendar import Moment
from orchestrator.planner.lexicon import pattern
from orchestrator.planner.understanding import Background, Understanding, row_said, rows_said
from orchestrator.planner.wishes import Kind, Token

_INVITATIONS = frozenset({turn.Topic.OFFER_SPECIALTY, turn.Topic.ASK_GO_ON})
_OF_OPENINGS = frozenset({turn.Topic.ASK_WHICH_OFFER, turn.Topic.ASK_NEW_TIME, turn.Topic.ASK_ANOTHER_TIME})


class Shown(Enum):
    """What was shown or asked last."""

    PROPOSAL = auto()  # writes that wait for a yes
    CHOICES = auto()  # numbered doctors or appointments
    INVITATION = auto()  # what a yes goes on with
    OPENINGS = auto()  # a list of openings
    QUESTION = auto()  # anything else that was asked
    NOTHING = auto()


def told_receipt(session: turn.Session, replies: int = 1) -> bool:
    """Return whether one of the last replies told of a write."""
    return any(block.part is turn.Part.RECEIPT for exchange in session.history[-replies:] for block in exchange.blocks)


def shown_last(session: turn.Session) -> Shown:
    """Return what is on the table."""
    question = session.question
    if session.proposal is not None:
        return Shown.PROPOSAL
    if question is not None and question.choices and question.topic is not turn.Topic.ASK_WHICH_OFFER:
        return Shown.CHOICES
    if question is not None and question.topic in _INVITATIONS:
        return Shown.INVITATION
    if session.offers and (question is None or question.topic in _OF_OPENINGS):
        return Shown.OPENINGS
    return Shown.NOTHING if question is None else Shown.QUESTION


def only_shown(session: turn.Session) -> turn.Offer | None:
    """Return the one opening on the table, where it is one."""
    return session.offers[0] if len(session.offers) == 1 and shown_last(session) is Shown.OPENINGS else None


def named_above(session: turn.Session, *, later: bool = False) -> turn.Appointment | None:
    """Return the one opening that is shown, or the one that was named as the earliest above a list.

    Of a list of one day it is the first one or, with `later`, the last: what is wanted later than that list.
    """
    named = session.question is not None and "nearest" in session.question.known
    of_one_day = len({one.date for one in session.offers}) == 1
    if shown_last(session) is not Shown.OPENINGS or told_receipt(session) or not (named or of_one_day):
        return None
    slots = sorted((one.slot for one in session.offers), key=attrgetter("begin"))
    return slots[-1 if later and not named else 0]


def in_sight(offers: tuple[turn.Offer, ...]) -> tuple[turn.Offer, ...]:
    """Return the openings that were printed; all where none of them was."""
    return tuple(offer for offer in offers if offer.number) or offers


def offer_told(session: turn.Session, offers: tuple[turn.Offer, ...]) -> tuple[turn.Offer, ...]:
    """Return the one opening of the clinic that was asked about right before."""
    asked = session.asked.clinics if session.asked is not None else ()
    told = tuple(offer for offer in in_sight(offers) if offer.clinic in asked)
    return told if len(told) == 1 else ()


def proposed_slot(session: turn.Session) -> turn.Appointment | None:
    """Return the slot of a booking that is proposed, where it is one."""
    steps = () if session.proposal is None else session.proposal.plan.steps
    return steps[0].taken if len(steps) == 1 and isinstance(steps[0].call, turn.Book) else None


def list_wish(session: turn.Session) -> turn.Wish:
    """Return what the openings on the screen were looked for by, before one of them was proposed or after."""
    if session.proposal is not None:
        return session.proposal.plan.chosen_from
    question = session.question
    return question.wish if question is not None and question.topic is turn.Topic.ASK_WHICH_OFFER else turn.ANYTHING


def instead_of_proposed(session: turn.Session, of_specialty: turn.Filter, *, alike: bool) -> turn.Wish | None:
    """Return what would do instead of a proposed booking: nearest to it first, last all that it was chosen from.

    A list of several doctors was one of them all. With `alike` it is only its doctor, or those of the list, that day.
    """
    slot = proposed_slot(session)
    if slot is None:
        return None
    doctor, day = turn.WithDoctors(frozenset({slot.doctor})), turn.OnDates((turn.DateRange(slot.date, slot.date),))
    whom = of_specialty if any(one.doctor != slot.doctor for one in session.offers) else doctor
    source = list_wish(session)
    looked_for = next((one for one in (source.filter, *source.otherwise) if turn.fits(one, slot)), turn.ANY_OPENING)
    if looked_for == turn.ANY_OPENING or alike:
        return turn.Wish(turn.all_of([whom, day]))
    on_that_day = turn.all_of([*(part for part in turn.conjuncts(looked_for) if not _names_days(part)), day])
    wider = [on_that_day, turn.all_of([looked_for, doctor])] if whom is doctor else []
    return turn.Wish(turn.all_of([on_that_day, whom]), (*wider, looked_for))


def _names_days(part: turn.Filter) -> bool:
    """Return whether a part of a wish names weekdays or single days, and no stretch such as a week."""
    dated = isinstance(part, turn.OnDates) and all(one.first == one.last for one in part.spans)
    return dated or isinstance(part, turn.OnWeekdays)


def background_of(session: turn.Session) -> Background:
    """Return what an utterance is said beside."""
    question = session.question
    moves = question is not None and question.action == turn.MOVE
    anchored = bool(session.appointments or session.proposal or moves or only_shown(session))
    complains = question is not None and question.topic is turn.Topic.OFFER_SPECIALTY
    holding = bool(session.appointments or session.history)
    choosing = shown_last(session) in {Shown.OPENINGS, Shown.PROPOSAL}
    several = question is not None and any(
        len(listed) > 1
        for listed in (
            question.waiting,
            turn.specialties_named(question.wish.widest),
            question.known.get("specialty", "").split(),
            question.known.get("clinics", "").split(),
        )
    )
    return Background(anchored, holding and not complains, choosing, several)


def with_row(said: Understanding, session: turn.Session) -> Understanding:
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


def with_place(said: Understanding, session: turn.Session) -> Understanding:
    """Return an utterance with what only the conversation makes a clinic: "lá", "the 310 one", "longe demais"."""
    asked, priced, far = session.asked, _by_price(said, session), _refused_as_far(said, session)
    if priced or far:
        named = (one.wanted.ids for one in priced if isinstance(one.wanted, turn.AtClinics))
        return replace(said, wishes=said.wishes.and_also(*priced, *far), clinics=tuple(*named))
    place = None if asked is None else pattern("patterns", "there").search(said.text.folded)
    if asked is None or place is None or said.clinics:
        return said
    stated = [one.clinics for one in asked.wanted if one.clinics]
    meant = frozenset.intersection(frozenset(asked.clinics), *stated)
    if len(meant) != 1:
        return said
    token = Token(Kind.CONDITION, *place.span(), place.group(), turn.AtClinics(meant))
    return replace(said, clinics=tuple(meant), wishes=said.wishes.and_also(token))


def _by_price(said: Understanding, session: turn.Session) -> tuple[Token, ...]:
    """Return the clinic that is named by its price, which one of the last replies told: "o de 310"."""
    match = pattern("patterns", "by_price").search(said.text.folded)
    if match is None or said.clinics:
        return ()
    price = re.sub(r"\D", "", match.group())
    told = any(f"R$ {price}" in one.reply for one in session.history[-4:])
    ids = [one.id for one in said.wishes.clinics if f"{price}00" in one.stated(turn.AskedFact.PRICE)]
    if not told or len(ids) != 1:
        return ()
    return (Token(Kind.CONDITION, *match.span(), match.group(), turn.AtClinics(frozenset(ids))),)


def _refused_as_far(said: Understanding, session: turn.Session) -> tuple[Token, ...]:
    """Return the clinic on the table as refused, where it is said to be too far and no place or day is named."""
    far = pattern("patterns", "too_far").search(said.text.folded) if session.offers or session.proposal else None
    if far is None:
        return ()
    slot, shown = proposed_slot(session), shown_last(session)
    ids = {slot.clinic} if slot is not None else {one.clinic for one in session.offers if shown is Shown.OPENINGS}
    told = said.moments or said.wishes.refused or {turn.Axis.PLACE, turn.Axis.CLINIC} & said.wishes.named
    if told or len(ids) != 1:
        return ()
    denied = Token(Kind.NOT, far.start(), far.start(), "not")
    return denied, Token(Kind.CONDITION, *far.span(), far.group(), turn.AtClinics(frozenset(ids)))


def moment_noted(known: Mapping[str, str], prefix: str = "") -> Moment:
    """Return the day and the time that a question's `known` holds, as far as it does."""
    day, at = known.get(f"{prefix}date"), known.get(f"{prefix}time")
    dates = () if day is None else (date.fromisoformat(day),)
    return Moment(0, 0, dates=dates, times=() if at is None else (time.fromisoformat(at),))


def noted(day: date | None, at: time | None, prefix: str = "") -> dict[str, str]:
    """Return a day and a time for a question's `known`, as far as they are certain."""
    texts = {"date": None if day is None else day.isoformat(), "time": None if at is None else turn.clock(at)}
    return {f"{prefix}{name}": text for name, text in texts.items() if text is not None}
