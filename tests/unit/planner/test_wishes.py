"""What people ask for is read as filters that accept exactly the openings that are meant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest

from orchestrator.planner.calendar import Reference
from orchestrator.planner.text import correct, guess_language, normalise
from orchestrator.planner.wishes import Wishes, doctors_of
from orchestrator.planner.wishes.named_entities import name_words
from orchestrator.turn import Appointment, Filter, Language, Wish, fits
from orchestrator.turn.opening_filter import is_woman
from tests.support.repository_clinics import CLINICS

NOW = datetime.fromisoformat("2026-11-21T22:30")
HOURS = [time(hour, minute) for hour in range(8, 19) for minute in (0, 30)]
AGENDA = [
    Appointment(doctor.clinic, doctor.name, NOW.date() + timedelta(days=day), at)
    for doctor in doctors_of(CLINICS)
    for day in range(1, 30)
    for at in HOURS
]
SPECIALTY = {clinic.id: clinic.specialty for clinic in CLINICS}
NAMES = {word for doctor in doctors_of(CLINICS) for word in name_words(doctor.name)}


@dataclass(frozen=True)
class Meaning:
    """The places in the agenda of the openings that are meant."""

    places: frozenset[int]

    @classmethod
    def of(cls, accepts: Callable[[Appointment], bool]) -> Meaning:
        return cls(frozenset(place for place, slot in enumerate(AGENDA) if accepts(slot)))

    def __invert__(self) -> Meaning:
        return Meaning(frozenset(range(len(AGENDA))) - self.places)

    def __and__(self, other: Meaning) -> Meaning:
        return Meaning(self.places & other.places)

    def __or__(self, other: Meaning) -> Meaning:
        return Meaning(self.places | other.places)


def _of_hours(accepts: Callable[[time], bool]) -> Meaning:
    return Meaning.of(lambda slot: accepts(slot.time))


WORDS: dict[str, object] = {
    **{
        name: Meaning.of(lambda slot, code=code: SPECIALTY[slot.clinic] == code)  # type: ignore[misc]
        for name, code in (("cardio", "Cardiology"), ("derm", "Dermatology"), ("orto", "Orthopedics"))
    },
    **{
        name: Meaning.of(lambda slot, n=n: slot.date.weekday() == n)  # type: ignore[misc]
        for n, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))
    },
    **{
        letter: Meaning.of(lambda slot, letter=letter: slot.clinic == f"clinic_{letter.lower()}")  # type: ignore[misc]
        for letter in "ABCDEF"
    },
    "morn": _of_hours(lambda at: time(6) <= at < time(12)),
    "aft": _of_hours(lambda at: time(12) <= at < time(18)),
    "early": _of_hours(lambda at: at < time(10)),
    "late": _of_hours(lambda at: time(12) <= at < time(18)),
    "at": lambda hour: _of_hours(lambda at: at == time(hour)),
    "ge": lambda hour: _of_hours(lambda at: at >= time(hour)),
    "le": lambda hour: _of_hours(lambda at: at <= time(hour)),
    "lt": lambda hour: _of_hours(lambda at: at < time(hour)),
    "nw": Meaning.of(lambda slot: date(2026, 11, 23) <= slot.date <= date(2026, 11, 29)),
    "dr": lambda name: Meaning.of(lambda slot: name in slot.doctor),
    "woman": Meaning.of(lambda slot: is_woman(slot.doctor)),
    "man": Meaning.of(lambda slot: not is_woman(slot.doctor)),
}


def meaning(text: str) -> list[list[Meaning]]:
    """Return the openings of each request, and of what will do instead."""
    return [
        [eval(link, {"__builtins__": {}}, WORDS) for link in request.split(" else ")] for request in text.split(" + ")
    ]


def wishes_in(utterance: str, before: Wish | None = None) -> list[Wish]:
    """Return what an utterance wants."""
    text = correct(normalise(utterance), NAMES)
    reference = Reference(NOW, guess_language(text, Language.PT))
    return [request.wish for request in Wishes.scanned(text, reference, CLINICS).requests(before)]


def accepted(wanted: Filter) -> Meaning:
    """Return the openings that a filter accepts."""
    return Meaning.of(lambda slot: fits(wanted, slot))


def _cases() -> list[tuple[str, str]]:
    lines = (Path(__file__).parents[2] / "sentences" / "wishes.txt").read_text("utf-8").splitlines()
    parted = (line.split(" => ") for line in lines if line and not line.startswith("#"))
    return [(said, meant) for said, meant in parted]


@pytest.mark.parametrize(("said", "meant"), _cases())
def test_what_is_asked_for_is_exactly_what_is_meant(said: str, meant: str) -> None:
    *before, utterance = said.split(" | ")
    wanted = wishes_in(before[0])[0] if before else None
    found = [[accepted(link) for link in (wish.filter, *wish.otherwise)] for wish in wishes_in(utterance, wanted)]
    assert found == meaning(meant)
