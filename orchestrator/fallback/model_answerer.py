"""Asks a language model for a short answer to what no agent is for.

It is told what the person wrote, without what identifies anybody, and nothing of the conversation. Whether its text may
be shown is the verifier's to say.
"""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.llm import TOKEN, Asker, Message, ModelError, ModelRequest, PromptTemplate, Pseudonyms, fenced
from orchestrator.responder import without_markdown
from orchestrator.stages import Verifier
from orchestrator.turn import (
    Answers,
    Clinic,
    Draft,
    Paragraph,
    Plan,
    Purpose,
    Reply,
    Session,
    TurnOutcome,
    Verdict,
)

ANSWER_PLACEHOLDERS = frozenset({"language", "specialties"})
"""What the prompt `fallback_answer` leaves open."""

_TEMPERATURE = 0.2
_MAX_QUESTION = 1_000
_MAX_CHARACTERS = 1_000


class ModelAnswerer:
    """The `Answerer` that asks a language model.

    Args:
        asker: The model, for this turn.
        prompt: `fallback_answer`, with `ANSWER_PLACEHOLDERS`.
        verifier: What decides about the answers, as about drafts.
    """

    def __init__(self, asker: Asker, prompt: PromptTemplate, verifier: Verifier) -> None:
        self._asker = asker
        self._prompt = prompt
        self._verifier = verifier

    def answer(self, utterance: str, session: Session, clinics: Sequence[Clinic], max_tokens: int) -> str | None:
        """Return a short text in the session's language; None when the model gave none that can be shown."""
        specialties = ", ".join(dict.fromkeys(clinic.specialty for clinic in clinics)) or "none"
        message = Pseudonyms.of(session, clinics).hide(utterance)[:_MAX_QUESTION]
        request = ModelRequest(
            Purpose.ANSWER,
            (
                Message("system", self._prompt.fill(language=session.language.english_name, specialties=specialties)),
                Message("user", fenced({"message": message})),
            ),
            _TEMPERATURE,
            max_tokens=max_tokens,
        )
        try:
            text = without_markdown(self._asker.ask(request))
        except ModelError:
            return None
        return text if text and len(text) <= _MAX_CHARACTERS and not TOKEN.search(text) else None

    def check(self, text: str, utterance: str, plan: Plan, session: Session, clinics: Sequence[Clinic]) -> Verdict:
        """Return whether that text may be shown."""
        draft = Draft(Reply(session.language, TurnOutcome.OK, (Paragraph(text),)), text)
        return self._verifier.check_draft(draft, Answers.of(utterance), session, plan, clinics)
