"""A verifier that says what a test tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from orchestrator.turn.clinic import Clinic
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.plan import Plan
from orchestrator.turn.reply import SAFE, Verdict
from orchestrator.turn.session import Receipt, Session
from orchestrator.verifier.rules import RuleVerifier


@dataclass
class FakeVerifier(RuleVerifier):
    """Gives the verdicts that it was told."""

    data: Verdict = SAFE
    reply: Verdict = SAFE
    answers: list[Answers] = field(default_factory=list)
    receipts: list[tuple[Receipt, ...]] = field(default_factory=list)

    def check_data(self, answers: Answers, session: Session) -> Verdict:
        self.answers.append(answers)
        return self.data

    def check_reply(self, text: str, answers: Answers, session: Session, plan: Plan) -> Verdict:
        self.receipts.append(answers.receipts)
        return self.reply

    def check_reasoning(
        self, reasoning: Sequence[str], session: Session, plan: Plan, clinics: Sequence[Clinic]
    ) -> tuple[str, ...]:
        return tuple(reasoning) if self.reply.safe else ()

    @classmethod
    def always(cls, verdict: Verdict) -> FakeVerifier:
        """Return one that says the same of everything."""
        return cls(verdict, verdict)
