"""Read when something holds as a habit ("às sextas"); "na sexta" is one day and no habit."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from orchestrator.planner.calendar.moment_parser import read_moments
from orchestrator.planner.lexicon import pairs, pattern
from orchestrator.planner.text import blanked, normalise
from orchestrator.turn import DateRange, Language, TimeRange

_WEEK = 7


@dataclass(frozen=True, slots=True)
class Habit:
    """When something holds."""

    weekdays: frozenset[int]  # 0 is Monday
    times: tuple[TimeRange, ...]  # stretches of the day
    dates: tuple[DateRange, ...]  # stretches of days by the calendar
    first_weekday: int  # where the first weekday stands in the clause; -1 for none
    first_time: int  # where the first time stands
    one_day: bool  # it speaks of one day
    one_time: bool  # it speaks of one time on the clock
    rest: str  # the clause without the words that say when

    def speaks_of_days(self, only: int) -> bool:
        """Return whether "só posso", at a place, limits the times of the weekdays and not the weekdays.

        "Às quintas só posso de tarde" and "só posso de tarde às quintas" say nothing of other days.
        """
        return 0 <= self.first_weekday < only or self.first_time < self.first_weekday


def read_habit(clause: str, now: datetime, language: Language, *, always: bool) -> Habit:
    """Return when a folded clause says that something holds; `always` makes a single weekday every one."""
    found = list(_weekdays(clause, always=always))
    weekdays = frozenset(day for _, _, days in found for day in days)
    clause = blanked(clause, ((start, end) for start, end, _ in found))
    moments = read_moments(normalise(clause), now, language)
    return Habit(
        weekdays,
        tuple(span for moment in moments for span in moment.hours),
        tuple(span for moment in moments for span in moment.days),
        min((start for start, _, _ in found), default=-1),
        min((moment.start for moment in moments if moment.hours), default=-1),
        any(moment.dates or not moment.exists for moment in moments),
        any(moment.times for moment in moments),
        rest=blanked(clause, ((moment.start, moment.end) for moment in moments)),
    )


def _weekdays(clause: str, *, always: bool) -> Iterator[tuple[int, int, frozenset[int]]]:
    names = pairs("memories", "weekdays")
    for match in pattern("patterns", "habit").finditer(clause):
        if match["set"]:
            yield (*match.span(), frozenset(map(int, pairs("memories", "weekday_sets")[match["set"]].split())))
        elif match["last"]:
            first, last = int(names[match["first"]]), int(names[match["last"]])
            span = range(first, last + 1 if last >= first else last + _WEEK + 1)
            yield (*match.span(), frozenset(day % _WEEK for day in span))
        elif match["every"] or match["day"].endswith("s") or always:
            yield (*match.span(), frozenset({int(names[match["day"]])}))
