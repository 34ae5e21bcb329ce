"""The days of feasts and holidays by name: fixed ones, nth weekdays of a month, and those counted from Easter.

Names and rules are in the lexicon (`calendar_feasts.txt`); feasts of other calendars than the Gregorian are not known.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.calendar.calendar_forms import forms
from orchestrator.planner.calendar.moments import Day, Days, Reference, Value
from orchestrator.planner.lexicon import rows, sections
from orchestrator.turn import DateRange

_OTHER_CALENDARS = "other calendars"
_LAST_YEAR = date.max.year - 1
_RULE = re.compile(
    r"(?P<month>\d\d)-(?:WD(?P<weekday>\d)-(?P<nth>\d|last)|(?P<day>\d\d))|(?P<base>easter|thanksgiving)(?P<days>[+-]\d+)"
)


@cache
def feast_symbols() -> Mapping[str, str]:
    """Return the folded names of feasts, each with the symbol that `feast_days` reads."""
    return {feast: f"FEAST{at}" for at, name in enumerate(_rules()) for feast in rows("calendar_feasts", name)}


@cache
def other_calendars() -> tuple[str, ...]:
    """Return the words that make a feast one of another calendar: "Orthodox Easter"."""
    return rows("calendar_feasts", _OTHER_CALENDARS)


def feast_days(feast: int, today: date, year: int | None = None) -> tuple[DateRange, ...]:
    """Return the possible days of a feast, by the number of its symbol: in `year`, or else the next ones."""
    return tuple(_next(rule, today) if year is None else _in_year(rule, year) for rule in _rules()[feast].split(" "))


@cache
def _rules() -> tuple[str, ...]:
    return tuple(name for name in sections("calendar_feasts") if name != _OTHER_CALENDARS)


def _next(rule: str, today: date) -> DateRange:
    this_year = _in_year(rule, today.year)
    return this_year if this_year.last >= today else _in_year(rule, min(today.year + 1, _LAST_YEAR))


def _in_year(rule: str, year: int) -> DateRange:
    year = min(max(year, date.min.year + 1), _LAST_YEAR)
    first, _, last = rule.partition("..")
    return DateRange(_day(first, year), _day(last or first, year))


def _day(rule: str, year: int) -> date:
    match = _RULE.fullmatch(rule)
    if match is None:
        raise ValueError(f"no rule of a feast: {rule}")
    if match["base"]:
        base = calendar_math.easter(year) if match["base"] == "easter" else _day("11-WD3-4", year)
        return base + timedelta(days=int(match["days"]))
    month = date(year, int(match["month"]), 1)
    if match["day"]:
        return month.replace(day=int(match["day"]))
    weekday, nth = int(match["weekday"]), match["nth"]
    found = calendar_math.nth_weekday(-1 if nth == "last" else int(nth), weekday, month)
    if found is None:
        raise ValueError(f"no such day in every year: {rule}")
    return found


def _feast(m: re.Match[str], ref: Reference) -> Value:
    year = int(m["year"]) if m["year"] else ref.today.year + int(m["ahead"]) if m["ahead"] else None
    spans = feast_days(int(m["feast"]), ref.today, year)
    if any(span.first != span.last for span in spans):
        return Days(spans[0])
    return Day(tuple(sorted((span.first for span in spans), key=lambda day: day < ref.today)))


RULES = forms("feasts", globals(), needs="FEAST")
