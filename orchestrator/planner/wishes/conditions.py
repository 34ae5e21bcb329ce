"""Find the conditions that an utterance names: doctors, clinics, specialties, days and times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, time, timedelta
from itertools import pairwise

from orchestrator.planner.calendar import (
    Clock,
    Day,
    Days,
    Hours,
    Instant,
    Reference,
    Value,
    Weekday,
    bounded,
    days_and_times,
    in_part,
    readings,
    rewrite,
)
from orchestrator.planner.text import Text, blanked
from orchestrator.planner.wishes.named_entities import clinics_at, doctors_at, specialties_at
from orchestrator.planner.wishes.wish_tokens import Kind, Token
from orchestrator.turn import (
    AtClinics,
    AtTimes,
    Clinic,
    Condition,
    DateRange,
    Filter,
    OfSpecialty,
    OnDates,
    OnWeekdays,
    TimeRange,
    WithDoctors,
)

_TITLE_BEFORE = re.compile(r"(?:d[ra]+|doutora?|doctor|doc)\.? $")
_NOT_BOUNDED = re.compile(
    r"\b(?:(?:mas |but )?(?:not|nao)(?: \w+)?|no) (?=(?:antes|before|depois|apos|after|ate|until|later|earlier)\b)"
)
_ASKED_FOR = re.compile(
    r"\bnao (?:tem|tinha|tera|teria|ha|haveria|sobrou)(?: mais)? (?:nada|algo|algum\w*|nenhum\w*)\b"
)
_DENIAL = re.compile(r"\b(?:not|nao)\b ?")
_SAID_BOUND = re.compile(
    r"(?<![a-z])(?:a partir|starting|beginning|as of|depois|apos|after|ate|antes|before|by|until"
    r"|till|no maximo|not before|no later than|no earlier than)"
    r"[^,_]{0,16}$"
)
_SAID_BOUND_BEHIND = re.compile(
    r",? (?:at the (?:earliest|latest)|no maximo|no mais tardar|at most|em diante|onwards?|on|or later|and later"
    r"|para frente|ou (?:depois|mais tarde))(?![a-z])"
)
_PHRASES: tuple[tuple[re.Pattern[str], Condition], ...] = (
    (
        re.compile(
            r"(?<![a-z])(?:dias? de semana|dias? uteis|weekdays?|working days|business days"
            r"|during the week(?! of)|durante a semana(?! (?:que|d[aeo]|passada|seguinte)(?![a-z]))"
            r"|no meio de semana)(?![a-z])"
        ),
        OnWeekdays(frozenset(range(5))),
    ),
    (
        re.compile(
            r"(?<![a-z])(?:too early|(?:muito|tao|cedo) (?:cedo|demais)|acordar cedo|early)(?![a-z])(?! (?:as|que))"
        ),
        AtTimes((TimeRange(time(6), time(9, 59)),)),
    ),
)
_LONE_HOUR = re.compile(
    r"(?<![\d:/h.,-])(?P<hour>\d{1,2})(?! ?(?:[/:h.,-]?\d|de |dias?|semanas?|weeks?|days?|consultas?"
    r"|[a-z]+day|a\b|o\b|%|anos|years))"
)
_BOTH = re.compile(r"(?<![a-z])(?:as duas|os dois|as 2|os 2)(?![a-z0-9]| ?(?:h|da tarde|e meia))")
_NEAR = 24  # characters within which a part of the day settles an hour


def find_conditions(text: Text, clinics: Sequence[Clinic], reference: Reference) -> list[Token]:
    """Return the conditions of an utterance, in their order; none of them overlap."""
    found: list[Token] = []
    for start, end, wanted in _named(text, clinics):
        if not any(token.start < end and start < token.end for token in found):
            found.append(Token(Kind.CONDITION, start, end, text.folded[start:end], wanted))
    named = [token.wanted for token in found if isinstance(token.wanted, OfSpecialty)]
    both = [match.span() for match in _BOTH.finditer(text.folded)] if len(set(named)) > 1 else []
    hidden = blanked(text.folded, [*((token.start, token.end) for token in found), *both])
    found += _days_and_times(replace(text, folded=hidden), reference)
    for pattern, wanted in _PHRASES:
        for match in pattern.finditer(hidden):
            if not any(token.start < match.end() and match.start() < token.end for token in found):
                found.append(Token(Kind.CONDITION, *match.span(), match.group(), wanted))
    return sorted(found, key=lambda token: token.start)


def _named(text: Text, clinics: Sequence[Clinic]) -> Iterator[tuple[int, int, Condition]]:
    for start, end, doctors in doctors_at(text, clinics):
        title = _TITLE_BEFORE.search(text.folded[:start])
        yield title.start() if title else start, end, WithDoctors(frozenset(doctor.name for doctor in doctors))
    for start, end, clinic in clinics_at(text, clinics):
        yield start, end, AtClinics(frozenset({clinic}))
    for start, end, code in specialties_at(text.folded):
        ids = frozenset(clinic.id for clinic in clinics if clinic.specialty == code)
        if ids:
            yield start, end, OfSpecialty(code, ids)


def _days_and_times(text: Text, reference: Reference) -> Iterator[Token]:
    lexemes = rewrite(text, reference.language)
    symbols, folded = lexemes.symbols, text.folded
    values: list[tuple[int, int, Value, bool]] = []
    before = 0
    for atom, core in days_and_times(symbols, reference):
        lead = _ASKED_FOR.sub("", symbols[before:core])
        lead = re.sub(r"\b(?:not|no) later than", "until", lead)
        lead = re.sub(r"\b(?:not|no) earlier than", "after", lead)
        denial = _NOT_BOUNDED.search(lead)
        value = bounded(atom.value, _DENIAL.sub("", lead), symbols[atom.end :], reference.today)
        denied = denial is not None and value is not atom.value
        start, end = lexemes.folded_span(core, atom.end)
        if denied:
            said = [match.start() for match in _NOT_BOUNDED.finditer(folded[:start])]
            start = said[-1] if said else start
        elif value is not atom.value and (said_bound := _SAID_BOUND.search(folded[:start])):
            start = said_bound.start()
        elif value is not atom.value and (said_bound := _SAID_BOUND_BEHIND.match(folded, end)):
            end = said_bound.end()
        values.append((start, end, value, denied))
        before = atom.end
    for place, (start, end, value, denied) in enumerate(values):
        condition = _condition(value, _part_beside(values, place))
        wanted: Filter = _complement(condition) if denied else condition
        yield Token(Kind.CONDITION, start, end, folded[start:end], wanted)


def _part_beside(values: list[tuple[int, int, Value, bool]], place: int) -> str | None:
    start = values[place][0]
    beside = values[max(0, place - 1) : place + 2]
    parts = [one[2].part for one in beside if isinstance(one[2], Hours) and abs(one[0] - start) < _NEAR]
    return next((part for part in parts if part is not None), None)


def _condition(value: Value, part: str | None) -> OnDates | OnWeekdays | AtTimes:
    match value:
        case Weekday(weekday=weekday, dates=dates):
            return OnWeekdays(frozenset({weekday}), dates[:1])
        case Day(dates=dates):
            return OnDates(tuple(DateRange(day, day) for day in dates))
        case Days(span=span, otherwise=otherwise):
            return OnDates((span,) if otherwise is None else (span, otherwise))
        case Clock():
            clock = in_part(value, part) if part and value.open else value
            return at_times(readings(clock))
        case Hours(span=hours):
            return AtTimes((hours,))
        case Instant(date=day):
            return OnDates((DateRange(day, day),))


def at_times(times: Sequence[time]) -> AtTimes:
    """Return the condition that the time is one of some."""
    return AtTimes(tuple(TimeRange(at, at) for at in times))


def _complement(condition: OnDates | OnWeekdays | AtTimes) -> OnDates | OnWeekdays | AtTimes:
    # "Not after 4" and "not before 10" include what they name.
    match condition:
        case AtTimes((TimeRange(first, last),)) if last >= time(23, 59):
            return AtTimes((TimeRange(time.min, first),))
        case AtTimes((TimeRange(_, last),)):
            minutes = last.hour * 60 + last.minute + 1
            return AtTimes((TimeRange(time(minutes // 60, minutes % 60), time.max),))
        case OnDates((DateRange(first, last),)) if last == date.max:
            return OnDates((DateRange(date.min, first - timedelta(days=1)),))
        case OnDates((DateRange(_, last),)):
            return OnDates((DateRange(last + timedelta(days=1), date.max),))
        case _:
            return condition


def lone_hours(folded: str, tokens: Sequence[Token]) -> Iterator[Token]:
    """Return bare numbers that continue a list of hours, or that a denial excludes: "às 9 ou 10", "not 9 but 10"."""
    for left, right in pairwise([*tokens, Token(Kind.STOP, len(folded), len(folded))]):
        follows_hour = isinstance(left.wanted, AtTimes) or (left.kind in {Kind.OR, Kind.AND, Kind.COMMA})
        if not (left.kind in {Kind.NOT, Kind.EXCEPT, Kind.BUT, Kind.CORRECTING} or follows_hour):
            continue
        hours = [one for one in tokens if isinstance(one.wanted, AtTimes) and one.end <= left.end]
        if follows_hour and not hours:
            continue
        gap = folded[left.end : right.start]
        match = re.fullmatch(rf" *(?:(?:as|at|a|o|the|de|das) )?{_LONE_HOUR.pattern} *", gap)
        if match and 1 <= int(match["hour"]) <= 20:
            hour = int(match["hour"])
            start = left.end + match.start("hour")
            times = at_times(readings(Clock(hour, 0, open=hour < 13)))
            yield Token(Kind.CONDITION, start, start + len(match["hour"]), match["hour"], times)
