"""The structurer: word a research question, and word it again when gaps are filled. It does not judge."""

from orchestrator.research.graph.field_ownership import Update
from orchestrator.research.graph.reasoners import Reasoners, told_by
from orchestrator.research.graph.state import (
    AddressedGap,
    HypothesisVersion,
    MultiAgentState,
    StructuredElements,
    StructurerOutput,
)
from orchestrator.research.rules import ASPECTS, Element, Elements, compose
from orchestrator.texts import Texts, texts_in


def structure(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the structurer for the next version."""
    known, last = state.known, state.last
    texts = texts_in(state.language)
    elements = told_by(reasoners, state)
    question, population = compose(elements, state.language), elements.population or texts.text("research.somebody")
    output = StructurerOutput(
        structured_question=question,
        elements=StructuredElements(
            context=state.user_input,
            problem=texts.text("research.problem", question=question),
            contribution=texts.text("research.contribution", population=population),
        ),
        version=1 if last is None else last.version + 1,
        addressed_gaps=() if last is None else _addressed(last, known, elements, texts),
    )
    told = texts.text("research.structured", version=output.version, question=question)
    return {"structurer_output": output, "current_stage": "validating", **state.saying("structurer", told)}


def _addressed(last: HypothesisVersion, known: Elements, elements: Elements, texts: Texts) -> tuple[AddressedGap, ...]:
    named = {improvement.gap for improvement in last.feedback.improvements}
    return tuple(
        AddressedGap(aspect=ASPECTS[element], gap=texts.text(f"research.gaps.{element}.gap"), answer=elements[element])
        for element in Element
        if elements[element] and not known[element] and texts.text(f"research.gaps.{element}.gap") in named
    )
