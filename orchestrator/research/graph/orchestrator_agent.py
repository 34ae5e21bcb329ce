"""The conversational orchestrator: decide who goes on, and ask the person something to think about."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from orchestrator.research import rules
from orchestrator.research.graph import state as desk_state
from orchestrator.research.graph.reasoners import Reasoners, told_by
from orchestrator.research.graph.state import MultiAgentState, Update
from orchestrator.research.rules import Element, Elements
from orchestrator.texts import Texts, texts_in

_ARTICLES: Mapping[rules.Intent, Literal["empirical", "review", "theoretical"]] = {
    "test_hypothesis": "empirical",
    "review_literature": "review",
    "build_theory": "theoretical",
}
_NOTHING = dict.fromkeys(("next_step", "agent_suggestion", "reflection_prompt", "stage_suggestion"))
"""The fields that hold for one turn only."""


def _focus_of(state: MultiAgentState, elements: Elements) -> desk_state.FocalArgument:
    intent = rules.requested(state.said, state.language)[0] or state.intent
    counted = elements.outcome if rules.is_measurable(elements.outcome) else ""
    return desk_state.FocalArgument(
        intent=intent,
        subject=" → ".join(filter(None, (elements.exposure, elements.outcome))),
        population=elements.population,
        metrics=elements.measure or counted,
        article_type=_ARTICLES[intent],
    )


def orchestrate(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the orchestrator for the person's last words."""
    texts = texts_in(state.language)
    refusal, refused = rules.refusal_of(state.said), texts.text("research.analysis_refused")
    if refusal is rules.ScreeningRefusal.CRISIS:
        crisis = texts.text("research.crisis")
        return _saying(state, crisis, next_step="clarify", orchestrator_analysis=refused)
    if refusal is not None:
        why = texts.text("research.to_methodologist")
        return _suggesting(state, "methodologist", why, orchestrator_analysis=refused)
    told = told_by(reasoners, state)
    focal = _focus_of(state, told)
    changed = [element for element in Element if told[element] != state.known[element]]
    is_other_work = state.last is not None and focal.intent != state.intent
    if told.can_be_asked and (changed or is_other_work) and len(state.hypothesis_versions) < desk_state.MAX_VERSIONS:
        return _structuring(state, changed, focal, texts)
    if state.current_stage == "done":
        finished = texts.text("research.finished")
        if changed and told.can_be_asked:
            corrected = rules.compose(told, state.language)
            finished = texts.text("research.last_version", version=desk_state.MAX_VERSIONS, question=corrected)
        return _saying(state, finished, orchestrator_analysis=finished)
    return _asking(state, told, focal, texts)


def _structuring(
    state: MultiAgentState, changed: Sequence[Element], focal: desk_state.FocalArgument, texts: Texts
) -> dict[str, Any]:
    aspects = desk_state.listed((rules.ASPECTS[element] for element in changed), texts)
    if state.last is None:
        why, reason = texts.text("research.to_structurer"), texts.text("research.emerged")
        emerged = desk_state.StageSuggestion(from_stage="exploration", to_stage="hypothesis", justification=reason)
    else:
        is_correction = any(state.known[element] for element in changed)
        why = texts.text("research.corrected" if is_correction else "research.to_structurer_again", gaps=aspects)
        why, emerged = why if changed else texts.text("research.other_work"), None
    return _suggesting(
        state,
        "structurer",
        why,
        current_stage="structuring",
        orchestrator_analysis=texts.text("research.analysis", known=aspects) if changed else why,
        focal_argument=focal,
        stage_suggestion=emerged,
    )


def _asking(state: MultiAgentState, told: Elements, focal: desk_state.FocalArgument, texts: Texts) -> dict[str, Any]:
    gap = next(iter(rules.gaps(told, focal.intent)), Element.POPULATION) if told.can_be_asked else Element.OUTCOME
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


def _saying(state: MultiAgentState, text: str, **fields: object) -> dict[str, Any]:
    return {**_NOTHING, **fields, **state.saying("orchestrator", text)}


def _suggesting(
    state: MultiAgentState, agent: Literal["structurer", "methodologist"], why: str, **fields: object
) -> dict[str, Any]:
    suggestion = desk_state.AgentSuggestion(agent=agent, justification=why)
    return _saying(state, why, next_step="suggest_agent", agent_suggestion=suggestion, **fields)


def reflect(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the orchestrator after a verdict of the methodologist."""
    last, judged = state.last, state.methodologist_output
    if last is None or judged is None or judged.status == "rejected":
        return {"next_step": "clarify"}
    if state.current_stage != "done":
        prompt = reasoners.provoke(last, state.language)
        return {"next_step": "clarify", "reflection_prompt": prompt, **state.saying("orchestrator", prompt)}
    if last.feedback.status != "approved":
        return {"next_step": None}
    why = texts_in(state.language).text(f"research.matured.{state.intent}")
    matured = desk_state.StageSuggestion(from_stage="hypothesis", to_stage="methodology", justification=why)
    return {"next_step": None, "stage_suggestion": matured, **state.saying("orchestrator", why)}
