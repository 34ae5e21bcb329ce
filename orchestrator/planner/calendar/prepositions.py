"""What the words before a value make of it: a stretch ("depois das 15h"), an exclusion, one end of a move."""

from __future__ import annotations

import re
from datetime import date, time, timedelta

from orchestrator.planner.calendar import time_grammar
from orchestrator.planner.calendar.moments import Clock, Day, Days, Hours, MomentRole, Value, Weekday
from orchestrator.turn import DateRange, Language, TimeRange

FILLER = r"(?: (?:[oa]s?|d[aeo]s?|n[ao]s?|em|on|in|at|the|for|UDAY|vez))* ?$"
"""Little words that may stand between a preposition and its value."""

_EXCEPT = re.compile(
    r"\b(?:menos|exceto|fora|sem ser|tirando|que nao seja|except|excluding|but not|not|other than|but|"
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
_AFTER = re.compile(r"\b(?:a partir|depois|apos|passad[ao]|after|since|later than|not before)" + FILLER)
_FROM = re.compile(r"\b(?:de|from)" + FILLER)
_ONWARDS = re.compile(r" ?(?:em diante|onwards?|on\b|or later|and later|para frente|ou depois|ou mais tarde)")
_NEXT_DAY_ON = re.compile(r"\b(?:depois d[aeo]s?|apos|after)" + FILLER)
_UNTIL = re.compile(r"\b(?:ate|no maximo|antes|until|till|before|by|no later than)" + FILLER)
_BEFORE = re.compile(r"\b(?:antes|before)" + FILLER)
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
    """Return a value, or the open stretch that the words before (`lead`) and after (`rest`) make of it."""
    starts = bool(_AFTER.search(lead)) or bool(_FROM.search(lead) and _ONWARDS.match(rest))
    if not starts and not _UNTIL.search(lead):
        return value
    match value:
        case Day(dates=dates) | Weekday(dates=dates) if dates:
            return _open_days(dates[0], lead, today, starts=starts)
        case Hours(part="lunch"):
            return Hours(_AFTER_LUNCH if starts else _BEFORE_LUNCH)
        case Clock():
            return _open_hours(time_grammar.likeliest(value), lead, starts=starts)
        case _:
            return value


def _open_days(day: date, lead: str, today: date, *, starts: bool) -> Days:
    if starts:
        return Days(DateRange(day + timedelta(days=1 if _NEXT_DAY_ON.search(lead) else 0), date.max))
    last = day - timedelta(days=1) if _BEFORE.search(lead) else day
    return Days(DateRange(min(today, last), last))


def _open_hours(at: time, lead: str, *, starts: bool) -> Hours:
    if starts:
        return Hours(TimeRange(at, time.max))
    return Hours(TimeRange(time.min, _minute_before(at) if _BEFORE.search(lead) else at))


def _minute_before(at: time) -> time:
    minutes = max(at.hour * 60 + at.minute - 1, 0)
    return time(minutes // 60, minutes % 60)
