"""The `SecondOpinion` of a language model: it may add gaps, and code shows them without what identifies anybody."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from mesh.arguments import Json
from orchestrator.llm import Asker, PromptTemplate
from orchestrator.privacy import Redactor
from orchestrator.research.graph.model_answers import TEXT, AnswerForm, asked, object_of
from orchestrator.research.graph.scrub import scrubbed
from orchestrator.research.graph.structures import Improvement
from orchestrator.research.rules import Aspect
from orchestrator.responder import plain_text
from orchestrator.turn import Language, Purpose

_MOST = 2
_Sentence = Annotated[str, Field(min_length=1, max_length=300)]


class _Gap(AnswerForm):
    aspect: Aspect
    gap: _Sentence
    suggestion: _Sentence


class _Review(AnswerForm):
    improvements: Annotated[tuple[_Gap, ...], Field(max_length=_MOST)]


_GAP = object_of(aspect={"type": "string", "enum": [aspect.value for aspect in Aspect]}, gap=TEXT, suggestion=TEXT)
_SCHEMA = object_of(improvements={"type": "array", "items": _GAP})


class ModelOpinion:
    """Asks a model what the rules have missed.

    Args:
        asker: The model, for this turn.
        prompt: `research_methodologist`.
    """

    def __init__(self, asker: Asker, prompt: PromptTemplate) -> None:
        self._asker = asker
        self._prompt = prompt

    def improvements(
        self, question: str, found: tuple[Improvement, ...], language: Language
    ) -> tuple[Improvement, ...]:
        """Return what a question lacks besides what the rules have found, of other aspects than theirs."""
        data: dict[str, Json] = {
            "question": question,
            "found": [{"aspect": each.aspect.value, "gap": each.gap} for each in found],
        }
        review = asked(self._asker, Purpose.REVIEW, self._prompt, language, data, _Review, _SCHEMA)
        if review is None:
            return ()
        known = {improvement.aspect for improvement in found}
        return tuple(
            Improvement(aspect=gap.aspect, gap=shown(gap.gap), suggestion=shown(gap.suggestion))
            for gap in review.improvements
            if gap.aspect not in known and shown(gap.gap) and shown(gap.suggestion)
        )


def shown(text: str) -> str:
    """Return a model's sentence as it may be shown and kept: plain, on one line, nobody identified in it."""
    return scrubbed(" ".join(plain_text(text).split()), Redactor())
