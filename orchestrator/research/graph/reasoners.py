"""How the agents of a turn understand, judge and ask: by rules, or with a language model around the rules.

With a model, code still composes the question from what the person's own words bear out, and judges no model's text.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field, ValidationError, create_model

from mesh.arguments import Json
from orchestrator import llm
from orchestrator.journal import Purpose
from orchestrator.privacy import Redactor
from orchestrator.research import rules
from orchestrator.research.graph.state import HypothesisVersion, Improvement, MultiAgentState, Structure
from orchestrator.research.rules import Element, Elements
from orchestrator.texts import texts_in
from orchestrator.turn import Language, TurnScope

_MAX_TOKENS = 512
_REDACTOR = Redactor(patient_ids=True)
_LONGEST = 200
_STEM = 4  # letters that two forms of a word must share: "fazem" and "fazer"
_ELEMENTS: dict[str, Any] = {element.value: (str, ...) for element in Element}
_Found = create_model("_Found", __base__=Structure, **_ELEMENTS)
_A = TypeVar("_A", bound=Structure)
_PROMPTS = {
    Purpose.STRUCTURE: "research_structurer",
    Purpose.REVIEW: "research_methodologist",
    Purpose.REFLECT: "research_orchestrator",
}
# Plain, on one line, identifying nobody.
_SHOWN = AfterValidator(lambda text: _REDACTOR.redact(" ".join(llm.without_markdown(text).split())))
_Sentence = Annotated[str, Field(min_length=1, max_length=300), _SHOWN]


class Reasoners:
    """What the agents reason with, by rules alone."""

    def read(self, text: str, known: Elements, language: Language) -> Elements:
        """Return what is known with what a text adds to it; the same when it adds nothing."""
        if known.can_be_asked:
            return rules.answered(known, text, language)
        found = rules.read(text, language)
        if not found.can_be_asked and known.population:
            found = rules.topic(text, language)
        if not found.can_be_asked:
            return found.completed_by(known)
        together = rules.settled(found.completed_by(known), language)
        return together if together.present else found

    def lacks(self, question: str, found: tuple[Improvement, ...], language: Language) -> tuple[Improvement, ...]:  # noqa: ARG002 - the agents find by rules what they find
        """Return what a question lacks besides what the rules have found."""
        return ()

    def provoke(self, version: HypothesisVersion, language: Language) -> str:
        """Return a question that makes a person think, about the first gap of a version that has one."""
        first, texts = version.feedback.improvements[0], texts_in(language)
        element = first.element(texts)
        return first.suggestion if element is None else texts.text(f"research.gaps.{element}.reflection")


def told_by(reasoners: Reasoners, state: MultiAgentState) -> Elements:
    """Return what is known after a person's last words; a question that lacks nothing can only be corrected."""
    if state.last is not None and state.last.feedback.status == "approved":
        return rules.corrected(state.known, state.said, state.language)[0]
    return reasoners.read(state.said, state.known, state.language)


ReasonersOfTurn = Callable[[TurnScope], Reasoners]  # bind reasoners to a turn


class _Gap(Improvement):
    gap: _Sentence
    suggestion: _Sentence


class _Review(Structure):
    improvements: Annotated[tuple[_Gap, ...], Field(max_length=2)]


class _Thought(Structure):
    reflection: _Sentence


def desk_prompts() -> Mapping[Purpose, llm.PromptTemplate]:
    """Return the prompts of the desk; raise PromptError when one is missing or has other placeholders."""
    return {purpose: llm.read_prompt(name, ("language",)) for purpose, name in _PROMPTS.items()}


class ModelReasoners(Reasoners):
    """Reasoners that ask a model, with the prompts of `desk_prompts`, and the rules for what it does not find."""

    def __init__(self, asker: llm.Asker, prompts: Mapping[Purpose, llm.PromptTemplate]) -> None:
        self._asker = asker
        self._prompts = prompts
        self._read = lru_cache(maxsize=1)(self._asked)  # the same question twice in a turn costs one call

    def read(self, text: str, known: Elements, language: Language) -> Elements:
        """Return what is known with what a text adds to it."""
        return self._read(text, known, language)

    def _asked(self, text: str, known: Elements, language: Language) -> Elements:
        by_rules = super().read(text, known, language)
        data: dict[str, Json] = {
            "text": text,
            "known": {element.value: known[element] for element in Element},
            "question": rules.compose(known, language) if known.can_be_asked else "",
        }
        found = self._ask(Purpose.STRUCTURE, _Found, language, data)
        if found is None:
            return by_rules
        borne_out = ((name, value) for name, value in found.model_dump().items() if _is_borne_out(value, text))
        proposed = Elements(**{name: rules.FoldedText.of(value).cut().original for name, value in borne_out})
        known, _ = rules.corrected(known, text, language)
        for together in (known.completed_by(proposed).completed_by(by_rules), known.completed_by(proposed)):
            if together.can_be_asked and rules.settled(together, language).present:
                return together
        return by_rules

    def lacks(self, question: str, found: tuple[Improvement, ...], language: Language) -> tuple[Improvement, ...]:
        """Return up to two gaps in aspects where the rules have found nothing."""
        told: list[Json] = [{"aspect": each.aspect.value, "gap": each.gap} for each in found]
        data: Json = {"question": question, "found": told}
        review = self._ask(Purpose.REVIEW, _Review, language, data)
        if review is None:
            return ()
        known = {improvement.aspect for improvement in found}
        return tuple(each for each in review.improvements if each.aspect not in known and each.gap and each.suggestion)

    def provoke(self, version: HypothesisVersion, language: Language) -> str:
        """Return an open question about the first gap, or the rules' own."""
        gaps: list[Json] = [one.gap for one in version.feedback.improvements]
        data: Json = {"question": version.question, "gaps": gaps}
        thought = self._ask(Purpose.REFLECT, _Thought, language, data, temperature=0.3)
        reflection = "" if thought is None else thought.reflection
        return reflection if reflection.endswith("?") else super().provoke(version, language)

    def _ask(
        self, purpose: Purpose, form: type[_A], language: Language, data: Json, temperature: float = 0.0
    ) -> _A | None:
        prompt, schema = self._prompts[purpose].fill(language=language.english_name), llm.strict_schema(form)
        request = llm.ModelRequest(purpose, prompt, llm.fenced(data), temperature, schema, _MAX_TOKENS)
        try:
            return form.model_validate(llm.json_in(self._asker.ask(request)))
        except (llm.ModelError, ValidationError, ValueError):
            return None


def _is_borne_out(value: str, text: str) -> bool:
    said = rules.FoldedText.of(text)  # each word and number of the element occurs in the text, endings aside
    stems = {word[:_STEM] for word in said.words}
    element = rules.FoldedText.of(value)
    numbers = set(re.findall(r"\d+", element.folded))
    return (
        len(value) <= _LONGEST
        and "[" not in value
        and numbers <= set(re.findall(r"\d+", said.folded))
        and all(word[:_STEM] in stems for word in element.words if len(word) >= _STEM)
    )
