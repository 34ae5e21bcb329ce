"""The methodologist: approve a question if and only if it has no gap. A second opinion can only add gaps."""

from orchestrator.research.graph import state as desk_state
from orchestrator.research.graph.reasoners import Reasoners
from orchestrator.research.graph.state import MultiAgentState, Update
from orchestrator.research.rules import ASPECTS, Element, Elements, Intent, ScreeningRefusal, gaps, parse, refusal_of
from orchestrator.texts import Texts, texts_in


def examine(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the methodologist: the verdict on a version, or a refusal of what cannot be structured."""
    texts, structured = texts_in(state.language), state.structurer_output
    suggested = state.agent_suggestion is not None and state.agent_suggestion.agent == "methodologist"
    if suggested or structured is None:
        return _rejecting(state, refusal_of(state.said) or ScreeningRefusal.VALUES, texts)
    question, version = structured.structured_question, structured.version
    lacking = gaps(parse(question, state.language), state.intent)
    found = tuple(desk_state.Improvement.of(each, texts) for each in lacking)
    improvements = (*found, *reasoners.lacks(question, found, state.language))
    feedback = desk_state.Feedback(status="needs_refinement" if improvements else "approved", improvements=improvements)
    output = desk_state.MethodologistOutput(
        status=feedback.status,
        justification=_justification(version, improvements, state.intent, texts),
        improvements=improvements,
        clarifications=_clarifications(state, parse(question, state.language)),
    )
    judged = desk_state.HypothesisVersion(version=version, question=question, feedback=feedback)
    return {
        "methodologist_output": output,
        "hypothesis_versions": (*state.hypothesis_versions, judged),
        "current_stage": "validating" if improvements and version < desk_state.MAX_VERSIONS else "done",
        **state.saying("methodologist", output.justification),
    }


def _justification(version: int, improvements: tuple[desk_state.Improvement, ...], intent: Intent, texts: Texts) -> str:
    if not improvements:
        return texts.text(f"research.approved.{intent}", version=version)
    aspects = desk_state.listed((improvement.aspect for improvement in improvements), texts)
    if version >= desk_state.MAX_VERSIONS:
        return texts.text("research.ended_open", version=version, gaps=aspects)
    return texts.text(f"research.needs_refinement.{intent}", version=version, gaps=aspects)


def _rejecting(state: MultiAgentState, refusal: ScreeningRefusal, texts: Texts) -> Update:
    output = desk_state.MethodologistOutput(
        status="rejected",
        justification=texts.text(f"research.refusals.{refusal}"),
        clarifications=_clarifications(state, state.known),
    )
    return {"methodologist_output": output, **state.saying("methodologist", output.justification)}


def _clarifications(state: MultiAgentState, elements: Elements) -> dict[str, str]:
    first = state.hypothesis_versions[0].question if state.hypothesis_versions else ""
    asked = [element for element in Element if first and not parse(first, state.language)[element]]
    answers = [(ASPECTS[element].value, elements[element]) for element in asked if elements[element]]
    return {aspect: "; ".join(text for under, text in answers if under == aspect) for aspect, _ in answers}
