"""The forms of saying a time or a part of the day; without "da tarde" or "pm" a time stays open (`Clock.open`)."""

from __future__ import annotations

import re
from datetime import time

from orchestrator.planner.calendar.moments import Clock, GrammarRule, Hours, Reference, Value
from orchestrator.turn import TimeRange

_Match = re.Match[str]

PARTS = {
    "dawn": TimeRange(time(0), time(5, 59)),
    "early": TimeRange(time(6), time(9, 59)),
    "morning": TimeRange(time(6), time(11, 59)),
    "lunch": TimeRange(time(11, 30), time(13, 59)),
    "afternoon": TimeRange(time(12), time(17, 59)),
    "late": TimeRange(time(16), time(18, 59)),
    "night": TimeRange(time(18), time(23, 59)),
}  # what each part of the day spans

_AT = r"(?:\b(?:as|at|pelas|umas|das|apos|around|about|circa|by|near|until|ate|before|after)|@) ?(?:as )?"
_NOUN_NEXT = (
    r"(?! ?(?:U(?!HOUR)|WD|MON|[/.,-]\d|\d|%|[a-z]*(?:consult|opc|clinic|vag|medic|especial|dat|horari|ali|que )))"
)
_HOUR = r"(?<![\d$#~])(?<!\d[.,:/])(?<!\$ )(?P<hour>\d{1,2})"
_MERIDIAN = r"(?: ?(?P<meridian>AM|PM)(?:PM|AM)?)?"
_SPOKEN_MINUTES = r"(?:5|10|15|20|25|QUARTER|\d{1,2} (?:UMIN|min))"
_IN_POD = r"(?:da |de |na |pela |a |in the |at |THIS |in |, )?"
_HALF_DAY = {"dawn": "AM", "early": "AM", "morning": "AM", "afternoon": "PM", "late": "PM", "night": "PM"}


def _clock(m: _Match, _: Reference) -> Value | None:
    groups = m.groupdict()
    hour, minute = int(groups["hour"]), _minutes(groups.get("minute"))
    return clock_at(hour, minute, groups.get("meridian") or None, exact=groups["hour"].startswith("0"))


def clock_at(hour: int, minute: int, meridian: str | None, *, exact: bool = False) -> Clock | None:
    """Return a time of day; None where no clock shows it. `exact` is for "09:00", which can only be the morning."""
    if hour > 24 or minute > 59:
        return None
    if meridian is not None and hour <= 12:
        return Clock(hour % 12 + (0 if meridian == "AM" else 12), minute, open=False)
    return Clock(hour % 24, minute, open=1 <= hour <= 11 and not exact)


def _minutes(said: str | None) -> int:
    match said:
        case None | "":
            return 0
        case "HALF":
            return 30
        case "QUARTER":
            return 15
        case _:
            return int(re.sub(r"\D", "", said))


def _run_together(m: _Match, _: Reference) -> Value | None:
    hour, minute = divmod(int(m["digits"]), 100)
    return clock_at(hour, minute, m["meridian"] or None)


def _to_the_hour(m: _Match, _: Reference) -> Value | None:
    hour = {"NOON": 12, "MIDNIGHT": 24}.get(m["hour"]) or int(m["hour"])
    return clock_at((hour - 1) if hour > 1 else 12, 60 - _minutes(m["before"]), m["meridian"] or None)


def _past_the_hour(m: _Match, _: Reference) -> Value | None:
    return clock_at(int(m["hour"]), _minutes(m["past"]), m["meridian"] or None)


def _noon(m: _Match, _: Reference) -> Value:
    return Clock(12 if m["name"] == "NOON" else 0, _minutes(m["minute"]), open=False)


def _in_part(m: _Match, _: Reference) -> Value | None:
    clock = clock_at(int(m["hour"]), _minutes(m["minute"]), None)
    return None if clock is None else in_part(clock, m["part"])


def in_part(clock: Clock, part: str) -> Clock:
    """Return a clock within a part of the day: 7 in the afternoon is 19:00, 12 at night is 0:00."""
    hour = clock.hour
    if hour > 12 or (hour == 0 and not clock.open):
        return clock
    if part == "lunch":
        hour += 12 if hour < 11 else 0
    elif part in {"night", "dawn"} and hour in {12, 1, 2, 3, 4}:
        hour %= 12
    elif hour != 12:
        hour = hour % 12 + (12 if _HALF_DAY[part] == "PM" else 0)
    return Clock(hour, clock.minute, open=False)


def _part(m: _Match, _: Reference) -> Value:
    return Hours(PARTS[m["part"]], m["part"])


def _between_hours(m: _Match, _: Reference) -> Value | None:
    first = clock_at(int(m["hour"]), _minutes(m["minute"]), m["meridian"] or m["meridian2"] or None)
    last = clock_at(int(m["hour2"]), _minutes(m["minute2"]), m["meridian2"])
    if first is None or last is None:
        return None
    start, end = likeliest(first), likeliest(last)
    return Hours(TimeRange(start, end)) if start < end else None


def likeliest(clock: Clock) -> time:
    """Return the likeliest reading: up to six o'clock people mean the afternoon."""
    hour = clock.hour + 12 if clock.open and clock.hour < 7 else clock.hour
    return time(hour, clock.minute)


