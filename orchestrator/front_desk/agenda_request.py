"""Read what an operator says: whom they serve; times to open or close, a day to list, appointments to move."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from orchestrator.front_desk.agenda_words import WEEKDAYS
from orchestrator.planner.about_self import read_habit
from orchestrator.planner.calendar import Moment, read_moments
from orchestrator.planner.lexicon import pattern, table
from orchestrator.planner.lexicon import words as names
from orchestrator.planner.text import Text, calendar_language, guess_language, normalise
from orchestrator.planner.wishes import find_clinics, find_doctors, name_words
from orchestrator.turn import AgendaProposal, Clinic, Identity, Language, Role, Served, Session, Step, ToolCall, clock

_REASONS = ("illness", "leave", "holiday", "training", "maintenance")


def served_in(said: str) -> Served | None:
    """Return whom an operator says that they serve now ("vou atender a Maria Silva, CPF …"); None for anything else."""
    text = normalise(said)
    for match in filter(None, (pattern("front_desk", one).fullmatch(text.folded) for one in ("served", "patient"))):
        start, end = text.original_span(*match.span("name"))
        # A name has two words that begin with capitals: "vou atender o telefone" serves nobody.
        words = {*(name := text.original[start:end]).split()} - names("no_name", "front_desk")
        if len(words) > 1 and all(word[0].isupper() for word in words):
            return Served(name, match["cpf"])
    return None


def names_patient(said: str, session: Session, clinics: Sequence[Clinic]) -> bool:
    """Return whether another person than the one who is served is meant, by their CPF or by their name."""
    own, doctors = session.identity, (doctor for clinic in clinics for doctor in clinic.doctors)
    known = {*name_words("; ".join((own.name, *doctors))), own.cpf, re.sub(r"\D", "", own.cpf)}
    found = [one for named in pattern("front_desk", "named").findall(said) for one in named if one]
    found += pattern("front_desk", "first_name").findall(normalise(said).folded)
    return any(not {*name_words(one), *re.findall(r"\d.*", one)} <= known for one in found)


def ends_serving(said: str) -> bool:
    """Return whether an operator says that they are done with whom they serve."""
    return table("front_desk", "done").search(normalise(said).folded) is not None


def session_for(session: Session, patient: Identity | None) -> Session:
    """Return the empty session in which an operator serves a patient; None: in which they serve nobody."""
    operator = session.operator or session.identity
    return Session(
        patient or operator,
        role=Role.OPERATOR,
        language=session.language,
        pinned_language=session.pinned_language,
        page=session.page,
        operator=None if patient is None else operator,
    )


@dataclass(frozen=True, slots=True)
class ListDay:
    """List a day of some clinics, of one doctor or of all."""

    steps: Sequence[Step]


@dataclass(frozen=True, slots=True)
class AskAgain:
    """Ask for what a change lacks; `doctors` are those whom a name may be."""

    doctors: Sequence[str] = ()


AgendaRequest = AgendaProposal | ListDay | AskAgain
"""A proposal of a change; one without a change is to move those whom the last closing left in its way."""


def read_request(said: str, language: Language, clinics: Sequence[Clinic], now: datetime) -> AgendaRequest | None:
    """Return what is asked of an agenda; None for anything else. `now` is in America/Sao_Paulo."""
    text = normalise(said)
    spoken = calendar_language(text, guess_language(text, language))
    moments = read_moments(text, now.replace(tzinfo=None), spoken)
    when = next((moment for moment in moments if moment.exists), Moment(0, 0))
    named = find_doctors(text, clinics)
    doctors, signed = named.found, _with_signs(text.folded, named.spans, moments)
    kind = next((one for one in ("away", "close", "open", "day") if pattern("front_desk", one).search(signed)), "")
    if kind == "day":
        return _day(text, when, clinics, [(one.clinic, one.name) for one in doctors], now.date())
    if kind and doctors:
        if len(doctors) > 1 and len({one.name for one in doctors}) > 1:
            return AskAgain([one.name for one in doctors])
        arguments = _opening(text, when, spoken, now) if kind == "open" else _closing(text, when, kind, now.date())
        if arguments is None:
            return AskAgain()
        call = ToolCall("open_slots" if kind == "open" else "close_slots", {"doctor": doctors[0].name, **arguments})
        moves = kind == "away" or (kind == "close" and table("front_desk", "move").search(text.folded) is not None)
        return AgendaProposal(Step(1, doctors[0].clinic, call), proposes_moves=moves)
    return AgendaProposal() if not doctors and not moments and table("front_desk", "move").search(text.folded) else None


def _with_signs(folded: str, doctors: Sequence[tuple[int, int]], moments: Sequence[Moment]) -> str:
    """Return what was said with a sign for each doctor, and for each moment in which no doctor is named."""
    apart = [one for one in moments if all(one.end <= start or end <= one.start for start, end in doctors)]
    signs = [(*span, "drx") for span in doctors] + [(one.start, one.end, "dayx") for one in apart]
    for start, end, sign in sorted(signs, reverse=True):
        folded = folded[:start] + sign + folded[end:]
    return folded


def _day(
    text: Text, when: Moment, clinics: Sequence[Clinic], doctors: Sequence[tuple[str, str]], today: date
) -> ListDay:
    named, _ = find_clinics(text, clinics)
    day = when.dates[0] if when.dates else when.days[0].first if when.days else today
    places: Sequence[tuple[str, str]] = doctors or [(clinic, "") for clinic in named or [each.id for each in clinics]]
    given = {"date": day.isoformat()}
    steps = [
        Step(number, clinic, ToolCall("list_agenda", given | {"doctor": doctor} if doctor else given))
        for number, (clinic, doctor) in enumerate(places, 1)
    ]
    return ListDay(steps)


def _opening(text: Text, when: Moment, language: Language, now: datetime) -> Mapping[str, str | tuple[str, ...]] | None:
    times = tuple(clock(at) for at in when.times)
    if times and when.days:
        span = when.days[0]
        habit = read_habit(text.folded, now.replace(tzinfo=None), language, always=True).weekdays
        weekdays = tuple(WEEKDAYS[day] for day in sorted(habit))
        ends = {"first_date": span.first.isoformat(), "last_date": span.last.isoformat()}
        return {"times": times, "weekdays": weekdays, **ends} if weekdays else None
    return {"times": times, "dates": (when.dates[0].isoformat(),)} if times and when.dates else None


def _closing(text: Text, when: Moment, kind: str, today: date) -> Mapping[str, str] | None:
    spans = [(max(one.first, today), one.last) for one in when.days] or [(one, one) for one in when.dates]
    if not spans and kind == "away":
        spans = [(today, today)]
    first, last = spans[0] if spans else (date.max, date.min)
    if last < first:
        return None
    found = next((one for one in _REASONS if table("front_desk", one).search(text.folded)), None)
    given = {"date": first.isoformat(), "reason": f"CLOSING_REASON_{(found or 'other').upper()}"}
    if last != first:
        given["last_date"] = last.isoformat()
    hours = [(span.first, span.last) for span in when.hours] + [(at, _minute_after(at)) for at in when.times]
    if hours:
        begin, end = hours[0]
        end = _minute_after(end) if end.minute == 59 else end  # "à tarde" is until 17:59, "das 9h às 11h" until 11:00
        given["first_time"] = clock(begin)
        if end > begin:  # after the last minute of a day comes midnight
            given["last_time"] = clock(end)
    return given


def _minute_after(at: time) -> time:
    return (datetime.combine(date.min, at) + timedelta(minutes=1)).time().replace(second=0, microsecond=0)
