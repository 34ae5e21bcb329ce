"""What a reply may name: the clinics' answers, and what the conversation already holds.

The latter are openings that were shown, receipts, what the plan is about to do, and the filter that the person asked
for. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import date, time

from orchestrator.turn import Answers, Appointment, Plan, Session, Step, ToolCall
from orchestrator.verifier.folding import folded
from orchestrator.verifier.literals import DateMention, Line, dates_in, doctors_in, name_words, times_in

Doctor = frozenset[str]
"""A doctor as the folded words of the name."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """Dates, times and doctors that a reply may name, and which of them belong together."""

    mentions: frozenset[DateMention]
    dates: frozenset[date]
    times: frozenset[time]
    doctors: frozenset[Doctor]
    openings: Mapping[time, Set[tuple[Doctor, date]]]

    @classmethod
    def of(cls, answers: Answers, session: Session, plan: Plan) -> Grounds:
        """Return all that the data, the session and the plan name."""
        steps = steps_told(session, plan)
        slots = set(_slots(answers, session, steps))
        asked = {step.doctor for step in steps if step.doctor}
        words = {doctor: name_words(doctor) for doctor in asked.union(slot.doctor for slot in slots)}
        openings: dict[time, set[tuple[Doctor, date]]] = {}
        for slot in slots:
            openings.setdefault(slot.time, set()).add((words[slot.doctor], slot.date))
        texts = _texts(answers, session, plan, steps)
        plain = {folded(text) for text in texts if any(map(str.isdigit, text))}
        filters = plan.filters
        days = {slot.date for slot in slots}
        days.update(day for span in (*filters.dates, *filters.excluded_dates) for day in (span.first, span.last))
        times = set(openings)
        times.update(at for span in filters.times for at in (span.first, span.last))
        times.update(at for text in plain for at in times_in(text))
        return cls(
            mentions=frozenset(mention for text in plain for mention in dates_in(text)),
            dates=frozenset(days),
            times=frozenset(times),
            doctors=frozenset((*words.values(), *(doctor for text in texts for doctor in doctors_in(text)))),
            openings=openings,
        )

    def has_date(self, mention: DateMention) -> bool:
        """Return whether a date is named by the data."""
        return bool(mention.among(self.dates)) or any(map(mention.may_agree, self.mentions))

    def has_weekday(self, mention: DateMention) -> bool:
        """Return whether the weekday that stands with a date is that of a day it can mean."""
        if mention.weekday is None:
            return True
        days = mention.among(self.dates)
        return not days or any(day.weekday() == mention.weekday for day in days)

    def has_doctor(self, doctor: Doctor) -> bool:
        """Return whether a doctor is named by the data; a part of the name will do."""
        return any(map(doctor.issubset, self.doctors))

    def has_opening(self, line: Line) -> bool:
        """Return whether the one doctor, date and time of a line belong together; lines with more are not judged."""
        if not (len(line.dates) == len(line.times) == len(line.doctors) == 1):
            return True
        (mention,), (at,), (doctor,) = line.dates, line.times, line.doctors
        return any(
            (doctor <= known or known <= doctor) and mention.may_be(day) for known, day in self.openings.get(at, ())
        )


def steps_told(session: Session, plan: Plan) -> tuple[Step, ...]:
    """Return the steps that a text may speak of: the plan's, and those of an open proposal."""
    return plan.steps if session.proposal is None else (*plan.steps, *session.proposal.plan.steps)


def _slots(answers: Answers, session: Session, steps: Iterable[Step]) -> Iterator[Appointment]:
    yield from answers.evidence.placed
    for offer in session.offers:
        yield Appointment(offer.clinic, offer.doctor, offer.date, offer.time)
    for receipt in (*session.receipts, *answers.receipts):
        yield from receipt.slots
    for step in steps:
        yield from step.slots


def _texts(answers: Answers, session: Session, plan: Plan, steps: Iterable[Step]) -> set[str]:
    """Return the texts that may name what no slot does."""
    texts = {*answers.evidence.prose, *plan.facts.values(), *plan.choices}
    for step in steps:
        texts.update(step.parameters.values() if isinstance(step.call, ToolCall) else ())
    if session.question is not None:
        texts.update(session.question.choices)
    return texts
