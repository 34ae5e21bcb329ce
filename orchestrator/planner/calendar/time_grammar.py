"""The forms of saying a time or a part of the day; without "da tarde" or "pm" a time stays open (`Clock.open`)."""

import re
from dataclasses import replace
from datetime import time

from orchestrator.planner.calendar.moments import Clock, Hours, Reference, Value, forms, pattern
from orchestrator.planner.lexicon import pairs
from orchestrator.turn import Language, TimeRange

_Match = re.Match[str]
_HOURS = pairs("calendar_forms", "parts").items()
_PARTS = {part: TimeRange(*map(time.fromisoformat, hours.split("-"))) for part, hours in _HOURS}

CLINIC_DAY = TimeRange(time(7), time(19, 59))  # an open time of day ("às 9") is read within these hours where it can be
_BEFORE_NOON = frozenset({"dawn", "early", "morning", "midmorning", "latemorning"})

_NAMED_HOURS = {part: Hours(span, part) for part, span in _PARTS.items()} | {
    "AM": Hours(_PARTS["morning"]),
    "PM": Hours(TimeRange(time(12), time.max)),
    "BEGIN": Hours(_PARTS["early"], "early"),
    "END": Hours(_PARTS["late"], "late"),
}
_UNTIL = frozenset({"until", "till", "as", "ate"})
_SAYS_HOURS = pattern("says_hours")


def _clock(m: _Match, _: Reference) -> Clock | None:
    said = m.groupdict()
    exact = said["hour"].startswith("0")
    clock = clock_at(_hour(said["hour"]), _minutes(said.get("minute")), said.get("meridian") or None, exact=exact)
    return in_part(clock, said["part"]) if clock and said.get("part") else clock


def clock_at(hour: int, minute: int, meridian: str | None, *, exact: bool = False) -> Clock | None:
    """Return a time of day; None where no clock shows it. `exact` is for "09:00", which can only be the morning."""
    if hour > 24 or minute > 59:
        return None
    if meridian is not None and hour <= 12:
        return Clock(hour % 12 + (0 if meridian == "AM" else 12), minute, open=False)
    return Clock(hour % 24, minute, open=1 <= hour <= 11 and not exact)


def _minutes(said: str | None) -> int:
    return {"HALF": 30, "QUARTER": 15}.get(said or "") or int(re.sub(r"\D", "", said or "0"))


def _run_together(m: _Match, _: Reference) -> Value | None:
    hour, minute = divmod(int(m["digits"]), 100)
    return clock_at(hour, minute, m["meridian"] or None)


def _to_the_hour(m: _Match, _: Reference) -> Value | None:
    hour = _hour(m["hour"])
    clock = clock_at((hour - 1) if hour > 1 else 12, 60 - _minutes(m["before"]), m["meridian"] or None)
    return in_part(clock, m["part"]) if clock and m["part"] else clock


def _hour(said: str) -> int:
    return {"NOON": 12, "MIDNIGHT": 24}.get(said) or int(said)


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
        hour = hour % 12 + (0 if part in _BEFORE_NOON else 12)
    return replace(clock, hour=hour, open=False)


def _between_hours(m: _Match, _: Reference) -> Value | None:
    if not _is_range_of_hours(m):
        return None
    part, last = m["part"], _bound(m, "2", m["meridian2"])
    for meridian in (m["meridian"] or m["meridian2"], m["meridian"]):
        first = _bound(m, "", meridian)
        if first is None or last is None:
            return None
        start, end = (likeliest(in_part(clock, part) if part else clock) for clock in (first, last))
        if start >= end and last.open and not part:
            end = time(last.hour + 12, last.minute)
        if start >= end and first.open and not part:
            start = time(first.hour, first.minute)  # a shift from 6 to 2
        if start < end:
            return Hours(TimeRange(start, end))
    return None


def _is_range_of_hours(m: _Match) -> bool:
    before = m.string[: m.start()]
    two_hours = m["joint"] in {"e", "and"} and not (m["lead"] or "").startswith(("entre", "between"))
    if two_hours or (m["joint"] == "to" and pattern("moving").search(before)):
        return False
    beside_a_day = pattern("day_before").search(before) or pattern("day_after").match(m.string, m.end())
    if m["part"] or (not before.strip() and m["lead"]) or beside_a_day or m["joint"] == " ":  # "umas 10 11"
        return True
    if m["lead"]:
        hours = m["hour"], m["hour2"]  # "Entre 2 e 4", but not "entre 3 e 10", which nobody says of an afternoon
        within = all(map(str.isdigit, hours)) and not int(hours[0]) < CLINIC_DAY.first.hour <= int(hours[1])
        says_ends = within and m["lead"].startswith(("entre", "between", "from"))
        return says_ends or m["joint"] in _UNTIL or _SAYS_HOURS.search(m.group()) is not None
    return _SAYS_HOURS.search(m["second"] if m["joint"] == "a" else m.group()) is not None


def _bound(m: _Match, which: str, meridian: str | None) -> Clock | None:
    return clock_at(_hour(m[f"hour{which}"]), _minutes(m[f"minute{which}"]), meridian)


def _second_of_two(m: _Match, ref: Reference) -> Value | None:
    return _clock(m, ref) if pattern("clocks_before").search(m.string[: m.start()]) else None


def _hour_and_minutes(m: _Match, ref: Reference) -> Value | None:
    hour = int(m["hour"])
    spoken = ref.language is Language.EN and 1 <= hour <= 12
    return _clock(m, ref) if spoken or m["meridian"] else None


def _no_clock(_m: _Match, _: Reference) -> Value:
    return Clock(0, 0, open=False, exists=False)


def _named_hours(m: _Match, _: Reference) -> Value:
    return _NAMED_HOURS[m["name"]]


def readings(clock: Clock) -> tuple[time, ...]:
    """Return the times that a clock may mean, the likeliest first, in the clinics' day where possible; maybe none."""
    if not clock.exists:
        return ()
    if not clock.open:
        return (time(clock.hour, clock.minute),)
    both = (time(clock.hour, clock.minute), time(clock.hour + 12, clock.minute))
    return tuple(at for at in both if at in CLINIC_DAY) or both


def between(first: Clock, last: Clock) -> Hours | None:
    """Return the stretch from one time to another: it is a short one where the first may be of both halves."""
    end = likeliest(last)
    starts = [at for at in (likeliest(first), *readings(first)) if at < end]
    return Hours(TimeRange(max(starts), end)) if starts else None


def likeliest(clock: Clock) -> time:
    """Return the likeliest reading: up to six o'clock people mean the afternoon."""
    return time(clock.hour + 12 if clock.open and clock.hour < 7 else clock.hour, clock.minute)


RULES = forms("times", globals())
