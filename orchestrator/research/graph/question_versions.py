"""Two agents that make the versions of a research question: the structurer words one, the methodologist judges it.

The structurer words it again when gaps are filled. The methodologist approves a question if and only if it has no gap;
a second opinion can only add gaps.
"""

from orchestrator.research import rules
from orchestrator.research.graph import state as desk_state
from orchestrator.research.graph.reasoners import Reasoners, told_by
from orchestrator.research.graph.state import MultiAgentState, Update
from orchestrator.texts import Texts, texts_in


def structure(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the structurer for the next version."""
    known, last = state.known, state.last
    texts = texts_in(state.language)
    elements = told_by(reasoners, state)
    question = rules.compose(elements, state.language)
    population = elements.population or texts.text("research.somebody")
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
    last: desk_state.HypothesisVersion, known: rules.Elements, elements: rules.Elements, texts: Texts
) -> tuple[desk_state.AddressedGap, ...]:
    return tuple(
        desk_state.AddressedGap(aspect=each.aspect, gap=each.gap, answer=elements[element])
        for each in last.feedback.improvements
        if (element := each.element(texts)) and elements[element] and not known[element]
    )


def examine(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the methodologist: the verdict on a version, or a refusal of what cannot be structured."""
    texts, structured = texts_in(state.language), state.structurer_output
    suggested = state.agent_suggestion is not None and state.agent_suggestion.agent == "methodologist"
    if suggested or structured is None:
        return _rejecting(state, rules.refusal_of(state.said) or rules.ScreeningRefusal.VALUES, texts)
    question, version = structured.structured_question, structured.version
    elements = rules.parse(question, state.language)
    found = tuple(desk_state.Improvement.of(each, texts) for each in rules.gaps(elements, state.intent))
    improvements = (*found, *reasoners.lacks(question, found, state.language))
    feedback = desk_state.Feedback(status="needs_refinement" if improvements else "approved", improvements=improvements)
    output = desk_state.MethodologistOutput(
        status=feedback.status,
        justification=_justification(version, improvements, state.intent, texts),
        improvements=improvements,
        clarifications=_clarifications(state, elements),
    )
    judged = desk_state.HypothesisVersion(version=version, question=question, feedback=feedback)
    return {
        "methodologist_output": output,
        "hypothesis_versions": (*state.hypothesis_versions, judged),
        "current_stage": "validating" if improvements and version < desk_state.MAX_VERSIONS else "done",
        **state.saying("methodologist", output.justification),
    }


def _justification(
    version: int, improvements: tuple[desk_state.Improvement, ...], intent: rules.Intent, texts: Texts
) -> str:
    if not improvements:
        return texts.text(f"research.approved.{intent}", version=version)
    aspects = desk_state.listed((improvement.aspect for improvement in improvements), texts)
    if version >= desk_state.MAX_VERSIONS:
        return texts.text("research.ended_open", version=version, gaps=aspects)
    return texts.text(f"research.needs_refinement.{intent}", version=version, gaps=aspects)


def _rejecting(state: MultiAgentState, refusal: rules.ScreeningRefusal, texts: Texts) -> Update:
    output = desk_state.MethodologistOutput(
        status="rejected",
        justification=texts.text(f"research.refusals.{refusal}"),
        clarifications=_clarifications(state, state.known),
    )
    return {"methodologist_output": output, **state.saying("methodologist", output.justification)}


def _clarifications(state: MultiAgentState, elements: rules.Elements) -> dict[str, str]:
    first = state.hypothesis_versions[0].question if state.hypothesis_versions else ""
    asked = [element for element in rules.Element if first and not rules.parse(first, state.language)[element]]
    answers = [(rules.ASPECTS[element].value, elements[element]) for element in asked if elements[element]]
    return {aspect: "; ".join(text for under, text in answers if under == aspect) for aspect, _ in answers}
