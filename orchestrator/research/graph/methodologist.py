"""The methodologist: approve a question if and only if it has no gap. A second opinion can only add gaps."""

from __future__ import annotations

from orchestrator.research.graph.dialogue import language_of, listed, said
from orchestrator.research.graph.field_ownership import FieldWriter, Update
from orchestrator.research.graph.reasoners import SecondOpinion
from orchestrator.research.graph.state import (
    MAX_VERSIONS,
    AddressedGap,
    Feedback,
    HypothesisVersion,
    Improvement,
    MethodologistOutput,
    MultiAgentState,
    StructurerOutput,
)
from orchestrator.research.rules import ASPECTS, Element, ScreeningRefusal, gaps, parse, refusal_of
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Language


class Methodologist:
    """Judge a version, or reject what cannot be structured."""

    def __init__(self, opinion: SecondOpinion) -> None:
        self._opinion = opinion

    def __call__(self, state: MultiAgentState) -> Update:
        """Return the fields of the methodologist."""
        language = language_of(state)
        texts = texts_in(language)
        suggestion = state["agent_suggestion"]
        if suggestion is not None and suggestion["agent"] == "methodologist":
            return _rejecting(state, refusal_of(state["user_input"]) or ScreeningRefusal.VALUES, texts)
        return self._judging(state, language, texts)

    def _judging(self, state: MultiAgentState, language: Language, texts: Texts) -> Update:
        structured = StructurerOutput.model_validate(state["structurer_output"])
        question, version = structured.structured_question, structured.version
        found = improvements_of(question, language)
        improvements = (*found, *self._opinion.improvements(question, found, language))
        is_approved = not improvements
        output = MethodologistOutput(
            status="approved" if is_approved else "needs_refinement",
            justification=_justification(version, improvements, texts),
            improvements=improvements,
            clarifications=_clarified(state, structured.addressed_gaps),
        )
        feedback = Feedback(status="approved" if is_approved else "needs_refinement", improvements=improvements)
        is_over = is_approved or version >= MAX_VERSIONS
        return {
            "methodologist_output": output,
            "hypothesis_versions": [
                *state["hypothesis_versions"],
                HypothesisVersion(version=version, question=question, feedback=feedback),
            ],
            "current_stage": "done" if is_over else "validating",
            **said(state, FieldWriter.METHODOLOGIST, output.justification),
        }


def improvements_of(question: str, language: Language) -> tuple[Improvement, ...]:
    """Return the gaps of a question in canonical form, by the rules."""
    texts = texts_in(language)
    return tuple(_improvement(element, texts) for element in gaps(parse(question, language)))


def _improvement(element: Element, texts: Texts) -> Improvement:
    return Improvement(
        aspect=ASPECTS[element],
        gap=texts.text(f"research.gaps.{element}.gap"),
        suggestion=texts.text(f"research.gaps.{element}.suggestion"),
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
    return {"methodologist_output": output, **said(state, FieldWriter.METHODOLOGIST, output.justification)}


def _clarified(state: MultiAgentState, addressed: tuple[AddressedGap, ...]) -> dict[str, str]:
    clarifications = _clarifications(state)
    for gap in addressed:
        before = clarifications.get(gap.aspect.value)
        clarifications[gap.aspect.value] = gap.answer if before is None else f"{before}; {gap.answer}"
    return clarifications


def _clarifications(state: MultiAgentState) -> dict[str, str]:
    before = state["methodologist_output"]
    return {} if before is None else dict(before["clarifications"])
