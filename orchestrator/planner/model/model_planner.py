"""The planner with a language model: it proposes, and code decides (blueprint 2.3.1).

Emergencies, refusals and dates are the grammar's alone; no write leaves without a slot shown, held or named in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from orchestrator.llm import Asker, ModelError, Pseudonyms
from orchestrator.planner.dialogue import Situation
from orchestrator.planner.dialogue import asides as talk
from orchestrator.planner.model.known_slots import KnownSlots
from orchestrator.planner.model.model_memory import ModelMemoryPlan, remembering_of
from orchestrator.planner.model.model_plans import Made, made_of, talk_of
from orchestrator.planner.model.model_steps import CheckedStep, check_steps, faults_of, ordered
from orchestrator.planner.model.plan_answer import GivenClassification, UnreadableError, classification_of, read_answer
from orchestrator.planner.model.planner_prompt import Brief, PlannerPrompts, first_request, repair_request
from orchestrator.planner.offline import OfflinePlanner, situation_of
from orchestrator.turn import UNKNOWN, Clinic, Plan, PlanKind, Proposal, Proposed, Session, Step, ToolCall, Topic

_FINAL_KINDS = frozenset({PlanKind.EMERGENCY, PlanKind.REFUSE})
_FINAL_TOPICS = frozenset({Topic.MOMENT_IN_PAST, Topic.NO_SUCH_DAY, Topic.CLINIC_FACTS, Topic.NO_CLINIC_FITS})
_NOTHING = ModelMemoryPlan(())


@dataclass(frozen=True, slots=True)
class _Judged:
    """The outcome of an answer: a plan, or the reasons why there is none."""

    proposed: Proposed
    plan: Plan | None = None
    classification: GivenClassification | None = None
    is_unreadable: bool = False
    remembering: ModelMemoryPlan = _NOTHING


@dataclass(frozen=True, slots=True)
class _Turn:
    here: Situation
    offline: Plan
    known: KnownSlots
    remembers: bool


class ModelPlanner:
    """Plan with a model, and with the grammar (`offline`) wherever the model gives nothing that can be used."""

    def __init__(
        self, offline: OfflinePlanner, asker: Asker, prompts: PlannerPrompts, *, history_tokens: int, cot: bool
    ) -> None:
        self._offline = offline
        self._asker = asker
        self._prompts = prompts
        self._history_tokens = history_tokens
        self._cot = cot

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        """Return what the grammar makes of an answer to a proposal."""
        return self._offline.consent(utterance, proposal)

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        """Return what to do about an utterance; for any text and any answer of a model, without raising.

        `Plan.proposed` holds the model's last steps, of an unreadable text its length alone, or None for no answer.
        """
        here = situation_of(utterance, session, clinics, now)
        offline = self._offline.decide(here)
        if offline.kind in _FINAL_KINDS or offline.topic in _FINAL_TOPICS or offline.about_own:
            return offline
        remembers = session.remembers and not here.is_operator
        judged = self._judged(utterance, _Turn(here, offline, KnownSlots.of(here, offline), remembers))
        if judged is None:
            return offline
        plan = offline if judged.plan is None else talk.cautioned(here, judged.plan)
        classification = classification_of(judged.classification, plan, offline, here)
        if judged.is_unreadable:
            # What the words hold still stands, but what a model would have made of them is not known.
            classification = replace(classification, intent=UNKNOWN)
        notes = (*judged.proposed.notes, *judged.remembering.notes)
        return replace(
            plan,
            proposed=replace(judged.proposed, notes=notes),
            classification=classification,
            memory=judged.remembering.calls,
            reminders=offline.reminders,
            asked=offline.asked,
        )

    def _judged(self, utterance: str, turn: _Turn) -> _Judged | None:
        pseudonyms = Pseudonyms.of(turn.here.session, turn.here.clinics)
        brief = Brief(utterance, pseudonyms, turn.here, turn.known, self._history_tokens, remembers=turn.remembers)
        request = first_request(self._prompts, brief, cot=self._cot)
        try:
            text = self._asker.ask(request)
        except ModelError:
            return None
        first = _judge(text, turn)
        if first.plan is not None:
            return first
        try:
            repaired = self._asker.ask(repair_request(request, brief, text, first.proposed.notes))
        except ModelError:
            return first
        second = _judge(repaired, turn)
        notes = ("The first plan could not be used.", *second.proposed.notes)
        return replace(second, proposed=replace(second.proposed, notes=notes))


def _judge(text: str, turn: _Turn) -> _Judged:
    try:
        answer = read_answer(text)
    except UnreadableError as error:
        raw = Step(1, "", ToolCall("raw_response", {"characters": str(len(text))}))
        proposed = Proposed((raw,), used=False, notes=(str(error),))
        return _Judged(proposed, is_unreadable=True, remembering=ModelMemoryPlan(turn.offline.memory))
    remembering = remembering_of(answer.memory if turn.remembers else (), turn.offline.memory, turn.here)
    checked = check_steps(answer.steps, turn.known, turn.here)
    made = _said(answer.topic, remembering, turn) if answer.topic is not None else _made(checked, turn)
    proposed = Proposed(tuple(one.step for one in checked), made.used, made.notes, answer.reasoning)
    return _Judged(proposed, made.plan, answer.classification, remembering=remembering)


def _said(topic: Topic, remembering: ModelMemoryPlan, turn: _Turn) -> Made:
    if topic is Topic.WHAT_ELSE and not remembering.calls:
        return Made(turn.offline, notes=("There is nothing to remember.",))
    plan = talk_of(turn.here, turn.offline, topic)
    if plan.topic is topic:
        return Made(plan, used=True)
    return Made(plan, notes=("The words say more than the topic that was proposed.",))


def _made(checked: Sequence[CheckedStep], turn: _Turn) -> Made:
    faults = faults_of(checked)
    return Made(None, notes=faults) if faults else made_of(ordered(checked), turn.here, turn.offline)
