"""Questions about openings at random, each with its scope written a second time as a plain test of an opening."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from orchestrator.responder import OpeningSnapshot
from orchestrator.turn import (
    ANY_OPENING,
    AllOf,
    AnyOf,
    Appointment,
    AskedOfAll,
    AtClinics,
    AtTimes,
    Beside,
    Best,
    Clinic,
    Compare,
    DateRange,
    DaysOfBoth,
    Filter,
    Fits,
    Gap,
    Not,
    OfAll,
    Offer,
    OfSpecialty,
    OnDates,
    OnWeekdays,
    OpeningQuestion,
    OpeningScope,
    Order,
    Pick,
    TimeRange,
    WithDoctors,
    WithWoman,
)
from tests.support.repository_clinics import WORDS

TODAY = date(2025, 7, 15)
CLINICS = (
    Clinic(
        "clinic_a", "Clínica A", "Cardiology", ("Dr. Ricardo Lopes", "Dra. Helena Prado"), words=WORDS["Cardiology"]
    ),
    Clinic("clinic_b", "Clínica B", "Dermatology", ("Dra. Marina Couto",), words=WORDS["Dermatology"]),
    Clinic(
        "clinic_c",
        "Clínica C",
        "Cardiology",
        ("Dr. Fernando Mendes", "Dra. Beatriz Nunes", "Pat Lee"),
        words=WORDS["Cardiology"],
    ),
    Clinic("clinic_d", "Clínica D", "Orthopedics", words=WORDS["Orthopedics"]),
)
DOCTORS = ("Dr. Ricardo Lopes", "Dra. Helena Prado", "Dra. Marina Couto", "Dr. Fernando Mendes", "Dra. Beatriz Nunes")
CLOSED = Appointment("clinic_a", "Dr. Ricardo Lopes", TODAY + timedelta(days=90), time(9))
TIMES = [time(hour, minute) for hour in range(8, 20, 2) for minute in (0, 30)]

Holds = Callable[[Offer], bool]


@dataclass(frozen=True)
class Part:
    """A filter, and the same as a plain test."""

    filter: Filter
    holds: Holds


@dataclass(frozen=True)
class Asked:
    """A question, the plain test of its scope and of its sides, and what it is asked over."""

    question: OpeningQuestion
    others: tuple[OpeningQuestion, ...]  # more of the same scope and of none
    holds: Holds
    sides: tuple[Holds, ...]
    snapshot: OpeningSnapshot


class RandomQuestions:
    """Make an agenda and a question over it from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._kinds: Sequence[Callable[[], Part]] = (
            *(self._dates, self._times, self._beside, self._doctors),
            *(self._weekdays, self._clinics, self._specialty, self._woman),
        )

    def asked(self) -> Asked:
        """Return a question with what it is asked over."""
        snapshot, part, one_of = self._snapshot(), self._scope(), self._random.choice
        shown = self._random.random() < 0.2
        scope = OpeningScope(part.filter, among_shown=shown, quote=one_of(("", "de tarde")))
        kind = one_of(self._kinds)
        sides = [kind() for _ in range(one_of((2, 2, 3)))]
        inside = [one.slot for one in snapshot.openings if part.holds(one)] or [CLOSED]
        some = [one_of([*inside, *(one.slot for one in snapshot.openings)]) for _ in range(3)]
        order = one_of(tuple(Order))
        best = Best(scope, order, one_of(TIMES) if order is Order.NEAREST else None)
        conditions: tuple[Any, ...] = tuple(side.filter for side in sides)
        questions: tuple[OpeningQuestion, ...] = (
            *(
                AskedOfAll(OfAll.COUNT, scope),
                AskedOfAll(OfAll.IN_WORDS, scope),
                AskedOfAll(OfAll.SPAN, scope),
                AskedOfAll(OfAll.WHY_NOT, scope),
                best,
            ),
            *(Pick(some[0], best), Pick(min(inside, key=lambda one: one.begin), best)),
            Gap(some[0], some[1], one_of((None, 1, 2, 5))),
            Fits(tuple(some), scope),
            Compare(scope, conditions, one_of((None, *(each for each in Order if each is not Order.NEAREST)))),
            DaysOfBoth(scope, conditions),
        )

        def holds(one: Offer) -> bool:
            return part.holds(one) and (not shown or one.number in snapshot.shown)

        question, *others = self._random.sample(questions, 4)
        return Asked(question, tuple(others), holds, tuple(side.holds for side in sides), snapshot)

    def _snapshot(self) -> OpeningSnapshot:
        ids, one_of = [one.id for one in CLINICS], self._random.choice
        asked = frozenset(one_of((ids, ids, ids[:3], ["clinic_a", "clinic_c"])))
        silent = frozenset(one_of(((), (), ("clinic_a",), ("clinic_d",), ("clinic_b", "clinic_c")))) & asked
        places = [(one, name) for one in CLINICS if one.id in asked - silent for name in one.doctors]
        some = {(one_of(places), self._day(), one_of(TIMES)) for _ in range(self._random.randrange(25)) if places}
        step = one_of((1, 1, 3))
        openings = tuple(
            Offer(0 if at % 9 == 8 else 1 + at * step, clinic.id, name, clinic.specialty, day, hour)
            for at, ((clinic, name), day, hour) in enumerate(sorted(some, key=str))
        )
        shown = frozenset(one.number for one in openings if one.number % 2)
        return OpeningSnapshot(openings, CLINICS, asked, TODAY, silent, shown, self._scope().filter)

    def _scope(self) -> Part:
        if self._random.random() < 0.2:
            return Part(ANY_OPENING, lambda one: True)
        return self._part(depth=self._random.choice((0, 1, 1, 2)))

    def _part(self, depth: int) -> Part:
        if not depth:
            return self._random.choice(self._kinds)()
        parts = [self._part(depth - 1) for _ in range(self._random.choice((1, 2, 2, 3)))]
        filters = tuple(part.filter for part in parts)
        kind = self._random.randrange(5)
        if kind == 0:
            return Part(Not(filters[0]), lambda one: not parts[0].holds(one))
        if kind == 1:
            return Part(AnyOf(filters), lambda one: any(part.holds(one) for part in parts))
        return Part(AllOf(filters), lambda one: all(part.holds(one) for part in parts))

    def _day(self) -> date:
        return TODAY + timedelta(days=self._random.randrange(14))

    def _dates(self) -> Part:
        low, high = sorted((self._day(), self._day()))
        low, high = self._random.choice(((low, high), (low, low), (low, date.max), (date.min, high)))
        return Part(OnDates((DateRange(low, high),)), lambda one: low <= one.date <= high)

    def _times(self) -> Part:
        low, high = sorted(self._random.sample(TIMES, 2))
        low, high = self._random.choice(((low, high), (low, low), (low, time(23, 59)), (time(0), time(11, 59))))
        return Part(AtTimes((TimeRange(low, high),)), lambda one: low <= one.time <= high)

    def _beside(self) -> Part:
        moment = datetime.combine(self._day(), self._random.choice((time(0), time(12), time(23, 59))))
        later = self._random.random() < 0.5

        def holds(one: Offer) -> bool:
            begin = datetime.combine(one.date, one.time)
            return begin > moment if later else begin < moment

        return Part(Beside(moment, later), holds)

    def _doctors(self) -> Part:
        names = frozenset(self._random.choices(DOCTORS, k=2))
        return Part(WithDoctors(names), lambda one: one.doctor in names)

    def _weekdays(self) -> Part:
        days = frozenset(self._random.sample(range(7), self._random.randrange(1, 7)))
        return Part(OnWeekdays(days), lambda one: one.date.weekday() in days)

    def _clinics(self) -> Part:
        ids = frozenset(one.id for one in self._random.choices(CLINICS, k=2))
        return Part(AtClinics(ids), lambda one: one.clinic in ids)

    def _specialty(self) -> Part:
        code = self._random.choice(CLINICS).specialty
        ids = frozenset(one.id for one in CLINICS if one.specialty == code)
        return Part(OfSpecialty(code, ids), lambda one: one.clinic in ids)

    def _woman(self) -> Part:
        woman = self._random.random() < 0.5
        return Part(WithWoman(woman), lambda one: one.doctor.startswith("Dra.") == woman)
