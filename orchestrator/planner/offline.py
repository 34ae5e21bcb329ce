"""The offline planner: an utterance, a session and a directory in; a plan out. No model and no call.

`_RULES` is the whole policy: the first rule that has a plan decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from orchestrator.planner.about_self import memory_plan as memories
from orchestrator.planner.about_self import reminders_of
from orchestrator.planner.dialogue import Situation, booking
from orchestrator.planner.dialogue import appointment_changes as changes
from orchestrator.planner.dialogue import asides as talk
from orchestrator.planner.dialogue import opening_search as openings
from orchestrator.planner.dialogue import patient_records as records
from orchestrator.planner.understanding import answer, understand
from orchestrator.turn import (
    BOOK,
    CANCEL,
    CERTAIN,
    DOUBTFUL,
    MOVE,
    SUPPLIED,
    UNKNOWN,
    Classification,
    Clinic,
    Plan,
    PlanKind,
    Proposal,
    Session,
    Step,
    Subtask,
    Topic,
)

_RULES: tuple[Callable[[Situation], Plan | None], ...] = (
    talk.emergency,
    memories.command,
    talk.refusal,
    talk.question,
    talk.denied,
    records.patients,
    booking.go_on,
    booking.correct_proposal,
    changes.change_with_a_sign,
    changes.change,
    talk.absence,
    talk.own_appointments,
    talk.parting,
    openings.who_attends,
    talk.help_wanted,
    openings.no_such_day,
    openings.unknown_name,
    openings.which_doctor,
    booking.pick_offer,
    booking.book_named_slot,
    openings.list_openings,
    talk.other_specialty,
    talk.off_topic,
    talk.complaint,
    talk.none_suits,
    openings.continue_openings,
    talk.courtesy,
    talk.declined,
    talk.acknowledged,
    openings.ask_specialty,
    talk.unwell,
    talk.strange_question,
)


def situation_of(utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Situation:
    """Return what a decision about an utterance is made from."""
    local = now.replace(tzinfo=None)
    anchored = bool(session.appointments or session.proposal or (session.question and session.question.action == MOVE))
    said = understand(utterance, session.language, clinics, local, anchored=anchored)
    talked_of = session.question.filters.dates if session.question else ()
    said = replace(said, moments=said.moments.within(talked_of))
    return Situation(said, session, tuple(clinics), local)


class OfflinePlanner:
    """Understands Portuguese and English without a model."""

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        """Return what to do about any utterance; a naive `now` is in the clinics' time zone, America/Sao_Paulo."""
        return self.decide(situation_of(utterance, session, clinics, now))

    def decide(self, here: Situation) -> Plan:
        """Return the plan of the first rule that has one."""
        plan = next((plan for rule in _RULES if (plan := rule(here)) is not None), None) or talk.not_understood(here)
        plan = memories.with_memory(here, talk.cautioned(here, plan))
        reminders = reminders_of(here.session.recalled, here.clinics, here.language)
        return replace(plan, classification=classified(here, plan), reminders=reminders)

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        """Return True or False when the whole utterance answers a proposal, else None; empty means no."""
        steps = proposal.plan.steps
        actions = {step.action for step in steps}
        action = MOVE if actions == {BOOK, CANCEL} else actions.pop() if len(actions) == 1 else None
        return answer(utterance, action, several=len(steps) > 1)


_WITHOUT_DOMAINS = frozenset({PlanKind.SMALLTALK, PlanKind.OUT_OF_SCOPE, PlanKind.EMERGENCY, PlanKind.REFUSE})


def classified(here: Situation, plan: Plan) -> Classification:
    """Return what a turn is about, as far as its plan and the grammar tell."""
    named = _named(here)
    if plan.kind is PlanKind.STEPS:
        domains = _of_steps(plan.steps, here)
        confidence = CERTAIN if set(domains) <= set(named) else SUPPLIED
        return Classification(plan.steps[0].action, domains, _subtasks(plan.steps, here), confidence)
    if plan.topic is Topic.ASK_REQUEST:
        return Classification(UNKNOWN, _talked_of(here), (), DOUBTFUL)
    intent = _asked_for(plan)
    if plan.kind in _WITHOUT_DOMAINS:
        return Classification(intent, named if plan.kind is PlanKind.REFUSE else ())
    domains = named or tuple(plan.facts[name] for name in ("specialty",) if name in plan.facts) or _talked_of(here)
    return Classification(intent, domains, (), CERTAIN if named else SUPPLIED)


def _asked_for(plan: Plan) -> str:
    asked = plan.question.action if plan.question is not None and plan.kind is PlanKind.CLARIFY else None
    return asked or (plan.topic.value if plan.topic is not None else UNKNOWN)


def _named(here: Situation) -> tuple[str, ...]:
    said = here.said
    by_clinic = (here.specialty_of(clinic) for clinic in said.clinics)
    by_doctor = (doctor.specialty for doctor in here.doctors)
    by_patient = (code for _, code in said.patients)
    found = (*said.specialties, *by_doctor, *by_clinic, *by_patient)
    return tuple(dict.fromkeys(code for code in found if code is not None))


def _talked_of(here: Situation) -> tuple[str, ...]:
    session = here.session
    proposed = session.proposal.plan.steps if session.proposal is not None else ()
    clinics = (*(step.clinic for step in proposed), *(held.clinic for held in reversed(session.appointments)))
    codes = (*(here.specialty_of(clinic) for clinic in clinics), *here.specialties_talked_of)
    return tuple(dict.fromkeys(code for code in codes if code is not None))


def _of_steps(steps: Sequence[Step], here: Situation) -> tuple[str, ...]:
    codes = (here.specialty_of(step.clinic) for step in steps)
    return tuple(dict.fromkeys(code for code in codes if code is not None))


def _subtasks(steps: Sequence[Step], here: Situation) -> tuple[Subtask, ...]:
    pairs = dict.fromkeys((step.action, here.specialty_of(step.clinic) or "") for step in steps)
    if len(pairs) == 1:
        return ()
    return tuple(Subtask(f"{action} ({code})", "", action, code) for action, code in pairs)
