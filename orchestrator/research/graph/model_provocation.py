"""The `Provocation` of a language model: one open question about the first gap, or the rules' own."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from mesh.arguments import Json
from orchestrator.llm import Asker, PromptTemplate
from orchestrator.research.graph.model_answers import TEXT, AnswerForm, asked, object_of
from orchestrator.research.graph.model_opinion import shown
from orchestrator.research.graph.reflection import Provocation
from orchestrator.research.graph.structures import HypothesisVersion
from orchestrator.turn import Language, Purpose

_TEMPERATURE = 0.3


class _Thought(AnswerForm):
    reflection: Annotated[str, Field(min_length=1, max_length=300)]


_SCHEMA = object_of(reflection=TEXT)


class ModelProvocation:
    """Asks a model.

    Args:
        asker: The model, for this turn.
        prompt: `research_orchestrator`.
        rules: Words a question without a model.
    """

    def __init__(self, asker: Asker, prompt: PromptTemplate, rules: Provocation) -> None:
        self._asker = asker
        self._prompt = prompt
        self._rules = rules

    def prompt(self, version: HypothesisVersion, language: Language) -> str:
        """Return a question about the first gap."""
        data: dict[str, Json] = {
            "question": version.question,
            "gaps": [gap.gap for gap in version.feedback.improvements],
        }
        thought = asked(self._asker, Purpose.REFLECT, self._prompt, language, data, _Thought, _SCHEMA, _TEMPERATURE)
        reflection = "" if thought is None else shown(thought.reflection)
        return reflection if reflection.endswith("?") else self._rules.prompt(version, language)
