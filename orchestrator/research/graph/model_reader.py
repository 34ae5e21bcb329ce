"""The `Reader` with a language model: it finds the elements in free words, and code keeps what the words bear out.

The question is composed by code from the elements, so that what is judged, shown and exported is nothing that a model
wrote: at most it is what a model found in the person's own words.
"""

from __future__ import annotations

import re

from mesh.arguments import Json
from orchestrator.llm import Asker, PromptTemplate
from orchestrator.research.graph.model_answers import TEXT, AnswerForm, asked, object_of
from orchestrator.research.graph.reader import ObservationReader
from orchestrator.research.rules import Element, Elements, FoldedText, compose, settled
from orchestrator.turn import Language, Purpose

_LONGEST = 200
_STEM = 4
"""Letters by which two forms of a word are told to be the same: "fazem" and "fazer"."""


class _Found(AnswerForm):
    exposure: str
    outcome: str
    population: str
    comparison: str
    measure: str
    time: str


_SCHEMA = object_of(**dict.fromkeys(Element, TEXT))


class ModelReader:
    """Asks a model, and the rules for what it does not find.

    Args:
        asker: The model, for this turn.
        prompt: `research_structurer`.
        rules: Reads without a model.
    """

    def __init__(self, asker: Asker, prompt: PromptTemplate, rules: ObservationReader) -> None:
        self._asker = asker
        self._prompt = prompt
        self._rules = rules
        self._last: tuple[tuple[str, Elements, Language], Elements] | None = None

    def elements(self, text: str, known: Elements, language: Language) -> Elements:
        """Return what is known with what a text adds to it; two agents of a turn that ask the same cost one call."""
        asked_for = (text, known, language)
        if self._last is None or self._last[0] != asked_for:
            self._last = (asked_for, self._read(text, known, language))
        return self._last[1]

    def _read(self, text: str, known: Elements, language: Language) -> Elements:
        by_rules = self._rules.elements(text, known, language)
        data: dict[str, Json] = {
            "text": text,
            "known": {element.value: known[element] for element in Element},
            "question": compose(known, language) if known.can_be_asked else "",
        }
        found = asked(self._asker, Purpose.STRUCTURE, self._prompt, language, data, _Found, _SCHEMA)
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


def _is_borne_out(value: str, text: str) -> bool:
    """Return whether each word and number of an element stands in the text, its ending aside."""
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
