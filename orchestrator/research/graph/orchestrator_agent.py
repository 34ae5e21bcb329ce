"""The conversational orchestrator: decide who goes on, and ask the person something to think about."""

from collections.abc import Mapping
from typing import Any, Literal

from orchestrator.planner.lexicon import phrases, sections
from orchestrator.research.graph.dialogue import listed, said
from orchestrator.research.graph.field_ownership import Update
from orchestrator.research.graph.reasoners import Reasoners
from orchestrator.research.graph.state import AgentSuggestion, FocalArgument, MultiAgentState, StageSuggestion
from orchestrator.research.rules import (
    ASPECTS,
    LEXICON,
    Element,
    Elements,
    FoldedText,
    ScreeningRefusal,
    gaps,
    is_measurable,
    refusal_of,
)
from orchestrator.texts import Texts, texts_in

_Intent = Literal["test_hypothesis", "review_literature", "build_theory"]
_Article = Literal["empirical", "review", "theoretical"]

_ARTICLES: Mapping[_Intent, _Article] = {"review_literature": "review", "build_theory": "theoretical"}
"""The articles of the intents that a person names, with the words of `lexicon/intents.txt`."""


def focus_of(text: str, elements: Elements, before: FocalArgument | None) -> FocalArgument:
    """Return the focal argument after the person's last words; `before` is None before the first."""
    folded = FoldedText.of(text).folded
    named = (kind for kind in _ARTICLES.items() if phrases(sections("intents", LEXICON)[kind[0]]).search(folded))
    earlier: tuple[_Intent, _Article] = ("test_hypothesis", "empirical")
    if before is not None:
        earlier = before.intent, before.article_type
    intent, article_type = next(named, earlier)
    counted = elements.outcome if is_measurable(elements.outcome) else ""
    return FocalArgument(
        intent=intent,
        subject=" → ".join(filter(None, (elements.exposure, elements.outcome))),
        population=elements.population,
        metrics=elements.measure or counted,
        article_type=article_type,
    )


def orchestrate(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the orchestrator for the person's last words."""
    texts = texts_in(state.language)
    if state.is_done:
        finished = texts.text("research.finished")
        return _saying(state, finished, orchestrator_analysis=finished)
    refusal, refused = refusal_of(state.said), texts.text("research.analysis_refused")
    if refusal is ScreeningRefusal.CRISIS:
        crisis = texts.text("research.crisis")
        return _saying(state, crisis, next_step="clarify", orchestrator_analysis=refused)
    if refusal is not None:
        why = texts.text("research.to_methodologist")
        return _suggesting(state, "methodologist", why, orchestrator_analysis=refused)
    told = reasoners.read(state.said, state.known, state.language)
    added = told.present - state.known.present
    focal = focus_of(state.said, told, state.focal_argument)
    if told.can_be_asked and added:
        return _structuring(state, added, focal, texts)
    return _asking(state, told, focal, texts)


def _structuring(
    state: MultiAgentState, added: frozenset[Element], focal: FocalArgument, texts: Texts
) -> dict[str, Any]:
    aspects = listed((ASPECTS[element] for element in Element if element in added), texts)
    if state.last is None:
        why, analysis = texts.text("research.to_structurer"), texts.text("research.analysis_new", known=aspects)
        reason = texts.text("research.emerged")
        emerged = StageSuggestion(from_stage="exploration", to_stage="hypothesis", justification=reason)
    else:
        why = texts.text("research.to_structurer_again", gaps=aspects)
        analysis, emerged = texts.text("research.analysis_answer", known=aspects), None
    return _suggesting(
        state,
        "structurer",
        why,
        current_stage="structuring",
        orchestrator_analysis=analysis,
        focal_argument=focal,
        stage_suggestion=emerged,
    )


def _asking(state: MultiAgentState, told: Elements, focal: FocalArgument, texts: Texts) -> dict[str, Any]:
    gap = next(iter(gaps(told)), Element.POPULATION) if told.can_be_asked else Element.OUTCOME
    reflection = texts.text(f"research.gaps.{gap}.reflection")
    if told.can_be_asked:
        suggestion = texts.text(f"research.gaps.{gap}.suggestion")
        prompt = texts.text("research.nothing_added", reflection=reflection, suggestion=suggestion)
    elif told.population:
        prompt = texts.text("research.explore_population", population=told.population)
    else:
        prompt = texts.text("research.explore")
    return _saying(
        state,
        prompt,
        next_step="clarify" if told.can_be_asked else "explore",
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
"""The fields that hold for one turn only."""


def _saying(state: MultiAgentState, text: str, **fields: object) -> dict[str, Any]:
    return {**_NOTHING, **fields, **said(state, "orchestrator", text)}


def _suggesting(
    state: MultiAgentState, agent: Literal["structurer", "methodologist"], why: str, **fields: object
) -> dict[str, Any]:
    suggestion = AgentSuggestion(agent=agent, justification=why)
    return _saying(state, why, next_step="suggest_agent", agent_suggestion=suggestion, **fields)


def reflect(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the orchestrator after a verdict of the methodologist."""
    last, judged = state.last, state.methodologist_output
    if last is None or judged is None or judged.status == "rejected":
        return {"next_step": "clarify"}
    if not state.is_done:
        prompt = reasoners.provoke(last, state.language)
        return {"next_step": "clarify", "reflection_prompt": prompt, **said(state, "orchestrator", prompt)}
    if last.feedback.status != "approved":
        return {"next_step": None}
    why = texts_in(state.language).text("research.matured")
    matured = StageSuggestion(from_stage="hypothesis", to_stage="methodology", justification=why)
    return {"next_step": None, "stage_suggestion": matured, **said(state, "orchestrator", why)}
