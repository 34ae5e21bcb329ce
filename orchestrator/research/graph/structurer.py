"""The structurer: word a research question, and word it again when gaps are filled. It does not judge."""

from orchestrator.research.graph import state as desk_state
from orchestrator.research.graph.reasoners import Reasoners, told_by
from orchestrator.research.graph.state import MultiAgentState, Update
from orchestrator.research.rules import Elements, compose
from orchestrator.texts import Texts, texts_in


def structure(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the structurer for the next version."""
    known, last = state.known, state.last
    texts = texts_in(state.language)
    elements = told_by(reasoners, state)
    question, population = compose(elements, state.language), elements.population or texts.text("research.somebody")
    output = desk_state.StructurerOutput(
        structured_question=question,
        elements=desk_state.StructuredElements(
            context=state.user_input,
            problem=texts.text("research.problem", question=question),
            contribution=texts.text("research.contribution", population=population),
        ),
        version=1 if last is None else last.version + 1,
        addressed_gaps=() if last is None else _addressed(last, known, elements, texts),
    )
    told = texts.text("research.structured", version=output.version, question=question)
    return {"structurer_output": output, "current_stage": "validating", **state.saying("structurer", told)}


def _addressed(
    last: desk_state.HypothesisVersion, known: Elements, elements: Elements, texts: Texts
) -> tuple[desk_state.AddressedGap, ...]:
    return tuple(
        desk_state.AddressedGap(aspect=each.aspect, gap=each.gap, answer=elements[element])
        for each in last.feedback.improvements
        if (element := each.element(texts)) and elements[element] and not known[element]
    )
