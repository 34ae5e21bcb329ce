"""The conversational orchestrator: listens, says who goes on, and gives the person something to think about.

It knows that the others exist and what they are for, not how they work. It never words a question and judges none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orchestrator.research.graph.dialogue import is_done, known_elements, language_of, last_version, listed, said
from orchestrator.research.graph.field_ownership import FieldWriter, Update
from orchestrator.research.graph.focus import focus_of
from orchestrator.research.graph.reader import ObservationReader
from orchestrator.research.graph.state import MultiAgentState
from orchestrator.research.graph.structures import AgentSuggestion, FocalArgument, StageSuggestion
from orchestrator.research.rules import Element, Elements, ScreeningRefusal, gaps, refusal_of
from orchestrator.texts import Texts, texts_in


class Orchestrator:
    """Decides what is done with what the person said.

    Args:
        reader: Understands it.
    """

    def __init__(self, reader: ObservationReader) -> None:
        self._reader = reader

    def __call__(self, state: MultiAgentState) -> Update:
        """Return the fields of the orchestrator for the person's last words."""
        language = language_of(state)
        texts = texts_in(language)
        if is_done(state):
            return _saying(
                state, texts.text("research.finished"), orchestrator_analysis=texts.text("research.finished")
            )
        refusal = refusal_of(state["user_input"])
        if refusal is ScreeningRefusal.CRISIS:
            return _saying(
                state,
                texts.text("research.crisis"),
                next_step="clarify",
                orchestrator_analysis=texts.text("research.analysis_refused"),
            )
        if refusal is not None:
            return _suggesting(
                state,
                "methodologist",
                texts.text("research.to_methodologist"),
                orchestrator_analysis=texts.text("research.analysis_refused"),
            )
        known = known_elements(state, language)
        told = self._reader.elements(state["user_input"], known, language)
        added = told.present - known.present
        focal = focus_of(state["user_input"], told, state["focal_argument"])
        if not told.can_be_asked:
            return _exploring(state, told, focal, texts)
        if not added:
            return _asking_again(state, told, focal, texts)
        return _structuring(state, added, focal, texts)


def _structuring(
    state: MultiAgentState, added: frozenset[Element], focal: FocalArgument, texts: Texts
) -> dict[str, Any]:
    in_order = tuple(element for element in Element if element in added)
    is_first = last_version(state) is None
    analysis = texts.text(
        "research.analysis_new" if is_first else "research.analysis_answer", known=listed(in_order, texts)
    )
    why = (
        texts.text("research.to_structurer")
        if is_first
        else texts.text("research.to_structurer_again", gaps=listed(in_order, texts))
    )
    emerged = StageSuggestion(
        from_stage="exploration", to_stage="hypothesis", justification=texts.text("research.emerged")
    )
    return _suggesting(
        state,
        "structurer",
        why,
        current_stage="structuring",
        orchestrator_analysis=analysis,
        focal_argument=focal,
        stage_suggestion=emerged if is_first else None,
    )


def _exploring(state: MultiAgentState, told: Elements, focal: FocalArgument, texts: Texts) -> dict[str, Any]:
    prompt = (
        texts.text("research.explore_population", population=told.population)
        if told.population
        else texts.text("research.explore")
    )
    return _saying(
        state,
        prompt,
        next_step="explore",
        orchestrator_analysis=texts.text("research.analysis_vague"),
        focal_argument=focal,
        reflection_prompt=texts.text("research.gaps.outcome.reflection"),
    )


def _asking_again(state: MultiAgentState, told: Elements, focal: FocalArgument, texts: Texts) -> dict[str, Any]:
    first, *_ = gaps(told) or (Element.POPULATION,)
    reflection, suggestion = (
        texts.text(f"research.gaps.{first}.reflection"),
        texts.text(f"research.gaps.{first}.suggestion"),
    )
    return _saying(
        state,
        texts.text("research.nothing_added", reflection=reflection, suggestion=suggestion),
        next_step="clarify",
        orchestrator_analysis=texts.text("research.analysis_vague"),
        focal_argument=focal,
        reflection_prompt=reflection,
    )


_NOTHING: Mapping[str, Any] = {
    "next_step": None,
    "agent_suggestion": None,
    "reflection_prompt": None,
    "stage_suggestion": None,
}
"""What holds for one turn only and is forgotten with the next."""


def _saying(state: MultiAgentState, text: str, **fields: object) -> dict[str, Any]:
    return {**_NOTHING, **fields, **said(state, FieldWriter.ORCHESTRATOR, text)}


def _suggesting(state: MultiAgentState, agent: str, why: str, **fields: object) -> dict[str, Any]:
    suggestion = AgentSuggestion.model_validate({"agent": agent, "justification": why})
    return _saying(state, why, next_step="suggest_agent", agent_suggestion=suggestion, **fields)
