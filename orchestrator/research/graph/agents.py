"""The agents of the desk: an orchestrator decides who goes on and asks, a structurer words, a methodologist judges.

The structurer words a question again when gaps are filled. The methodologist approves one if and only if it has no gap;
a second opinion can only add gaps.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from orchestrator.research import rules
from orchestrator.research.graph import state as desk_state
from orchestrator.research.graph.reasoners import Reasoners, told_by
from orchestrator.research.graph.state import MultiAgentState, Update
from orchestrator.texts import Texts, texts_in

_ARTICLES: Mapping[rules.Intent, Literal["empirical", "review", "theoretical"]] = {
    "test_hypothesis": "empirical",
    "review_literature": "review",
    "build_theory": "theoretical",
}
_Suggested = Literal["structurer", "methodologist"]
_NOTHING = dict.fromkeys(("next_step", "agent_suggestion", "reflection_prompt", "stage_suggestion"))
"""The fields that hold for one turn only."""


def _focus_of(state: MultiAgentState, elements: rules.Elements) -> desk_state.FocalArgument:
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
        return _saying(state, texts.text("research.crisis"), next_step="clarify", orchestrator_analysis=refused)
    if refusal is not None:
        why = texts.text("research.to_methodologist")
        return _suggesting(state, "methodologist", why, orchestrator_analysis=refused)
    told = told_by(reasoners, state)
    focal = _focus_of(state, told)
    changed = [element for element in rules.Element if told[element] != state.known[element]]
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
    state: MultiAgentState, changed: Sequence[rules.Element], focal: desk_state.FocalArgument, texts: Texts
) -> Update:
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


def _asking(state: MultiAgentState, told: rules.Elements, focal: desk_state.FocalArgument, texts: Texts) -> Update:
    gap = rules.Element.OUTCOME
    if told.can_be_asked:
        gap = next(iter(rules.gaps(told, focal.intent)), rules.Element.POPULATION)
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


def _saying(state: MultiAgentState, text: str, **fields: object) -> Update:
    return {**_NOTHING, **fields, **state.saying("orchestrator", text)}


def _suggesting(state: MultiAgentState, agent: _Suggested, why: str, **fields: object) -> Update:
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


def structure(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the structurer for the next version."""
    known, last = state.known, state.last
    texts = texts_in(state.language)
    elements = told_by(reasoners, state)
    question = rules.compose(elements, state.language)
    population = elements.population or texts.text("research.somebody")
    addressed = tuple(
        desk_state.AddressedGap(aspect=each.aspect, gap=each.gap, answer=elements[element])
        for each in (() if last is None else last.feedback.improvements)
        if (element := each.element(texts)) and elements[element] and not known[element]
    )
    output = desk_state.StructurerOutput(
        structured_question=question,
        elements=desk_state.StructuredElements(
            context=state.user_input,
            problem=texts.text("research.problem", question=question),
            contribution=texts.text("research.contribution", population=population),
        ),
        version=1 if last is None else last.version + 1,
        addressed_gaps=addressed,
    )
    told = texts.text("research.structured", version=output.version, question=question)
    return {"structurer_output": output, "current_stage": "validating", **state.saying("structurer", told)}


def examine(reasoners: Reasoners, state: MultiAgentState) -> Update:
    """Return the fields of the methodologist: the verdict on a version, or a refusal of what cannot be structured."""
    texts, structured = texts_in(state.language), state.structurer_output
    suggested = state.agent_suggestion is not None and state.agent_suggestion.agent == "methodologist"
    if suggested or structured is None:
        refusal = rules.refusal_of(state.said) or rules.ScreeningRefusal.VALUES
        why, told = texts.text(f"research.refusals.{refusal}"), _clarifications(state, state.known)
        output = desk_state.MethodologistOutput(status="rejected", justification=why, clarifications=told)
        return {"methodologist_output": output, **state.saying("methodologist", output.justification)}
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


def _clarifications(state: MultiAgentState, elements: rules.Elements) -> dict[str, str]:
    first = state.hypothesis_versions[0].question if state.hypothesis_versions else ""
    asked = [element for element in rules.Element if first and not rules.parse(first, state.language)[element]]
    answers = [(rules.ASPECTS[element].value, elements[element]) for element in asked if elements[element]]
    return {aspect: "; ".join(text for under, text in answers if under == aspect) for aspect, _ in answers}
