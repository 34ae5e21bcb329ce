"""What a reply may name: the clinics' answers, and what the conversation itself already holds.

The latter are openings that were shown, receipts, what the plan is about to do, and the filter that the person asked
for. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time

from orchestrator.turn import Step
from orchestrator.verifier.evidence import Opening
from orchestrator.verifier.folding import folded
from orchestrator.verifier.literals import DateMention, Line, dates_in, doctors_in, name_words, times_in
from orchestrator.verifier.review import ReplyReview

Doctor = frozenset[str]
"""A doctor as the folded words of the name."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """Dates, times and doctors that a reply may name, and which of them belong together."""

    mentions: frozenset[DateMention]
    dates: frozenset[date]
    times: frozenset[time]
    doctors: frozenset[Doctor]
    openings: Mapping[time, frozenset[tuple[Doctor, date]]]

    @classmethod
    def of(cls, review: ReplyReview) -> Grounds:
        """Return all that the data, the session and the plan name."""
        openings = set(_openings(review))
        words = {doctor: name_words(doctor) for doctor in {opening.doctor for opening in openings}}
        plain = {folded(text) for text in set(_texts(review))}
        filters = review.plan.filters
        spans = (*filters.dates, *filters.excluded_dates)
        return cls(
            mentions=frozenset(mention for text in plain for mention in dates_in(text)),
            dates=frozenset(
                (*(opening.date for opening in openings), *(day for span in spans for day in (span.first, span.last)))
            ),
            times=frozenset(
                (
                    *(opening.time for opening in openings),
                    *(at for text in plain for at in times_in(text)),
                    *(at for span in filters.times for at in (span.first, span.last)),
                )
            ),
            doctors=known_doctors(review),
            openings={
                at: frozenset((words[opening.doctor], opening.date) for opening in openings if opening.time == at)
                for at in {opening.time for opening in openings}
            },
        )

    def has_date(self, mention: DateMention) -> bool:
        """Return whether a date is named by the data."""
        return any(map(mention.may_be, self.dates)) or any(map(mention.may_agree, self.mentions))

    def has_weekday(self, mention: DateMention) -> bool:
        """Return whether the weekday that stands with a date is that of a day it can mean."""
        if mention.weekday is None:
            return True
        days = {day.weekday() for day in self.dates if mention.may_be(day)}
        return not days or mention.weekday in days

    def has_doctor(self, doctor: Doctor) -> bool:
        """Return whether a doctor is named by the data; a part of the name will do."""
        return any(doctor <= known for known in self.doctors)

    def has_opening(self, line: Line) -> bool:
        """Return whether the one doctor, date and time of a line belong together; lines with more are not judged."""
        if not (len(line.dates) == len(line.times) == len(line.doctors) == 1):
            return True
        (mention,), (at,), (doctor,) = line.dates, line.times, line.doctors
        return any(
            mention.may_be(day) and (doctor <= known or known <= doctor)
            for known, day in self.openings.get(at, frozenset())
        )


def known_doctors(review: ReplyReview) -> frozenset[Doctor]:
    """Return the doctors whom the data, the session and the plan name."""
    names = {opening.doctor for opening in _openings(review)} | {
        step.parameters.get("doctor", "") for step in review.steps
    }
    titled = (doctor for text in set(_texts(review)) for doctor in doctors_in(text))
    return frozenset((*map(name_words, names), *titled))


def _openings(review: ReplyReview) -> Iterator[Opening]:
    yield from review.evidence.openings
    for offer in review.session.offers:
        yield Opening(offer.doctor, offer.date, offer.time)
    for receipt in (*review.session.receipts, *review.receipts):
        for held in (receipt.appointment, receipt.original):
            if held is not None:
                yield Opening(held.doctor, held.date, held.time)
    for step in review.steps:
        yield from openings_of(step)


def openings_of(step: Step) -> Iterator[Opening]:
    """Yield the moments that a write names: the one it takes or gives back, or both of a move."""
    given = step.parameters
    for prefix in ("", "original_", "new_"):
        try:
            day, at = date.fromisoformat(given[f"{prefix}date"]), time.fromisoformat(given[f"{prefix}time"])
        except (KeyError, ValueError):
            continue
        if doctor := given.get("doctor"):
            yield Opening(doctor, day, at)


def _texts(review: ReplyReview) -> Iterator[str]:
    yield from review.evidence.strings
    for step in review.steps:
        yield from step.parameters.values()
    yield from review.plan.facts.values()
    yield from review.plan.choices
    if review.session.question is not None:
        yield from review.session.question.choices
