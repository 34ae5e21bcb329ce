"""A model that says what a test tells it, and what becomes of its text between the writer and the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from orchestrator.llm.language_model import ModelError, ModelRequest
from orchestrator.llm.prompt_template import read_prompt
from orchestrator.responder.model_writer import DRAFT_PLACEHOLDERS, ModelWriter
from orchestrator.responder.templates import TemplateResponder
from orchestrator.turn.clinic_answers import Answers, offers_of, receipts_of
from orchestrator.turn.identity import Language
from orchestrator.turn.model_use import ModelFailure
from orchestrator.turn.plan import Plan
from orchestrator.turn.reply import Draft, Reply, Verdict
from orchestrator.turn.routing import StepResult
from orchestrator.turn.session import Session
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import CLINICS, SESSION, plan_of

PROMPT = read_prompt("response_generator", DRAFT_PLACEHOLDERS)


@dataclass
class ScriptedAsker:
    """Gives one answer, or fails in one way, and keeps what it was asked."""

    answer: str | ModelFailure
    requests: list[ModelRequest] = field(default_factory=list)

    def ask(self, request: ModelRequest) -> str:
        self.requests.append(request)
        if isinstance(self.answer, ModelFailure):
            raise ModelError(self.answer, "told to fail by a test")
        return self.answer


@dataclass(frozen=True)
class Turn:
    """A turn after the clinics answered, before it is worded."""

    results: tuple[StepResult, ...]
    plan: Plan
    session: Session
    utterance: str = "pergunta"

    @classmethod
    def of(
        cls,
        *results: StepResult,
        session: Session = SESSION,
        plan: Plan | None = None,
        language: Language = Language.PT,
        utterance: str = "pergunta",
    ) -> Turn:
        plan = plan or plan_of(results, language)
        offers = offers_of(results, plan.wish)
        receipts = (*session.receipts, *receipts_of(results))
        session = replace(session, offers=session.offers if offers is None else offers, receipts=receipts)
        return cls(results, plan, session, utterance)

    @property
    def answers(self) -> Answers:
        return Answers.of(self.utterance, self.results)

    @property
    def reply(self) -> Reply:
        return TemplateResponder().answer(self.plan, self.results, self.session, CLINICS)

    def draft(self, asker: ScriptedAsker) -> Draft | None:
        """Return what the writer makes of the model's answer."""
        return ModelWriter(asker, PROMPT).write(self.reply, self.answers, self.plan, self.session, CLINICS)

    def drafted(self, text: str) -> Draft:
        """Return the draft of a text."""
        draft = self.draft(ScriptedAsker(text))
        assert draft is not None
        return draft

    def verdict(self, text: str) -> Verdict:
        """Return what the rules say of a model's text."""
        return RuleVerifier().check_draft(self.drafted(text), self.answers, self.session, self.plan, CLINICS)

    @property
    def parts(self) -> str:
        """Return the handles of all parts, a paragraph each, as a dutiful model writes them."""
        return "\n\n".join(self.drafted("…a").missing)


def texts(requests: Sequence[ModelRequest]) -> str:
    """Return all that was sent."""
    return "\n".join(message.text for request in requests for message in request.messages)
