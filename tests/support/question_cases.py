"""Questions about openings as a file of sentences writes them, and the agenda that they are asked over."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from orchestrator.responder import OpeningSnapshot
from orchestrator.turn import (
    ANY_OPENING,
    AskedOfAll,
    AtClinics,
    AtTimes,
    Beside,
    Best,
    Clinic,
    Compare,
    Condition,
    DateRange,
    DaysOfBoth,
    Filter,
    Fits,
    Gap,
    Not,
    OfAll,
    Offer,
    OnDates,
    OnWeekdays,
    OpeningQuestion,
    OpeningScope,
    Order,
    Pick,
    TimeRange,
    Treats,
    WithDoctors,
    all_of,
)
from tests.support.repository_clinics import WORDS

FOLDER = Path(__file__).parents[2]
TODAY = date(2025, 7, 15)
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MINUTE = timedelta(minutes=1)

Case = Mapping[str, Any]


def cases() -> tuple[Case, ...]:
    """Return the sentences with the questions that they answer."""
    lines = (FOLDER / "tests/sentences/opening_questions.jsonl").read_text("utf-8").splitlines()
    return tuple(map(json.loads, lines))


@cache
def blueprint_clinics() -> Mapping[str, tuple[Clinic, tuple[Offer, ...]]]:
    """Return each clinic by its letter, with the doctors and openings of the blueprint's agenda."""
    found = {}
    for path in sorted((FOLDER / "clinics").glob("clinic_?/clinic.json")):
        told = json.loads(path.read_text("utf-8"))
        doctors = tuple(dict.fromkeys(one["doctor"] for one in told["blueprint"]))
        clinic = Clinic(told["id"], told["name"], told["specialty"], doctors, words=WORDS[told["specialty"]])
        openings = tuple(
            Offer(0, clinic.id, one["doctor"], told["label"], date.fromisoformat(one["date"]), _time(one["time"]))
            for one in told["blueprint"]
        )
        found[clinic.id[-1]] = clinic, openings
    return found


def snapshot_of(letters: str, silent: str = "", list_filter: Filter = ANY_OPENING) -> OpeningSnapshot:
    """Return what is known once the clinics of some letters were asked; the list on the screen is what fits."""
    agenda = blueprint_clinics()
    found = [one for letter in letters if letter not in silent for one in agenda[letter][1]]
    found.sort(key=lambda one: (one.date, one.time, one.clinic))
    openings = tuple(
        Offer(at, one.clinic, one.doctor, one.specialty, one.date, one.time) for at, one in enumerate(found, 1)
    )
    return OpeningSnapshot(
        openings,
        tuple(clinic for clinic, _ in agenda.values()),
        frozenset(f"clinic_{letter}" for letter in letters),
        TODAY,
        frozenset(f"clinic_{letter}" for letter in silent),
        frozenset(one.number for one in openings),
        list_filter,
    )


def question_of(said: Case, openings: Sequence[Offer]) -> OpeningQuestion:
    """Return a question as it is written: {"ask": "count", "where": ["date before 2025-07-21"]}."""
    slots = {one.number: one.slot for one in openings}
    scope, named = scope_of_case(said), tuple(slots[one] for one in said.get("numbers", ()))
    sides = tuple(map(_condition, said.get("sides", ())))
    made: Mapping[str, Callable[[], OpeningQuestion]] = {
        "count": lambda: AskedOfAll(OfAll.COUNT, scope),
        "in_words": lambda: AskedOfAll(OfAll.IN_WORDS, scope),
        "span": lambda: AskedOfAll(OfAll.SPAN, scope),
        "best": lambda: _best(said),
        "pick": lambda: Pick(slots[said["number"]], _best(said)),
        "gap": lambda: Gap(named[0], named[1], said.get("at_least_days")),
        "fits": lambda: Fits(named, scope),
        "compare": lambda: Compare(scope, sides, None if said["by"] == "count" else Order(said["by"])),
        "days_of_both": lambda: DaysOfBoth(scope, sides),
        "why_not": lambda: AskedOfAll(OfAll.WHY_NOT, scope),
        "treats": lambda: Treats(said["specialty"], said["word"]),
    }
    return made[said["ask"]]()


def scope_of_case(said: Case) -> OpeningScope:
    """Return the scope of a question as it is written."""
    return OpeningScope(filter_of(said), among_shown=said.get("shown", False), quote=said.get("quote", ""))


def filter_of(said: Case) -> Filter:
    """Return a filter: all of `where`, and none of the groups of `except`."""
    where: list[Filter] = [_condition(one) for one in said.get("where", ())]
    denied = [Not(all_of(map(_condition, group))) for group in said.get("except", ())]
    return all_of([*where, *denied]) if where or denied else ANY_OPENING


def _best(said: Case) -> Best:
    return Best(scope_of_case(said), Order(said["order"]), _time(said["at"]) if "at" in said else None)


def _condition(words: str) -> Condition:
    field, relation, values = words.split(" ", 2)
    if field == "date":
        return _dates(relation, [date.fromisoformat(one) for one in values.split(",")])
    if field == "time":
        return _times(relation, _time(values))
    if field == "weekday":
        named = frozenset(map(WEEKDAYS.index, values.split(",")))
        return OnWeekdays(named if relation == "is" else frozenset(range(7)) - named)
    return WithDoctors(frozenset({values})) if field == "doctor" else AtClinics(frozenset({values}))


def _dates(relation: str, days: Sequence[date]) -> Condition:
    match relation:
        case "before":
            return Beside(datetime.combine(days[0], time.min), later=False)
        case "after":
            return Beside(datetime.combine(days[0], time(23, 59)), later=True)
        case "from":
            return OnDates((DateRange(days[0], date.max),))
        case "until":
            return OnDates((DateRange(date.min, days[0]),))
        case _:
            return OnDates(tuple(DateRange(day, day) for day in days))


def _times(relation: str, at: time) -> Condition:
    beside = datetime.combine(TODAY, at)
    match relation:
        case "before":
            return AtTimes((TimeRange(time.min, (beside - _MINUTE).time()),))
        case "after":
            return AtTimes((TimeRange((beside + _MINUTE).time(), time(23, 59)),))
        case "from":
            return AtTimes((TimeRange(at, time(23, 59)),))
        case "until":
            return AtTimes((TimeRange(time.min, at),))
        case _:
            return AtTimes((TimeRange(at, at),))


def _time(text: str) -> time:
    return time.fromisoformat(text)
