"""What a rule judges: the clinics' answers or a text about them, and the facts that a text may name."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from datetime import date, time

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator import turn
from orchestrator.privacy import PersonalText, Redactor
from orchestrator.verifier import literals

_REDACTOR = Redactor()

Doctor = frozenset[str]  # a doctor as the folded words of the name


@dataclass(frozen=True, slots=True)
class Grounds:
    """Dates, times and doctors that a reply may name, and which of them belong together."""

    mentions: frozenset[literals.DateMention]
    dates: frozenset[date]
    times: frozenset[time]
    bounds: frozenset[time]  # those of them that the filter names: they need belong to no opening
    doctors: frozenset[Doctor]
    openings: Mapping[time, Set[tuple[Doctor, date]]]

    @classmethod
    def of(cls, answers: turn.Answers, session: turn.Session, plan: turn.Plan) -> "Grounds":
        """Return all that the data, the session and the plan name."""
        # What a text may speak of: the plan's steps, and those of an open proposal.
        steps = (*plan.steps, *(session.proposal.plan.steps if session.proposal is not None else ()))
        slots = set(_slots(answers, session, steps))
        asked, wanted = {step.doctor for step in steps if step.doctor}, plan.filter_told
        named = asked.union((slot.doctor for slot in slots), turn.doctors_named(wanted))
        words = {doctor: literals.name_words(doctor) for doctor in named}
        openings: dict[time, set[tuple[Doctor, date]]] = {}
        for slot in slots:
            openings.setdefault(slot.time, set()).add((words[slot.doctor], slot.date))
        texts = _texts(answers, session, plan, steps)
        plain = {literals.folded(text) for text in texts if any(map(str.isdigit, text))}
        bounds = turn.times_named(wanted)
        return cls(
            mentions=frozenset(mention for text in plain for mention in literals.dates_in(text)),
            dates=turn.dates_named(wanted).union(slot.date for slot in slots),
            times=bounds.union(openings, (at for text in plain for at in literals.times_in(text))),
            bounds=bounds,
            doctors=frozenset((*words.values(), *(doctor for text in texts for doctor in literals.doctors_in(text)))),
            openings=openings,
        )


def _slots(answers: turn.Answers, session: turn.Session, steps: Iterable[turn.Step]) -> Iterator[turn.Appointment]:
    yield from answers.evidence.placed
    yield from session.listed
    for offer in session.offers:
        yield turn.Appointment(offer.clinic, offer.doctor, offer.date, offer.time)
    for receipt in (*session.receipts, *answers.receipts):
        yield from receipt.slots
    for step in steps:
        yield from step.slots


def _texts(answers: turn.Answers, session: turn.Session, plan: turn.Plan, steps: Iterable[turn.Step]) -> set[str]:
    texts = {*answers.evidence.prose, *answers.stated, *plan.facts.values(), *plan.choices}
    for step in steps:
        texts.update(step.parameters.values() if isinstance(step.call, turn.ToolCall) else ())
    if session.question is not None:
        texts.update(session.question.choices)
    if plan.reply is not None:
        texts.update(scope.quote for scope in plan.reply.scopes)
    return texts


@dataclass(frozen=True, slots=True)
class DataReview:
    """The answers of a turn, before anything is said about them."""

    answers: turn.Answers  # what the clinics returned
    session: turn.Session  # who speaks, and in which role

    def may_see(self, record: pb.Patient) -> bool:
        """Return whether the speaker may see a full record: a patient their own, an operator anyone's."""
        whose, speaker = turn.Identity(record.name, record.cpf), self.session.identity
        return self.session.role is turn.Role.OPERATOR or whose.digits == speaker.digits

    @property
    def visible_records(self) -> list[pb.Patient]:
        """The full records that the speaker may see."""
        return [record for record in self.answers.evidence.records if self.may_see(record)]


@dataclass(frozen=True, slots=True)
class ReplyReview(DataReview):
    """A text and what it may rest on; `review_of` folds and reads the text once for all rules."""

    text: str = field(repr=False)  # the plain reply
    personal: tuple[PersonalText, ...]  # what identifies anybody in it
    plain: str = field(repr=False)  # the same, folded
    lines: tuple[str, ...] = field(repr=False)  # its lines, folded
    clauses: tuple[str, ...] = field(repr=False)  # its clauses, folded
    named: tuple[literals.Line, ...] = field(repr=False)  # the dates, times and doctors that each line names
    grounds: Grounds = field(repr=False)  # what it may name
    days: Mapping[literals.DateMention, Collection[date]] = field(repr=False)  # those of the grounds that it can mean
    fitting: frozenset[turn.Appointment]  # the listed openings that the plan's filter admits
    plan: turn.Plan  # what the turn set out to do, filters included

    @property
    def shows_openings(self) -> bool:
        """Whether the reply has a table of openings; without one it answers questions about them."""
        return self.plan.reply is None or bool(self.plan.reply.shown)

    def has_opening(self, line: literals.Line) -> bool:
        """Return whether the one doctor, date and time of a line belong together; lines with more are not judged."""
        if not (len(line.dates) == len(line.times) == len(line.doctors) == 1):
            return True
        (mention,), (at,), (doctor,) = line.dates, line.times, line.doctors
        days, there = self.days[mention], self.grounds.openings.get(at, ())
        return any((doctor <= known or known <= doctor) and day in days for known, day in there)

    def clauses_with(self, pattern: re.Pattern[str]) -> list[str]:
        """Return the clauses that a pattern, compiled with MULTILINE, matches in."""
        if pattern.search("\n".join(self.clauses)) is None:
            return []
        return [clause for clause in self.clauses if pattern.search(clause)]


def review_of(text: str, answers: turn.Answers, session: turn.Session, plan: turn.Plan) -> ReplyReview:
    """Return the review of a text."""
    plain = literals.folded(text)
    lines = tuple(plain.split("\n"))
    named = tuple(
        literals.Line(
            frozenset(literals.dates_in(folded_line)),
            frozenset(literals.times_in(folded_line)),
            frozenset(literals.doctors_in(line)),
        )
        for line, folded_line in zip(text.split("\n"), lines, strict=True)
    )
    grounds = Grounds.of(answers, session, plan)
    return ReplyReview(
        answers=answers,
        session=session,
        text=text,
        personal=tuple(_REDACTOR.find(text)),
        plain=plain,
        lines=lines,
        clauses=tuple(literals.clauses(plain)),
        named=named,
        grounds=grounds,
        days={mention: mention.among(grounds.dates) for line in named for mention in line.dates},
        fitting=frozenset(plan.wish.narrowed_to(answers.evidence.listed)[1]),
        plan=plan,
    )
