"""What is on the table: what was shown or asked last, which a bare answer ("sim", "1", "o outro") is about."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, time
from enum import Enum, auto
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.calendar import Moment, Shift
from orchestrator.planner.lexicon import expression, numbers, table, words
from orchestrator.planner.text import correct, normalise
from orchestrator.planner.understanding import Background, Understanding, answer
from orchestrator.planner.wishes import Kind, Wishes, at_times, name_words

_INVITATIONS = frozenset({turn.Topic.OFFER_SPECIALTY, turn.Topic.ASK_GO_ON})
_OF_OPENINGS = frozenset({turn.Topic.ASK_WHICH_OFFER, turn.Topic.ASK_NEW_TIME, turn.Topic.ASK_ANOTHER_TIME})

NOTHING_ASKED = turn.Question(turn.Topic.ASK_REQUEST)
"""Stands for the open question where none is: nothing in particular is asked, known or wished."""


class Shown(Enum):
    """What was shown or asked last."""

    PROPOSAL = auto()  # writes that wait for a yes
    CHOICES = auto()  # numbered doctors or appointments
    INVITATION = auto()  # what a yes goes on with
    OPENINGS = auto()  # a list of openings
    QUESTION = auto()  # anything else that was asked
    NOTHING = auto()


def just_cancelled(session: turn.Session) -> turn.Appointment | None:
    """Return the appointment whose cancelling was told last, which "the week after, same time" leans on."""
    last = session.receipts[-1] if session.receipts and session.proposal is None and told_receipt(session) else None
    return last.appointment if last is not None and last.kind is turn.ReceiptKind.CANCELLED else None


def told_receipt(session: turn.Session, replies: int = 1) -> bool:
    """Return whether one of the last replies told of a write."""
    return any(block.part is turn.Part.RECEIPT for exchange in session.history[-replies:] for block in exchange.blocks)


def shown_last(session: turn.Session) -> Shown:
    """Return what is on the table."""
    question = session.question or NOTHING_ASKED
    if session.proposal is not None:
        return Shown.PROPOSAL
    if question.choices and question.topic is not turn.Topic.ASK_WHICH_OFFER:
        return Shown.CHOICES
    if question.topic in _INVITATIONS:
        return Shown.INVITATION
    if session.offers and (session.question is None or question.topic in _OF_OPENINGS):
        return Shown.OPENINGS
    return Shown.NOTHING if session.question is None else Shown.QUESTION


def lists_openings(session: turn.Session) -> bool:
    """Return whether a list of openings is on the table, and none of them was just taken."""
    return shown_last(session) is Shown.OPENINGS and not told_receipt(session)


def by_price(said: Understanding, session: turn.Session) -> tuple[re.Match[str], frozenset[str]] | None:
    """Return the clinic that is named by its price, which a reply told or which one that is listed has: "o de 310"."""
    match = expression("by_price").search(said.text.folded)
    if match is None or said.clinics:
        return None
    price = re.sub(r"\D", "", match.group())
    hours = {f"{one.time.hour % 12 or 12}{one.time:%M}" for one in session.offers}  # "330 then", of no row at half past
    told = any(f"R$ {price}" in one.reply for one in session.history[-4:]) and price not in hours
    told = told or (bool(session.offers) and match.lastgroup != "bare")
    ids = [one.id for one in said.wishes.clinics if f"{price}00" in one.stated(turn.AskedFact.PRICE)]
    return (match, frozenset(ids)) if told and len(ids) == 1 else None


def priced(session: turn.Session, said: Understanding, clinics: Sequence[turn.Clinic]) -> Sequence[turn.Clinic]:
    """Return the clinics among which the lowest price is looked for: those of a list, where it is asked of that."""
    of_list = session.offers and said.wishes.named == {turn.Axis.PRICE}
    if not (of_list and expression("cheapest_of_list").search(said.text.folded)):
        return clinics
    chosen = {turn.Axis.CLINIC, turn.Axis.DOCTOR} & turn.axes_of(list_wish(session).filter)  # one of them, and no list
    return [one for one in clinics if chosen or one.id in {offer.clinic for offer in session.offers}]


def only_shown(session: turn.Session) -> turn.Offer | None:
    """Return the one opening on the table, where it is one and was not just taken."""
    return session.offers[0] if len(session.offers) == 1 and lists_openings(session) else None


def named_above(session: turn.Session, said: Wishes | None = None) -> turn.Appointment | None:
    """Return the one opening that is shown, or the first above a list; the last of a day where `said` is later."""
    known = (session.question or NOTHING_ASKED).known
    later = "latest" in known or (said is not None and any(one.kind is Kind.LATER for one in said.tokens))
    named, refused = "nearest" in known or "latest" in known, said.refused if said is not None and later else ()
    if not lists_openings(session) or not (named or len({one.date for one in session.offers}) == 1):
        return None
    slots = sorted((one.slot for one in session.offers), key=attrgetter("begin"))
    slots = [one for one in slots if any(turn.fits(part, one) for part in refused)] or slots
    return slots[-1 if later and "nearest" not in known else 0]


def other_of_two(session: turn.Session, folded: str) -> str | None:
    """Return the one of two doctors, asked about or listed, who has not the first opening: "I'd rather the other"."""
    named = lists_openings(session) and table("references", "other").search(folded)  # and not just somebody else
    wanted = turn.conditions_of(list_wish(session).widest, denied=False) if named else ()
    names = {name for one in wanted if isinstance(one, turn.WithDoctors) for name in one.names}
    if named and not names and expression("other_doctor_of_two").search(folded):
        names = {one.doctor for one in session.offers}
    left = names - {one.doctor for one in session.offers[:1]}
    return left.pop() if len(names) == 2 and len(left) == 1 else None


def in_sight(offers: tuple[turn.Offer, ...]) -> tuple[turn.Offer, ...]:
    """Return the openings that were printed; all where none of them was."""
    return tuple(offer for offer in offers if offer.number) or offers


def proposed_slot(session: turn.Session) -> turn.Appointment | None:
    """Return the slot of a booking that is proposed, where it is one."""
    steps = () if session.proposal is None else session.proposal.plan.steps
    return steps[0].taken if len(steps) == 1 and isinstance(steps[0].call, turn.Book) else None


def in_hand(session: turn.Session) -> turn.Appointment | None:
    """Return the one slot on the table: the one that is proposed, or the only one that is shown."""
    only = only_shown(session)
    return proposed_slot(session) or (only.slot if only is not None else None)


def moved(
    session: turn.Session, said: Understanding, shift: Shift, week: turn.Wish, there: tuple[date, time]
) -> turn.Wish:
    """Return a wish for the days that what is on the table is moved by: its doctor and hour, then its doctor."""
    # An hour before the only row is none of the hours that it was looked for by.
    week = week.replaced(lambda one: turn.ANY_OPENING if shift.minutes and isinstance(one, turn.AtTimes) else one)
    slot, says_hour = in_hand(session), bool(shift.minutes) or said.pointer.same_time
    keeps = says_hour or (proposed_slot(session) is not None and shift.keeps_time)
    wished = turn.all_of(one.wanted for one in said.wishes.tokens if one.wanted and one.kind is not Kind.BOUND)
    told = says_hour or said.pointer.other_doctor or turn.axes_of(wished) - {turn.Axis.DAY}
    if slot is None or told or not (keeps or shift.whole_week):
        return week.and_also(at_times([there[1]])) if keeps else week
    of_doctor = week.and_also(turn.WithDoctors(frozenset({slot.doctor})))
    first = of_doctor.and_also(turn.OnDates((turn.DateRange(there[0], there[0]),)), at_times([slot.time]))
    return turn.Wish(first.filter, (of_doctor.filter, week.filter, *week.otherwise))


def agrees(utterance: str, action: str | None, slot: turn.Appointment | None, *, several: bool = False) -> bool | None:
    """Return the answer to what is on the table; a yes may name its own day, hour or doctor: "fine, Monday it is"."""
    said = answer(utterance, action, several=several)
    if said is not None or slot is None or expression("of_another_visit").search(utterance):
        return said
    day, at = slot.date, slot.time
    weekday = {name for name, number in numbers("memories", "weekdays").items() if number == day.weekday()}
    own = {*weekday, *name_words(slot.doctor), f"{day.day}", f"{at:%H:%M}"}
    hours, minute, half = (at.hour, at.hour % 12 or 12), f"{at:%M}" if at.minute else "", "pm" if at.hour > 11 else "am"
    own |= {half, *(f"{hour}{a}{minute}{b}" for hour in hours for a in ("", ":", "h") for b in ("", half))}
    told = re.findall(r"[a-z0-9:']+", correct(normalise(utterance)).folded)
    rest = [word for word in told if word not in own | words("around_named")]
    # "Monday, yeah" may go on, and "1:30 yes" is of the card.
    begins = own.intersection(told) and (rest[:1] == told[:1] or re.match(r"\d+ ?([:h]|[ap]m)", " ".join(told)))
    return True if begins and answer(" ".join(rest), action) is True else None


def list_wish(session: turn.Session) -> turn.Wish:
    """Return what the openings on the screen were looked for by, before one of them was proposed or after."""
    if session.proposal is not None:
        return session.proposal.plan.chosen_from
    question = session.question or NOTHING_ASKED
    return question.wish if question.topic is turn.Topic.ASK_WHICH_OFFER else turn.ANYTHING


def wish_taken_back(session: turn.Session, folded: str, kept: frozenset[turn.Axis]) -> turn.Wish | None:
    """Return what is looked for again: what the list before was, that or this, or what is `kept` of this one."""
    if session.proposal is not None:
        return list_wish(session) if session.offers and expression("list_again").search(folded) else None
    back, question = expression("list_before").search(folded), session.question
    if back is None or question is None or not lists_openings(session):
        return None
    if back.lastgroup == "unfiltered":
        return turn.Wish(turn.without(question.wish.filter, frozenset(turn.Axis) - kept))
    if back.lastgroup == "back" or question.earlier is None:
        return question.earlier
    two_rows = len(session.offers) == 2  # which "both" takes
    return None if two_rows else turn.Wish(turn.either_of(question.earlier.widest, question.wish.widest))


def wish_had(session: turn.Session, said: Understanding) -> turn.Wish:
    """Return what was looked for, without its hours or days where nobody has any then: others were shown."""
    wish = (session.question or NOTHING_ASKED).wish
    links = (wish.filter, *wish.otherwise)
    met = next((n for n, link in enumerate(links) if any(turn.fits(link, one) for one in session.offers)), 0)
    wish = turn.Wish(links[met], links[met + 1 :])  # what was looked for in vain is not gone back to
    axes = turn.axes_of(wish.filter) if session.offers else frozenset()
    axis = turn.Axis.DAY if turn.Axis.DAY in axes - said.wishes.named else turn.Axis.TIME  # "e de manhã?", of a Sunday
    settles = said.wishes.named == {turn.Axis.DAY} and expression("settles_for").search(said.text.folded)
    if axis not in axes or (axis is turn.Axis.TIME and axes & {turn.Axis.DAY, turn.Axis.MOMENT} and not settles):
        return wish
    wanted = turn.without(wish.filter, frozenset(turn.Axis) - {axis})
    in_vain = not any(turn.fits(wanted, one) for one in session.offers)
    return turn.Wish(turn.without(wish.filter, frozenset({axis}))) if in_vain else wish


def sides_before(session: turn.Session, said: Understanding) -> tuple[turn.OfSpecialty, ...]:
    """Return the specialties that were wanted on one day, where none is named now: "qualquer dia menos quarta"."""
    names = said.wishes.named - {turn.Axis.DAY, turn.Axis.TIME}
    wanted = () if names or session.question is None else turn.conditions_of(list_wish(session).widest, denied=False)
    found = tuple(one for one in wanted if isinstance(one, turn.OfSpecialty))
    return found if session.question is not None and "same_day" in session.question.known else ()


def instead_of_proposed(session: turn.Session, of_specialty: turn.Filter, *, alike: bool) -> turn.Wish | None:
    """Return what would do instead of a proposal, nearest first; with `alike` only its doctor or those of the list."""
    if (slot := proposed_slot(session)) is None:
        return None
    doctor, day = turn.WithDoctors(frozenset({slot.doctor})), turn.OnDates((turn.DateRange(slot.date, slot.date),))
    whom = of_specialty if any(one.doctor != slot.doctor for one in session.offers) else doctor
    links = [(source := list_wish(session)).filter, *source.otherwise]
    waits = (session.question or NOTHING_ASKED).waiting  # of several visits, the one of the card
    parts = (part for one in links for part in (one.parts if waits and isinstance(one, turn.AnyOf) else [one]))
    looked_for = next((one for one in parts if turn.fits(one, slot)), turn.ANY_OPENING)
    if looked_for == turn.ANY_OPENING or alike:
        return turn.Wish(turn.all_of([whom, day]))
    kept = [one for one in turn.conjuncts(looked_for) if not isinstance(one, turn.OnWeekdays)]
    dated = [one for one in kept if isinstance(one, turn.OnDates) and all(it.first == it.last for it in one.spans)]
    on_that_day = turn.all_of([*(one for one in kept if one not in dated), day])  # a week stays
    wider = [on_that_day, turn.all_of([looked_for, doctor])] if whom is doctor else []
    return turn.Wish(turn.all_of([on_that_day, whom]), (*wider, looked_for))


def background_of(session: turn.Session) -> Background:
    """Return what an utterance is said beside."""
    question = session.question or NOTHING_ASKED
    moves = question.action == turn.MOVE
    anchored = bool(session.appointments or session.proposal or moves or only_shown(session) or just_cancelled(session))
    holding = bool(session.appointments or session.history) and question.topic is not turn.Topic.OFFER_SPECIALTY
    choosing = shown_last(session) in {Shown.OPENINGS, Shown.PROPOSAL}
    asked_of = [question.known.get(name, "").split() for name in ("specialty", "clinics")]
    wanted = [question.waiting, turn.specialties_named(question.wish.widest)]
    several = any(len(one) > 1 for one in (*asked_of, *wanted))
    slot = proposed_slot(session) if session.proposal is not None else None
    shown = {one.date for one in session.offers if choosing and slot is None}
    # The day of a short list, as of what is nearest, is on the table if its date was named; "na terça" is any coming.
    spans = turn.spans_of(list_wish(session).filter) if 0 < len(shown) <= turn.NEAREST else ()
    days = [one.first for one in spans if one.first == one.last] if spans else []
    days = [slot.date] if slot is not None else days if len(days) == 1 else [*shown] if spans else []
    beside = days[0] if len(days) == 1 else None
    served = name_words(session.identity.name) if session.operator is not None else ()
    return Background(anchored, holding, choosing, several, beside, min(shown, default=None), frozenset(served))


def moment_noted(known: Mapping[str, str], prefix: str = "") -> Moment:
    """Return the day and the time that a question's `known` holds, as far as it does."""
    day, at = known.get(f"{prefix}date"), known.get(f"{prefix}time")
    dates = () if day is None else (date.fromisoformat(day),)
    return Moment(0, 0, dates=dates, times=() if at is None else (time.fromisoformat(at),))


def noted(day: date | None, at: time | None, prefix: str = "") -> dict[str, str]:
    """Return a day and a time for a question's `known`, as far as they are certain."""
    texts = {"date": None if day is None else day.isoformat(), "time": None if at is None else turn.clock(at)}
    return {f"{prefix}{name}": text for name, text in texts.items() if text is not None}


def wants_another_visit(said: Understanding, before: Sequence[str]) -> bool:
    """Return whether a visit of another specialty is asked for besides, which has a day and hours of its own."""
    codes = {*said.specialties} or {one.specialty for one in said.doctors.found}
    apart = before and codes and codes.isdisjoint(before) and said.relation is None and said.shift is None
    asks = said.pointer.choosing or said.cues.intents or said.doctors.found or turn.Axis.DAY in said.wishes.named
    besides = apart and asks and expression("another_visit").search(said.text.folded)
    return bool(besides) and {one.axis for one in said.wishes.tokens if one.kind is Kind.SAME} <= {turn.Axis.DOCTOR}
