"""What a turn is about, from its plan and the words: the classification where no language model gives one.

The domains are those of the clinics that are asked, of what the words name, of patient ids, and of what the
conversation has been about. Nothing here chooses an agent; `orchestrator.routing` does.
"""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.planner.dialogue.situation import Situation
from orchestrator.turn import CERTAIN, DOUBTFUL, SUPPLIED, UNKNOWN, Classification, Plan, PlanKind, Step, Subtask, Topic

_WITHOUT_DOMAINS = frozenset({PlanKind.SMALLTALK, PlanKind.OUT_OF_SCOPE, PlanKind.EMERGENCY, PlanKind.REFUSE})


def classified(here: Situation, plan: Plan) -> Classification:
    """Return what a turn is about, as far as its plan and the grammar tell.

    The confidence is 1.0 for what the words name, 0.8 where the conversation supplies it, 0.3 where nothing was
    understood.
    """
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
    """The tool that an open question leads to, else the topic."""
    asked = plan.question.action if plan.question is not None and plan.kind is PlanKind.CLARIFY else None
    return asked or (plan.topic.value if plan.topic is not None else UNKNOWN)


def _named(here: Situation) -> tuple[str, ...]:
    """The specialties that the words name: themselves, by a doctor, a clinic or a patient id."""
    said = here.said
    by_clinic = (here.specialty_of(clinic) for clinic in said.clinics)
    by_doctor = (doctor.specialty for doctor in here.doctors)
    by_patient = (code for _, code in said.patients)
    found = (*said.specialties, *by_doctor, *by_clinic, *by_patient)
    return tuple(dict.fromkeys(code for code in found if code is not None))


def _talked_of(here: Situation) -> tuple[str, ...]:
    """The specialties of what this conversation holds: appointments, what is proposed, what was shown or asked."""
    session = here.session
    proposed = session.proposal.plan.steps if session.proposal is not None else ()
    clinics = (*(step.clinic for step in proposed), *(held.clinic for held in reversed(session.appointments)))
    codes = (*(here.specialty_of(clinic) for clinic in clinics), *here.specialties_talked_of)
    return tuple(dict.fromkeys(code for code in codes if code is not None))


def _of_steps(steps: Sequence[Step], here: Situation) -> tuple[str, ...]:
    codes = (here.specialty_of(step.clinic) for step in steps)
    return tuple(dict.fromkeys(code for code in codes if code is not None))


def _subtasks(steps: Sequence[Step], here: Situation) -> tuple[Subtask, ...]:
    """Each tool for each specialty, where there are several."""
    pairs = dict.fromkeys((step.action, here.specialty_of(step.clinic) or "") for step in steps)
    if len(pairs) == 1:
        return ()
    return tuple(Subtask(f"{action} ({code})", "", action, code) for action, code in pairs)
