"""The structurer: word a research question, and word it again when gaps are filled. It does not judge."""

from __future__ import annotations

from orchestrator.research.graph.dialogue import known_elements, language_of, last_version, said
from orchestrator.research.graph.field_ownership import FieldWriter, Update
from orchestrator.research.graph.reasoners import ObservationReader
from orchestrator.research.graph.state import (
    AddressedGap,
    HypothesisVersion,
    MultiAgentState,
    StructuredElements,
    StructurerOutput,
)
from orchestrator.research.rules import ASPECTS, Element, Elements, compose
from orchestrator.texts import Texts, texts_in


class Structurer:
    """Makes the next version."""

    def __init__(self, reader: ObservationReader) -> None:
        self._reader = reader

    def __call__(self, state: MultiAgentState) -> Update:
        """Return the fields of the structurer for the next version."""
        language = language_of(state)
        texts = texts_in(language)
        known = known_elements(state, language)
        elements = self._reader.elements(state["user_input"], known, language)
        last = last_version(state)
        before = state["structurer_output"]
        output = StructurerOutput(
            structured_question=compose(elements, language),
            elements=StructuredElements(
                context=state["user_input"] if before is None else before["elements"]["context"],
                problem=_problem(elements, texts),
                contribution=texts.text(
                    "research.contribution", population=elements.population or texts.text("research.somebody")
                ),
            ),
            version=1 if last is None else last.version + 1,
            addressed_gaps=() if last is None else _addressed(last, known, elements, texts),
        )
        return {
            "structurer_output": output,
            "current_stage": "validating",
            **said(
                state,
                FieldWriter.STRUCTURER,
                texts.text("research.structured", version=output.version, question=output.structured_question),
            ),
        }


def _problem(elements: Elements, texts: Texts) -> str:
    population = elements.population or texts.text("research.somebody")
    if elements.exposure and elements.outcome:
        return texts.text(
            "research.problem_both", exposure=elements.exposure, outcome=elements.outcome, population=population
        )
    if elements.outcome:
        return texts.text("research.problem_outcome", outcome=elements.outcome, population=population)
    return texts.text("research.problem_exposure", exposure=elements.exposure, population=population)


def _addressed(last: HypothesisVersion, known: Elements, elements: Elements, texts: Texts) -> tuple[AddressedGap, ...]:
    named = {improvement.gap for improvement in last.feedback.improvements}
    return tuple(
        AddressedGap(aspect=ASPECTS[element], gap=texts.text(f"research.gaps.{element}.gap"), answer=elements[element])
        for element in Element
        if elements[element] and not known[element] and texts.text(f"research.gaps.{element}.gap") in named
    )
