"""The agents' reader, second opinion and reflection with a language model; where it fails, the rules stand in.

Code composes the question from elements that the person's own words bear out: no model's text is judged or exported.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mesh.arguments import Json
from orchestrator.llm import (
    Asker,
    Message,
    ModelError,
    ModelRequest,
    PromptTemplate,
    fenced,
    json_in,
    strict_schema,
    without_markdown,
)
from orchestrator.privacy import Redactor
from orchestrator.research.graph.reasoners import ObservationReader, Provocation
from orchestrator.research.graph.scrub import scrubbed
from orchestrator.research.graph.state import HypothesisVersion, Improvement
from orchestrator.research.rules import Aspect, Element, Elements, FoldedText, compose, settled
from orchestrator.turn import Language, Purpose

PLACEHOLDERS = frozenset({"language"})
"""The placeholders of each prompt of the desk."""

_MAX_TOKENS = 512
_LONGEST = 200
_STEM = 4
"""Letters that two forms of a word must share: "fazem" and "fazer"."""

_Sentence = Annotated[str, Field(min_length=1, max_length=300)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class _Gap(_Answer):
    aspect: Aspect
    gap: _Sentence
    suggestion: _Sentence


class _Review(_Answer):
    improvements: Annotated[tuple[_Gap, ...], Field(max_length=2)]


class _Thought(_Answer):
    reflection: _Sentence


class _Found(_Answer):
    exposure: str
    outcome: str
    population: str
    comparison: str
    measure: str
    time: str


_A = TypeVar("_A", bound=_Answer)


@dataclass(frozen=True, slots=True)
class _Task(Generic[_A]):
    """What a model is asked for."""

    purpose: Purpose
    form: type[_A]
    temperature: float = 0.0


_STRUCTURE = _Task(Purpose.STRUCTURE, _Found)
_REVIEW = _Task(Purpose.REVIEW, _Review)
_REFLECT = _Task(Purpose.REFLECT, _Thought, temperature=0.3)


class ModelReader:
    """The `ObservationReader` that asks a model, and the rules for what it does not find."""

    def __init__(self, asker: Asker, prompt: PromptTemplate, rules: ObservationReader) -> None:
        self._asker = asker
        self._prompt = prompt
        self._rules = rules
        self._read = lru_cache(maxsize=1)(self._asked)  # the same question twice in a turn costs one call

    def __call__(self, text: str, known: Elements, language: Language) -> Elements:
        """Return what is known with what a text adds to it."""
        return self._read(text, known, language)

    def _asked(self, text: str, known: Elements, language: Language) -> Elements:
        by_rules = self._rules(text, known, language)
        data: dict[str, Json] = {
            "text": text,
            "known": {element.value: known[element] for element in Element},
            "question": compose(known, language) if known.can_be_asked else "",
        }
        found = _ask(self._asker, self._prompt, _STRUCTURE, language, data)
        if found is None:
            return by_rules
        proposed = Elements(
            **{
                name: FoldedText.of(value).cut().original
                for name, value in found.model_dump().items()
                if _is_borne_out(value, text)
            }
        )
        for together in (known.completed_by(proposed).completed_by(by_rules), known.completed_by(proposed)):
            if together.can_be_asked and settled(together, language).present:
                return together
        return by_rules


@dataclass(frozen=True, slots=True)
class ModelOpinion:
    """The `SecondOpinion` of a model: it may add up to two gaps."""

    asker: Asker
    prompt: PromptTemplate

    def __call__(self, question: str, found: tuple[Improvement, ...], language: Language) -> tuple[Improvement, ...]:
        """Return what a question lacks in aspects where the rules have found nothing."""
        data: dict[str, Json] = {
            "question": question,
            "found": [{"aspect": each.aspect.value, "gap": each.gap} for each in found],
        }
        review = _ask(self.asker, self.prompt, _REVIEW, language, data)
        if review is None:
            return ()
        known = {improvement.aspect for improvement in found}
        return tuple(
            Improvement(aspect=gap.aspect, gap=_shown(gap.gap), suggestion=_shown(gap.suggestion))
            for gap in review.improvements
            if gap.aspect not in known and _shown(gap.gap) and _shown(gap.suggestion)
        )


@dataclass(frozen=True, slots=True)
class ModelProvocation:
    """The `Provocation` of a model: one open question about the first gap, or the rules' own."""

    asker: Asker
    prompt: PromptTemplate
    rules: Provocation

    def __call__(self, version: HypothesisVersion, language: Language) -> str:
        """Return a question about the first gap."""
        data: dict[str, Json] = {
            "question": version.question,
            "gaps": [gap.gap for gap in version.feedback.improvements],
        }
        thought = _ask(self.asker, self.prompt, _REFLECT, language, data)
        reflection = "" if thought is None else _shown(thought.reflection)
        return reflection if reflection.endswith("?") else self.rules(version, language)


def _ask(
    asker: Asker, prompt: PromptTemplate, task: _Task[_A], language: Language, data: Mapping[str, Json]
) -> _A | None:
    request = ModelRequest(
        task.purpose,
        (Message("system", prompt.fill(language=language.english_name)), Message("user", fenced(dict(data)))),
        task.temperature,
        schema=strict_schema(task.form),
        max_tokens=_MAX_TOKENS,
    )
    try:
        return task.form.model_validate(json_in(asker.ask(request)))
    except (ModelError, ValidationError, ValueError):
        return None


def _shown(text: str) -> str:
    # Plain, on one line, identifying nobody.
    return scrubbed(" ".join(without_markdown(text).split()), Redactor())


def _is_borne_out(value: str, text: str) -> bool:
    # Each word and number of the element occurs in the text, endings aside.
    said = FoldedText.of(text)
    stems = {word[:_STEM] for word in said.words}
    element = FoldedText.of(value)
    numbers = set(re.findall(r"\d+", element.folded))
    return (
        len(value) <= _LONGEST
        and "[" not in value
        and numbers <= set(re.findall(r"\d+", said.folded))
        and all(word[:_STEM] in stems for word in element.words if len(word) >= _STEM)
    )
