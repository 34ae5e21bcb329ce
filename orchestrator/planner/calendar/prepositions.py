"""What the words before a value make of it: a stretch ("depois das 15h"), an exclusion, one end of a move."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, time, timedelta

from orchestrator.planner.calendar import time_grammar
from orchestrator.planner.calendar.moments import Clock, Day, Days, Hours, MomentRole, Value, Weekday
from orchestrator.turn import DateRange, Language, TimeRange

FILLER = r"(?: (?:[oa]s?|d[aeo]s?|n[ao]s?|em|on|in|at|the|for|umas|uns|about|around|UDAY|vez))* ?$"
"""Little words that may stand between a preposition and its value."""

_EXCEPT = re.compile(
    r"\b(?:menos|nem|neither|nor|exceto|fora|sem ser|tirando|que nao seja|except|excluding|but not|not|other than|but|"
    r"nao (?:pode ser|(?:posso|consigo|vou poder|da para)(?: ir| vir)?|da|serve|quero|gosto)|"
    r"can not(?: do| make| come)?)" + FILLER
)
_NOT_ABLE = (
    r"(?:ja )?nao (?:posso|consigo|da|rola|serve|vou poder|vai dar|fica bom|e bom)|can not(?: do| make(?: it)?)?"
    r"|(?:does|do|will|would) not (?:work|suit|do)|(?:is|are) (?:not (?:good|possible)|no good|out|bad)"
)
_BUSY = (
    r"tenho (?:um |uma |outro )?(?:casamento|compromisso|reuniao|viagem|aula|festa|prova|plantao)|trabalho|viajo"
    r"|estou (?:viajando|trabalhando|ocupad[oa])"
    r"|(?:have|am|will be) (?:a |an |at |at a )?(?:meeting|wedding|work|class|busy|away|working|travell?ing|trip)"
)
_GOING = r"(?! (?:mais )?(?:ir|vir|comparecer|chegar|estar|come|go|attend))"
_RULED_OUT = re.compile(rf",? (?:eu |para mim |i |it )?(?:{_NOT_ABLE}|{_BUSY}){_GOING}\b")
_AFTER_LUNCH, _BEFORE_LUNCH = TimeRange(time(13), time.max), TimeRange(time.min, time(11, 59))
_SAID = r"(?: (?:any|pode ser|ser|quero|posso|consigo|da|can|do|be|want|anything|nada|ir|vir|come))*"
_NOT = rf"(?P<no>\b(?:nao|not|no|nunca|never|nem|nada|nothing){_SAID} )?"
_AFTER = re.compile(
    rf"{_NOT}\b(?:a partir|depois|apos|after|starting|beginning|as of|later than|LATER (?:do )?que)" + FILLER
)
_FROM = re.compile(r"\b(?:d[aeo]s?|from)" + FILLER)
_AT_LATEST = re.compile(r",? (?:at the latest|no maximo|no mais tardar|at most)\b")
_AT_EARLIEST = re.compile(
    r",? (?:at the earliest|em diante|onwards?|or later|and later|para frente|ou depois|ou LATER)\b"
)
_EARLIEST_LEAD = re.compile(r"\bat the earliest,?" + FILLER)
_ONWARDS = re.compile(r" ?(?:em diante|onwards?|on\b|or later|and later|para frente|ou depois|ou LATER)")
_NEXT_DAY_ON = re.compile(r"\b(?:depois d[aeo]s?|apos|after|later than)" + FILLER)
_UNTIL = re.compile(rf"{_NOT}\b(?:ate|at the latest|no mais tardar|no maximo|until|till|by|up to)" + FILLER)
_BEFORE = re.compile(rf"{_NOT}\b(?:antes|before|earlier than|sooner than|SOONER (?:do )?que)" + FILLER)
_SOURCE = {
    Language.PT: re.compile(
        r"(?:\bd[aeo]s?|(?:marcad|agendad)\w* para|\bque (?:eu )?(?:tenho|tinha|marquei|agendei))" + FILLER
    ),
    Language.EN: re.compile(r"\b(?:from|of|(?:scheduled|booked) (?:for|on|at)|i (?:have|had|booked))" + FILLER),
}
_TARGET = re.compile(r"\b(?:para|to|for|instead|melhor|prefiro)" + FILLER)


def excludes(lead: str) -> bool:
    """Return whether what follows does not suit: "menos", "not on"."""
    return _EXCEPT.search(lead) is not None


def is_ruled_out(rest: str) -> bool:
    """Return whether what goes before does not suit: "quinta não posso", "Thursday does not work"."""
    return _RULED_OUT.match(rest) is not None


def role_of(lead: str, language: Language) -> MomentRole:
    """Return which end of a move follows: "do dia 18", "para o dia 19"."""
    if _SOURCE[language].search(lead):
        return MomentRole.SOURCE
    return MomentRole.TARGET if _TARGET.search(lead) else MomentRole.UNSAID


def bounded(value: Value, lead: str, rest: str, today: date) -> Value:
    """Return a value, or the open stretch that the words before (`lead`) and after (`rest`) make of it.

    A bound that is denied is the other one with its end in it: "não antes das 10" is from 10 on.
    """
    bound = _bound(lead, rest)
    if bound is None:
        return value
    match value:
        case Day(dates=dates) | Weekday(dates=dates) if dates:
            return Days(_open_days(DateRange(dates[0], dates[0]), bound, today))
        case Days(span=span):
            return Days(_open_days(span, bound, today))
        case Hours(part="lunch"):
            return Hours(_AFTER_LUNCH if bound.starts else _BEFORE_LUNCH)
        case Clock(exists=True):
            return Hours(_open_hours(time_grammar.likeliest(value), bound))
        case _:
            return value


@dataclass(frozen=True, slots=True)
class _Bound:
    """An end of an open stretch."""

    starts: bool  # the stretch begins there
    within: bool  # the end itself belongs to the stretch, for days


def _bound(lead: str, rest: str) -> _Bound | None:
    before, after = _BEFORE.search(lead), _AFTER.search(lead)
    if before is not None:
        return _Bound(starts=before["no"] is not None, within=before["no"] is not None)
    if after is not None:
        if after["no"] is not None:
            return _Bound(starts=False, within=True)
        return _Bound(starts=True, within=_NEXT_DAY_ON.search(lead) is None)
    until = _UNTIL.search(lead)
    if until is not None:
        return _Bound(starts=until["no"] is not None, within=True)  # "not until Wednesday" is from Wednesday on
    if _AT_EARLIEST.match(rest) or _EARLIEST_LEAD.search(lead) or (_FROM.search(lead) and _ONWARDS.match(rest)):
        return _Bound(starts=True, within=True)
    return _Bound(starts=False, within=True) if _AT_LATEST.match(rest) else None


def _open_days(span: DateRange, bound: _Bound, today: date) -> DateRange:
    if bound.starts:
        return DateRange(span.first if bound.within else min(span.last, _LAST_DAY) + timedelta(days=1), date.max)
    last = span.last if bound.within else span.first - timedelta(days=1)
    return DateRange(min(today, last), last)


_LAST_DAY = date.max - timedelta(days=1)


def _open_hours(at: time, bound: _Bound) -> TimeRange:
    if bound.starts:
        return TimeRange(at, time.max)
    return TimeRange(time.min, at if bound.within else _minute_before(at))


def _minute_before(at: time) -> time:
    minutes = max(at.hour * 60 + at.minute - 1, 0)
    return time(minutes // 60, minutes % 60)
