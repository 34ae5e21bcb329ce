"""What a rule judges: the answers of the clinics, or a text about them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn import Answers, Evidence, Plan, Receipt, Role, Session, Step
from orchestrator.verifier.folding import clauses, folded
from orchestrator.verifier.known_facts import Grounds, steps_told
from orchestrator.verifier.literals import Line, read_line


@dataclass(frozen=True, slots=True)
class DataReview:
    """The answers of a turn, before anything is said about them.

    Attributes:
        evidence: What the clinics returned.
        session: Who speaks, and in which role.
    """

    evidence: Evidence
    session: Session

    @property
    def own_cpf(self) -> str:
        """The digits of the speaker's CPF."""
        return digits_of(self.session.identity.cpf)

    def may_see(self, record: pb.Patient) -> bool:
        """Return whether the speaker may see a full record: a patient their own, an operator anyone's."""
        return self.session.role is Role.OPERATOR or digits_of(record.cpf) == self.own_cpf

    @property
    def visible_records(self) -> list[pb.Patient]:
        """The full records that the speaker may see."""
        return [record for record in self.evidence.records if self.may_see(record)]


@dataclass(frozen=True, slots=True)
class ReplyReview(DataReview):
    """A text and what it may rest on; `review_of` folds and reads the text once for all rules.

    Attributes:
        text: The plain reply.
        plain: The same, folded.
        lines: Its lines, folded.
        clauses: Its clauses, folded.
        named: The dates, times and doctors that each line names.
        grounds: What it may name.
        receipts: The writes of this turn that a clinic acknowledged.
        plan: What the turn set out to do, filters included.
    """

    text: str = field(repr=False)
    plain: str = field(repr=False)
    lines: tuple[str, ...] = field(repr=False)
    clauses: tuple[str, ...] = field(repr=False)
    named: tuple[Line, ...] = field(repr=False)
    grounds: Grounds = field(repr=False)
    receipts: tuple[Receipt, ...]
    plan: Plan

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that the text may speak of."""
        return steps_told(self.session, self.plan)

    def clauses_with(self, pattern: re.Pattern[str]) -> list[str]:
        """Return the clauses that a pattern, compiled with MULTILINE, matches in."""
        if pattern.search("\n".join(self.clauses)) is None:
            return []
        return [clause for clause in self.clauses if pattern.search(clause)]


def review_of(text: str, answers: Answers, session: Session, plan: Plan) -> ReplyReview:
    """Return the review of a text."""
    plain = folded(text)
    lines = tuple(plain.split("\n"))
    named = tuple(map(read_line, text.split("\n"), lines))
    return ReplyReview(
        evidence=answers.evidence,
        session=session,
        text=text,
        plain=plain,
        lines=lines,
        clauses=tuple(clauses(plain)),
        named=named,
        grounds=Grounds.of(answers, session, plan),
        receipts=answers.receipts,
        plan=plan,
    )


def digits_of(text: str) -> str:
    """Return the digits of a number written in any way."""
    return re.sub(r"\D", "", text)
