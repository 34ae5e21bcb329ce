"""R4: every literal date, time and doctor of a reply is in the data, and together they name what is there.

Besides the clinics' answers a reply may name what this conversation already holds: openings that were shown, receipts,
what the plan is about to do and the filter that the person asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, time

from orchestrator.plan import Step
from orchestrator.verifier.evidence import Opening
from orchestrator.verifier.folding import folded
from orchestrator.verifier.literals import DateMention, Line, dates_in, doctors_in, name_words, read_line, times_in
from orchestrator.verifier.review import ReplyReview


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a reply may name."""

    mentions: frozenset[DateMention]
    dates: frozenset[date]
    times: frozenset[time]
    doctors: frozenset[frozenset[str]]
    openings: frozenset[Opening]

    @classmethod
    def of(cls, review: ReplyReview) -> Grounds:
        """Return all that the data, the session and the plan name."""
        openings = frozenset((*review.evidence.openings, *_session_openings(review), *_step_openings(review)))
        texts = set(_texts(review))
        plain = {folded(text) for text in texts}
        filters = review.plan.filters
        return cls(
            mentions=frozenset(mention for text in plain for mention in dates_in(text)),
            dates=frozenset(
                (
                    *(opening.date for opening in openings),
                    *(day for span in (*filters.dates, *filters.excluded_dates) for day in (span.first, span.last)),
                )
            ),
            times=frozenset(
                (
                    *(opening.time for opening in openings),
                    *(at for text in plain for at in times_in(text)),
                    *(at for span in filters.times for at in (span.first, span.last)),
                )
            ),
            doctors=frozenset(
                (
                    *(name_words(opening.doctor) for opening in openings),
                    *(name_words(step.parameters.get("doctor", "")) for step in review.steps),
                    *(doctor for text in texts for doctor in doctors_in(text)),
                )
            ),
            openings=openings,
        )

    def has_date(self, mention: DateMention) -> bool:
        """Return whether a date is named by the data."""
        return any(map(mention.may_be, self.dates)) or any(
            mention.readings & known.readings or _may_agree(mention, known) for known in self.mentions
        )

    def has_weekday(self, mention: DateMention) -> bool:
        """Return whether the weekday that stands with a date is that of a day it can mean."""
        days = {day.weekday() for day in self.dates if mention.may_be(day)}
        return mention.weekday is None or not days or mention.weekday in days

    def has_doctor(self, words: frozenset[str]) -> bool:
        """Return whether a doctor is named by the data; a part of the name will do."""
        return any(words <= known for known in self.doctors)

    def has_opening(self, line: Line) -> bool:
        """Return whether the one doctor, date and time of a line belong together; lines with more are not judged."""
        if not (len(line.dates) == len(line.times) == len(line.doctors) == 1):
            return True
        (mention,), (at,), (doctor,) = line.dates, line.times, line.doctors
        return any(
            opening.time == at and mention.may_be(opening.date) and _same_doctor(doctor, name_words(opening.doctor))
            for opening in self.openings
        )


def ungrounded(review: ReplyReview) -> str | None:
    """Return a note when a reply names a date, time or doctor that nothing it rests on names, or joins them wrongly."""
    grounds = Grounds.of(review)
    bounds = {at for span in review.plan.filters.times for at in (span.first, span.last)}
    for line in {read_line(text) for text in review.text.split("\n")}:
        if not all(map(grounds.has_date, line.dates)):
            return "a date that is not in the clinics' data"
        if not all(map(grounds.has_weekday, line.dates)):
            return "a weekday that is not the date's"
        if not line.times <= grounds.times:
            return "a time that is not in the clinics' data"
        if not all(map(grounds.has_doctor, line.doctors)):
            return "a doctor who is not in the clinics' data"
        if not (line.times & bounds or grounds.has_opening(line)):
            return "a doctor, date and time that do not belong together in the clinics' data"
    return None


def _same_doctor(named: frozenset[str], known: frozenset[str]) -> bool:
    return named <= known or known <= named


def _may_agree(mention: DateMention, known: DateMention) -> bool:
    """Return whether two mentions can mean one day, where either leaves year or month open."""
    return any(
        day == known_day
        and (not month or not known_month or month == known_month)
        and (not year or not known_year or year == known_year)
        for year, month, day in mention.readings
        for known_year, known_month, known_day in known.readings
    )


def _session_openings(review: ReplyReview) -> Iterator[Opening]:
    for offer in review.session.offers:
        yield Opening(offer.doctor, offer.date, offer.time)
    for receipt in (*review.session.receipts, *review.receipts):
        for held in (receipt.appointment, receipt.original):
            if held is not None:
                yield Opening(held.doctor, held.date, held.time)


def _step_openings(review: ReplyReview) -> Iterator[Opening]:
    for step in review.steps:
        for prefix in ("", "original_", "new_"):
            opening = _opening_of(step, prefix)
            if opening is not None:
                yield opening


def _opening_of(step: Step, prefix: str) -> Opening | None:
    given = step.parameters
    try:
        return Opening(
            given["doctor"], date.fromisoformat(given[f"{prefix}date"]), time.fromisoformat(given[f"{prefix}time"])
        )
    except (KeyError, ValueError):
        return None


def _texts(review: ReplyReview) -> Iterator[str]:
    yield from review.evidence.strings
    for step in review.steps:
        yield from step.parameters.values()
    yield from review.plan.facts.values()
    yield from review.plan.choices
    if review.session.question is not None:
        yield from review.session.question.choices
