"""Read and plan cases: rebuild the session from the history, decide the utterance, write the plan as a line of JSON.

Each turn of the history is decided as if it were live; then the desk's text takes precedence. A line identifies
nobody: no step has what the contract marks `injected`, and the words of a proposal leave out the person.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError

from orchestrator import turn
from orchestrator.agents import Registry, check_plan
from orchestrator.evaluation.replay.desk_utterance import read_statement
from orchestrator.evaluation.replay.session_update import SessionUpdate
from orchestrator.evaluation.replay.slot_mentions import SlotResolver
from orchestrator.planner.calendar import Reference
from orchestrator.planner.text import guess_language, normalise
from orchestrator.responder import TemplateResponder
from orchestrator.stages import StagesOfTurn


class CaseError(ValueError):
    """Some lines are no cases; the message names each line and place, never a value."""


class _Discreet(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class Said(_Discreet):
    """One turn of a history."""

    role: Literal["user", "assistant", "system"]  # a system instructs a model, which is no part of the conversation
    content: StrictStr


class Case(_Discreet):
    """An utterance and the conversation before it."""

    id: StrictStr | StrictInt
    history: tuple[Said, ...] = ()  # the turns before, oldest first
    utterance: StrictStr


def read_cases(lines: Iterable[str], source: str) -> tuple[Case, ...]:
    """Return the cases of a file without its blank lines; raise `CaseError`, naming `source` and all faulty lines."""
    cases: list[Case] = []
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            cases.append(Case.model_validate_json(line))
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
            place = ".".join(str(part) for part in fault["loc"])
            what = "no JSON object" if fault["type"] in {"json_invalid", "model_type"} else f"{place}: {fault['msg']}"
            faults.append(f"{source}:{number}: {what}")
    if faults:
        raise CaseError("\n".join(faults))
    return tuple(cases)


@dataclass(frozen=True, slots=True)
class Decision:
    """What is decided on an utterance."""

    plan: turn.Plan  # that of an open proposal if the person consented to it
    results: tuple[turn.StepResult, ...] = ()  # what the clinics list, for steps that ask for openings


class CasePlanning:
    """Plan cases as a live turn would, where "tomorrow" is relative to `now`."""

    def __init__(
        self, stages: StagesOfTurn, registry: Registry, clinics: Sequence[turn.Clinic], now: datetime, role: turn.Role
    ) -> None:
        self._stages = stages
        self._registry = registry
        self._clinics = tuple(clinics)
        self._now = now
        self._blank = turn.Session(turn.NOBODY, role=role)
        self._responder = TemplateResponder()
        # The clinics are asked for openings at most: for all of them once, here.
        steps = [turn.Step(number, clinic.id, turn.ListOpenings()) for number, clinic in enumerate(self._clinics, 1)]
        scope = turn.TurnScope(role=role)
        openings = turn.offers_of(stages(scope).router.dispatch(steps, scope), turn.ANYTHING) or ()
        self._resolver = SlotResolver(self._clinics, openings)

    def session(self, history: Iterable[Said]) -> turn.Session:
        """Return the session after a history."""
        session = self._blank
        utterance, plan = "", None
        for said in history:
            if said.role == "user":
                decision = self.decide(said.content, session)
                utterance, plan, session = said.content, decision.plan, _heard(session, decision)
            elif said.role == "assistant":
                language = guess_language(normalise(said.content), session.language)
                reference = Reference(self._now.replace(tzinfo=None), language)
                statement = read_statement(said.content, self._clinics, reference)
                session = SessionUpdate(statement, session, plan, self._resolver).following()
                session = replace(session, history=(*session.history, turn.Exchange(utterance, said.content)))
                utterance, plan = "", None
        return session

    def decide(self, utterance: str, session: turn.Session) -> Decision:
        """Return the decision on an utterance in a session."""
        scope = turn.TurnScope(session.identity, session.role)
        stages = self._stages(scope)
        if session.proposal is not None:
            consent = stages.planner.consent(utterance, session.proposal)
            if consent:
                return Decision(session.proposal.plan)
            if consent is False:
                topic, question = turn.Topic.NOTHING_DONE, turn.looked_for(session.proposal)
                language = session.spoken_language
                return Decision(turn.Plan(turn.PlanKind.SMALLTALK, language, topic=topic, question=question))
        planned = stages.planner.plan(utterance, session, self._clinics, self._now)
        plan, _ = check_plan(self._registry, planned, utterance, scope.turn_id)
        return Decision(plan, stages.router.dispatch([step for step in plan.steps if step.action == turn.LIST], scope))

    def record(self, case: Case) -> str:
        """Return a case's plan as a line of JSON."""
        session = self.session(case.history)
        decision = self.decide(case.utterance, session)
        told = ("clinic", "action", "parameters")
        steps = [{name: getattr(step, name) for name in told} for step in decision.plan.steps]
        said = self._said(decision, _heard(session, decision))
        # What answers an emergency leaves the request open: but for its words it is a question like others.
        kind = turn.PlanKind.CLARIFY if decision.plan.kind is turn.PlanKind.EMERGENCY else decision.plan.kind
        return json.dumps({"id": case.id, "kind": kind, "steps": steps, "say": said}, ensure_ascii=False)

    def _said(self, decision: Decision, session: turn.Session) -> str:
        plan = decision.plan  # empty where that would be what clinics say about patients
        if not plan.steps:
            return self._responder.say(plan, session, self._clinics).plain
        if plan.writes:
            return self._responder.propose(turn.Proposal(plan), session, self._clinics).plain
        if all(step.action == turn.LIST for step in plan.steps):
            return self._responder.answer(plan, decision.results, session, self._clinics).plain
        return ""


def _heard(session: turn.Session, decision: Decision) -> turn.Session:
    # The reply is not known yet: lists are offered, a write is proposed, and what is chosen of a list is not listed.
    plan = decision.plan
    chosen = turn.change_plan(plan, decision.results, session)
    offers = None if chosen else turn.offers_of(decision.results, plan.wish)
    return replace(
        session,
        language=plan.language,
        offers=session.offers if offers is None else offers,
        proposal=turn.Proposal(plan) if plan.writes else None,
        question=plan.question,
        asked=plan.asked,
        insured=plan.insured,
    )
