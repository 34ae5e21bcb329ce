"""The methodologist: approve a question if and only if it has no gap. A second opinion can only add gaps."""

from orchestrator.research.graph.dialogue import listed, said
from orchestrator.research.graph.field_ownership import Update
from orchestrator.research.graph.reasoners import Reasoners
from orchestrator.research.graph.state import (
    MAX_VERSIONS,
    AddressedGap,
    Feedback,
    HypothesisVersion,
    Improvement,
    MethodologistOutput,
    MultiAgentState,
)
from orchestrator.research.rules import ASPECTS, ScreeningRefusal, gaps, parse, refusal_of
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Language


def examine(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the methodologist: the verdict on a version, or a refusal of what cannot be structured."""
    texts, structured = texts_in(state.language), state.structurer_output
    suggested = state.agent_suggestion is not None and state.agent_suggestion.agent == "methodologist"
    if suggested or structured is None:
        return _rejecting(state, refusal_of(state.said) or ScreeningRefusal.VALUES, texts)
    question, version = structured.structured_question, structured.version
    found = improvements_of(question, state.language)
    improvements = (*found, *reasoners.lacks(question, found, state.language))
    feedback = Feedback(status="needs_refinement" if improvements else "approved", improvements=improvements)
    output = MethodologistOutput(
        status=feedback.status,
        justification=_justification(version, improvements, texts),
        improvements=improvements,
        clarifications=_clarifications(state, structured.addressed_gaps),
    )
    judged = HypothesisVersion(version=version, question=question, feedback=feedback)
    return {
        "methodologist_output": output,
        "hypothesis_versions": (*state.hypothesis_versions, judged),
        "current_stage": "validating" if improvements and version < MAX_VERSIONS else "done",
        **said(state, "methodologist", output.justification),
    }


def improvements_of(question: str, language: Language) -> tuple[Improvement, ...]:
    """Return the gaps of a question in canonical form, by the rules."""
    texts = texts_in(language)
    return tuple(
        Improvement(
            aspect=ASPECTS[element],
            gap=texts.text(f"research.gaps.{element}.gap"),
            suggestion=texts.text(f"research.gaps.{element}.suggestion"),
        )
        for element in gaps(parse(question, language))
    )


def _justification(version: int, improvements: tuple[Improvement, ...], texts: Texts) -> str:
    if not improvements:
        return texts.text("research.approved", version=version)
    aspects = listed((improvement.aspect for improvement in improvements), texts)
    if version >= MAX_VERSIONS:
        return texts.text("research.ended_open", version=version, gaps=aspects)
    return texts.text("research.needs_refinement", version=version, gaps=aspects)


def _rejecting(state: MultiAgentState, refusal: ScreeningRefusal, texts: Texts) -> Update:
    output = MethodologistOutput(
        status="rejected",
        justification=texts.text(f"research.refusals.{refusal}"),
        clarifications=_clarifications(state),
    )
    return {"methodologist_output": output, **said(state, "methodologist", output.justification)}


def _clarifications(state: MultiAgentState, addressed: tuple[AddressedGap, ...] = ()) -> dict[str, str]:
    output = state.methodologist_output
    clarifications = {} if output is None else dict(output.clarifications)
    for gap in addressed:
        before = clarifications.get(gap.aspect.value)
        clarifications[gap.aspect.value] = gap.answer if before is None else f"{before}; {gap.answer}"
    return clarifications
