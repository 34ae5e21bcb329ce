"""What words point at: a row, an hour, a price, a place, a doctor on the table, written or read as what they denote.

The rules then see an utterance that names it: "the 930 one" is an hour, "com ela" a doctor, "there" a clinic.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from itertools import zip_longest

from orchestrator import turn
from orchestrator.planner.calendar import Moment, calendar_math, read_moments
from orchestrator.planner.dialogue.on_the_table import Shown, just_cancelled, named_above, proposed_slot, shown_last
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import pattern, patterns, table
from orchestrator.planner.text import Text, normalise
from orchestrator.planner.understanding import Understanding, row_said, rows_said
from orchestrator.planner.wishes import Kind, NamedDoctor, Token


def spelled_out(utterance: str, session: turn.Session, clinics: Sequence[turn.Clinic], now: datetime) -> str:
    """Return an utterance with what points at the table, or at a day named before, written as what it denotes.

    "Sorry, 4" or "the 930 one" is an hour, unless it is a row or a day of the list; "the 310 one" is a clinic by its
    price; "dia 17 às 9 e no dia seguinte" is the 17th and the 18th.
    """
    text = normalise(utterance)
    found = [*_hours_meant(text.folded, session), *_clinics_meant(text.folded, session, clinics)]
    found += _days_after(text, now, session)
    found += [(one.span("said"), f"{one['said']}:00") for one in pattern("patterns", "hour_of_two").finditer(text.folded)]
    week = "next week" if session.language is turn.Language.EN else "semana que vem"
    found += [(one.span("next"), week) for one in pattern("patterns", "elided_week").finditer(text.folded)]
    for match, meant in sorted(found, reverse=True):
        start, end = text.original_span(*match)
        utterance = f"{utterance[:start]}{meant}{utterance[end:]}"
    return utterance


def _hours_meant(folded: str, session: turn.Session) -> Iterator[tuple[tuple[int, int], str]]:
    card = session.proposal.plan.steps[0].taken if session.proposal is not None else None
    if card is None and shown_last(session) not in {Shown.OPENINGS, Shown.QUESTION}:
        return
    corrects = card is not None and table("references", "slip").search(folded) is not None
    rows, days = {one.number for one in session.offers}, {one.date.day for one in session.offers}
    for match in (one for way in patterns("patterns", "hour_alone") for one in way.finditer(folded)):
        hour, minute = int(match["hour"]), int(match["minute"] or 0)
        hours = {one.time for one in session.offers if (one.time.hour % 12, one.time.minute) == (hour % 12, minute)}
        if card is not None and corrects:
            hours = {one.time for one in session.offers if one.time in hours and one.date == card.date} or hours
        elif match["minute"] is None and hour in rows | days:
            continue
        if len(hours) == 1:
            yield match.span("said"), turn.clock(hours.pop())
        elif card is not None and (corrects or match.group() == folded):
            yield match.span("said"), turn.clock(_nearest(card, hour, minute))


def _nearest(card: turn.Appointment, hour: int, minute: int) -> time:
    """Return the time of day nearest to a proposal that an hour without a half of the day may be."""
    halves = (time((hour + half) % 24, minute) for half in (0, 12))
    return min(halves, key=lambda at: abs(at.hour * 60 + at.minute - card.time.hour * 60 - card.time.minute))


def _clinics_meant(
    folded: str, session: turn.Session, clinics: Sequence[turn.Clinic]
) -> Iterator[tuple[tuple[int, int], str]]:
    for match in pattern("patterns", "priced").finditer(folded):
        priced = [one for one in clinics if one.details and one.details.private_price_cents == int(match["n"]) * 100]
        asked = [one for one in priced if session.asked is not None and one.id in session.asked.clinics] or priced
        if len(asked) == 1:
            yield match.span("said"), asked[0].name


def _days_after(text: Text, now: datetime, session: turn.Session) -> Iterator[tuple[tuple[int, int], str]]:
    leaned_on = proposed_slot(session) or just_cancelled(session) or named_above(session)
    for match in (one for way in patterns("patterns", "day_after") for one in way.finditer(text.folded)):
        said = [one.date for one in _moments(text.typed(0, match.start()), now, session) if one.date is not None]
        day = said[-1] if said else leaned_on.date if leaned_on is not None else None
        named = match.groupdict().get("day")
        if day is not None and named is None and said:
            yield match.span(), (day + timedelta(days=1)).isoformat()
        elif day is not None and named is not None:
            (weekday,) = (one.weekday for one in _moments(named, now, session))
            of_week = match.groupdict().get("week")
            first = calendar_math.week_of(day).first if of_week else day + timedelta(days=1)
            yield match.span(), calendar_math.coming(weekday or 0, first).isoformat()


def _moments(typed: str, now: datetime, session: turn.Session) -> tuple[Moment, ...]:
    return read_moments(normalise(typed), now, session.language)


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
    """Return an utterance with "lá" or "there" as the one clinic that was spoken of right before, or is shown."""
    asked, place = session.asked, pattern("patterns", "there").search(said.text.folded)
    if place is None or said.clinics:
        return said
    if asked is not None:
        stated = [one.clinics for one in asked.wanted if one.clinics]
        meant = frozenset.intersection(frozenset(asked.clinics), *stated)
    else:
        slot = proposed_slot(session)
        meant = frozenset(one.clinic for one in ([slot] if slot is not None else session.offers))
        meant = frozenset() if said.doctors.found or not said.pointer.other_doctor else meant
    if len(meant) != 1:
        return said
    token = Token(Kind.CONDITION, *place.span(), place.group(), turn.AtClinics(meant))
    return replace(said, clinics=tuple(meant), wishes=said.wishes.with_tokens(*said.wishes.tokens, token))


def without_doctor_of_day(said: Understanding, session: turn.Session, now: datetime) -> Understanding:
    """Return "somebody else than the Tuesday one" as a denial of the doctors who were shown on that day."""
    match = pattern("patterns", "than_one_of").search(said.text.folded) if said.pointer.other_doctor else None
    if match is None:
        return said
    weekdays = {one.weekday for one in _moments(match["day"], now, session)}
    names = frozenset(one.doctor for one in session.offers if one.date.weekday() in weekdays)
    if not names:
        return said
    start, end = match.span()
    others = {turn.Axis.DAY, turn.Axis.DOCTOR}
    kept = [one for one in said.wishes.tokens if one.end <= start and not (one.kind is Kind.OTHER and one.axis in others)]
    denied = Token(Kind.NOT, start, start), Token(Kind.CONDITION, start, end, match.group(), turn.WithDoctors(names))
    pointer = replace(said.pointer, other_doctor=False, row=False, taking=False, choosing=False)
    return replace(said, moments=(), pointer=pointer, wishes=said.wishes.with_tokens(*kept, *denied))


def with_doctor(here: Situation) -> Understanding:
    """Return the utterance with "com ela", "his first" or "the same doctor" as the doctor who is meant.

    Where something was wanted for a relative, "forget her" speaks of the relative, and of no doctor.
    """
    said, question = here.said, here.session.question
    tokens = said.wishes.tokens
    leaning = [one for one in tokens if one.kind is Kind.SAME and one.axis is turn.Axis.DOCTOR]
    if question is not None and question.for_whom is not None and table("wishes", "for_me").search(said.text.folded):
        ends = {one.start for one in leaning}
        kept = [one for one, after in zip_longest(tokens, tokens[1:]) if not ends & {one.start, after and after.start}]
        return replace(said, wishes=said.wishes.with_tokens(*kept)) if leaning else said
    spans = [(one.start, one.end) for one in leaning]
    spans += [one.span() for one in table("references", "same_doctor").finditer(said.text.folded)]
    doctor = doctor_meant(here, " ".join(said.text.folded[start:end] for start, end in spans)) if spans else None
    if doctor is None or said.doctors.found:
        return said
    named = turn.WithDoctors(frozenset({doctor.name}))
    rest = [one for one in tokens if one not in leaning]
    start, end = spans[0]
    wishes = said.wishes.with_tokens(*rest, Token(Kind.CONDITION, start, end, said.text.folded[start:end], named))
    if wishes.denied:
        return replace(said, wishes=wishes)
    return replace(said, wishes=wishes, doctors=replace(said.doctors, found=(doctor,), spans=((start, end),)))


def doctor_meant(here: Situation, words: str = "") -> NamedDoctor | None:
    """Return the doctor of the open question, of all that was shown, or of what was written last, of that gender."""
    woman = None if not (match := pattern("patterns", "of_gender").search(words)) else match["woman"] is not None
    session = here.session
    written = (*session.appointments[-1:], *filter(None, [just_cancelled(session)]))
    shown = {one.doctor for one in session.offers if woman in {None, turn.is_woman(one.doctor)}}
    card = () if here.proposed is None else (here.proposed.doctor,)
    before = {one.doctor for one in session.known_openings}
    names = [*card, here.known.get("doctor", ""), *(shown if len(shown) == 1 else ()), *(one.doctor for one in written)]
    names += before if len(before) == 1 else ()
    fitting = (one for one in names if woman in {None, turn.is_woman(one)})
    return next((doctor for name in fitting if (doctor := here.doctor_called(name)) is not None), None)
