"""A language model's short answer to what no agent is for, and the rules that it must pass.

It sees the redacted question alone and rests on no data: no health, deeds, promises, personal data or clinic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.llm import TOKEN, Asker, Message, ModelError, ModelRequest, PromptTemplate, Pseudonyms, fenced
from orchestrator.planner.text import fold_phrase, normalise
from orchestrator.planner.understanding import find_body_parts, find_complaints
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
    Rule,
    Session,
    TurnOutcome,
    Verdict,
)
from orchestrator.verifier import RuleVerifier, pattern_of

_HEALTH = pattern_of("health.txt", "health_broad.txt")

# What somebody says they did, or will do: the first person's past and future, in words that have no accents any more.
_DEEDS = re.compile(
    r"\b(?!(?:lei|rei|sei|frei|hei|direi)\b)\w{2,}ei\b"
    r"|\b(?:fiz|pedi|abri|consegui|pus|trouxe|escrevi|inclui|resolvi|transferi)\b"
    r"|\b(?:vou|vamos|iremos)\s+\w+r\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:just |already |also |now )?(?:\w+ed|sent|made|put|set|got|took|did|wrote)\b"
    r"|\b(?:i|we)(?:'ll| will| shall) \w+"
)


class DirectAnswerRules(RuleVerifier):
    """The `Verifier` of direct answers: another `check_draft`, which rests on no data."""

    def check_draft(
        self, draft: Draft, answers: Answers, session: Session, plan: Plan, clinics: Sequence[Clinic]
    ) -> Verdict:
        """Return whether an answer may be shown."""
        verdict = self.check_reply(draft.reply.plain, answers, session, plan)
        if not verdict.safe:
            return verdict
        if touches_health(draft.words):
            return _verdict(Rule.R3, "an answer that touches on health")
        if _DEEDS.search(fold_phrase(draft.words)):
            return _verdict(Rule.R4, "a deed or a promise of who can do nothing")
        names = {fold_phrase(clinic.name) for clinic in clinics} | {
            fold_phrase(name) for one in clinics for name in one.doctors
        }
        if any(name in fold_phrase(draft.words) for name in names):
            return _verdict(Rule.R4, "a clinic or a doctor that nobody asked")
        return verdict


def touches_health(text: str) -> bool:
    """Return whether a text speaks of complaints, the body or what helps; no model answers such a one."""
    folded = normalise(text).folded
    return bool(_HEALTH.search(folded) or find_complaints(folded) or find_body_parts(folded))


def _verdict(rule: Rule, finding: str) -> Verdict:
    return Verdict(rule, f"{rule}: {finding}")


ANSWER_PLACEHOLDERS = frozenset({"language", "specialties"})  # what the prompt `fallback_answer` leaves open

_TEMPERATURE = 0.2
_MAX_QUESTION = 1_000
_MAX_CHARACTERS = 1_000


class ModelAnswerer:
    """The `Answerer` that asks a model with the prompt `fallback_answer`; the verifier checks it as a draft."""

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
