"""What a rule is given to judge: the data of a turn, or a text about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from orchestrator.turn import Plan, Receipt, Role, Session, Step
from orchestrator.verifier.evidence import Evidence, PatientRecord
from orchestrator.verifier.folding import clauses, folded


@dataclass(frozen=True, slots=True)
class DataReview:
    """The aggregated results of a turn, before anything is said about them.

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

    def is_own(self, record: PatientRecord) -> bool:
        """Return whether a record is the speaker's, which only its CPF can tell."""
        return digits_of(record.cpf) == self.own_cpf

    def may_see(self, record: PatientRecord) -> bool:
        """Return whether the speaker may see a full record: a patient their own, an operator anyone's."""
        return self.session.role is Role.OPERATOR or self.is_own(record)


@dataclass(frozen=True, slots=True)
class ReplyReview(DataReview):
    """A text and what it may rest on; made by `review_of`, which folds the text once for all rules.

    Attributes:
        text: The plain reply.
        lines: Its lines, folded.
        clauses: Its clauses, folded.
        receipts: The writes of this turn that a clinic acknowledged.
        plan: What the turn set out to do, filters included.
    """

    text: str = field(repr=False)
    lines: tuple[str, ...] = field(repr=False)
    clauses: tuple[str, ...] = field(repr=False)
    receipts: tuple[Receipt, ...]
    plan: Plan

    @property
    def steps(self) -> Iterator[Step]:
        """Steps that the text may speak of: the plan's, and those of an open proposal."""
        yield from self.plan.steps
        if self.session.proposal is not None:
            yield from self.session.proposal.plan.steps


def review_of(text: str, evidence: Evidence, session: Session, receipts: Sequence[Receipt], plan: Plan) -> ReplyReview:
    """Return the review of a text."""
    plain = folded(text)
    return ReplyReview(evidence, session, text, tuple(plain.split("\n")), tuple(clauses(plain)), tuple(receipts), plan)


def digits_of(text: str) -> str:
    """Return the digits of a number written in any way."""
    return re.sub(r"\D", "", text)
