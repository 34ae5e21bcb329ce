"""Read amounts of time relative to an appointment: "adiar uma semana", "uma hora mais cedo", "no dia seguinte"."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.lexicon import expression, spelled_numbers
from orchestrator.turn import DateRange

_MINUTES = {"min": 1, "hour": 60}
_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_UNITS = (*_MINUTES, *_DAYS, "month")
_FIXED = (("next_day", 1), ("previous_day", -1), ("next_week", 7), ("previous_week", -7))


@dataclass(frozen=True, slots=True)
class Shift:
    """An amount of time from an appointment; negative amounts are earlier."""

    start: int  # where it begins in `Text.folded`
    end: int  # where it ends there (exclusive)
    days: int = 0
    minutes: int = 0
    months: int = 0
    keeps_time: bool = True  # the time of day stays ("adiar uma semana", not "no dia seguinte")
    whole_week: bool = False  # any day of that week will do ("na semana seguinte")

    def __str__(self) -> str:
        """Return what `parse_shift` reads, without the place in a text."""
        return f"{self.days} {self.minutes} {self.months} {self.keeps_time:d} {self.whole_week:d}"

    def moved(self, day: date, at: time) -> tuple[date, time] | None:
        """Return the day and time that an appointment moves to; None beyond the calendar."""
        try:
            month = calendar_math.add_months(day, self.months)
            there = datetime.combine(month, at) + timedelta(days=self.days, minutes=self.minutes)
        except (OverflowError, ValueError):
            return None
        return there.date(), there.time()

    def span(self, day: date, at: time) -> DateRange | None:
        """Return the days that an appointment may move to."""
        there = self.moved(day, at)
        if there is None:
            return None
        return calendar_math.week_of(there[0]) if self.whole_week else DateRange(there[0], there[0])


def parse_shift(noted: str) -> Shift:
    """Return a shift from its `str`; raise ValueError when it is none."""
    days, minutes, months, keeps_time, whole_week = map(int, noted.split())
    return Shift(0, 0, days, minutes, months, bool(keeps_time), bool(whole_week))


def find_shift(folded: str) -> Shift | None:
    """Return the first amount that something is moved by."""
    for section, days in _FIXED:
        match = expression(section).search(folded)
        if match is not None:
            return Shift(*match.span(), days=days, keeps_time=False, whole_week=section.endswith("_week"))
    counted = (_counted(match) for match in expression("amount").finditer(folded))
    return next((shift for shift in counted if shift is not None), None)


def _counted(match: re.Match[str]) -> Shift | None:
    directions = (("later", 1), ("earlier", -1), ("later_verb", 1), ("earlier_verb", -1))
    sign = next((way for name, way in directions if match[name]), 0)
    if sign == 0:
        return None
    said = match["count"]
    count = sign * (int(said) if said.isdigit() else spelled_numbers().get(said, 1))
    start, end = match.start("count"), match.end()
    unit = next(name for name in _UNITS if match[name])
    if unit in _MINUTES:
        half = 30 if match["half"] else 0
        minutes = 30 if match["count"] in {"meia", "half an", "half a"} else abs(count) * _MINUTES[unit] + half
        return Shift(start, end, minutes=sign * minutes)
    return Shift(start, end, days=count * _DAYS[unit]) if unit in _DAYS else Shift(start, end, months=count)