_MINUTE = r" ?(?::|UHOUR) ?(?P<minute>\d{2})(?!\d)(?::\d{2})?"
_BOUND = (
    r"(?P<hour{0}>\d{{1,2}})(?: ?(?::|UHOUR) ?(?P<minute{0}>\d{{2}})(?!\d))?(?: ?UHOUR)?(?: ?(?P<meridian{0}>AM|PM))?"
)

_TO = (
    rf"(?<!das )(?<!from )(?<!dia )(?P<before>{_SPOKEN_MINUTES}) (?:para|to|til|till|before) (?:as |a |o )?"
    r"(?P<hour>\d{1,2}|NOON|MIDNIGHT)(?![\d:/]| de MON|MON)(?: ?UHOUR)?(?: ?(?P<meridian>AM|PM))?"
)
_PAST = (
    r"(?P<past>HALF|QUARTER|\d{1,2}(?: (?:UMIN|min))?) (?:past|after) (?P<hour>\d{1,2})(?!\d)"
    r"(?: ?(?P<meridian>AM|PM))?"
)
_JOINT = r" ?(?:e|and|to|as|a|ate|-) ?(?:as )?"
_A_TIME_AHEAD = (
    rf"(?=[^a-z]{{0,6}}(?:UHOUR|:|AM|PM)|\d{{1,2}}{_JOINT}\d{{1,2}} ?(?:UHOUR|:|AM|PM)|\d{{1,2}} (?:e|ate)? ?as)"
)
_BETWEEN = rf"\b(?:entre|between|from|das|de)\b(?: as)? ?{_A_TIME_AHEAD}{_BOUND.format('')}{_JOINT}{_BOUND.format('2')}"
_BEFORE_PART = r"(?: ?(?::|UHOUR) ?(?P<minute>\d{2})(?!\d)(?::\d{2})?)?(?: ?UHOUR)?"

_TABLE = (
    (_TO, _to_the_hour),
    (_PAST, _past_the_hour),
    (r"(?P<past>[1-5]?\d(?: UMIN)?) depois das (?P<hour>\d{1,2})(?!\d)(?P<meridian>)", _past_the_hour),
    (r"HALF (?P<hour>\d{1,2})(?! ?U)", lambda m, _: clock_at(int(m["hour"]), 30, None)),  # British "half three"
    (rf"{_BETWEEN}(?![\d/])", _between_hours),
    (rf"{_HOUR} (?:e|and) (?P<minute>HALF|\d{{1,2}}) {_IN_POD}POD(?P<part>[a-z]+)", _in_part),
    (rf"{_HOUR}{_BEFORE_PART} {_IN_POD}POD(?P<part>[a-z]+)", _in_part),
    (rf"{_HOUR} e (?P<minute>\d{{1,2}}|HALF) ?(?P<meridian>AM|PM)", _clock),
    (rf"{_HOUR}{_MINUTE}(?: ?(?:UHOUR|UMIN|min)s?)?{_MERIDIAN}", _clock),
    (rf"{_HOUR}\.(?P<minute>\d{{2}}) ?(?P<meridian>AM|PM)", _clock),
    (rf"(?:{_AT}|^|, ){_HOUR}\.(?P<minute>[0-5]\d)(?![\d.])", _clock),
    (rf"{_HOUR} ?(?P<meridian>AM|PM)(?:PM)?(?: e (?P<minute>HALF))?", _clock),
    (rf"{_HOUR}(?P<meridian>p)\b", _clock),
    (r"(?<![\d.,:/$])(?P<digits>\d{3,4}) ?(?P<meridian>AM|PM)", _run_together),
    (rf"{_AT}(?P<digits>\d{{3,4}})(?P<meridian>)(?![\d/])", _run_together),
    (rf"(?P<digits>\b\d{{3,4}})(?P<meridian>) {_IN_POD}POD", _run_together),
    (r"(?P<name>NOON|MIDNIGHT)(?: e (?P<minute>HALF|QUARTER|\d{1,2}))?", _noon),
    (rf"{_HOUR} ?UHOUR(?! ?\d\d)(?: e (?P<minute>HALF|\d{{1,2}}))?{_MERIDIAN}", _clock),
    (rf"{_HOUR} e (?P<minute>HALF)", _clock),
    (rf"{_AT}{_HOUR} (?:e )?(?P<minute>\d{{2}})(?!\d|:|/)(?: UMIN)?", _clock),
    (rf"{_AT}{_HOUR} e (?P<minute>\d{{1,2}})(?!\d|:|/)", _clock),
    (r"^(?P<hour>\d{1,2}) e (?P<minute>\d{1,2})$", _clock),
    (r"(?:^|for )(?P<hour>\d{1,2})[ -](?:(?:oh|zero)[ -])?(?P<minute>\d{1,2})$", _clock),
    (rf"POD(?P<part>[a-z]+)(?: at| as|,)* {_HOUR}(?P<minute>)(?![\d:/]| ?U(?!HOUR))", _in_part),
    (rf"{_AT}{_HOUR}(?P<minute>)(?![\d:]){_NOUN_NEXT}", _clock),
    (r"(?:(?<=REL\d )|(?<=WD\d ))(?P<hour>\d{1,2})(?=$|[.!?,])", _clock),
    (r"(?<![\d$#~/.,:])(?<!UDAY )(?P<hour>\d{1,2})(?= REL\d)", _clock),
    (r"POD(?P<part>[a-z]+)", _part),
)

RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _TABLE)  # the more specific first
