"""The offline planner: an utterance, a session and a directory in; a plan out. Milliseconds, no model, no call.

`_RULES` is the whole policy: the first rule that has a plan decides. What cannot wait comes first, then what must not
be done, then what was begun, then what is asked for; small talk and the question what is wanted come last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from orchestrator.planner.about_self import memory_plan as memories
from orchestrator.planner.about_self import reminders_of
from orchestrator.planner.dialogue import BOOK, CANCEL, MOVE, Situation, booking, classified
from orchestrator.planner.dialogue import appointment_changes as changes
from orchestrator.planner.dialogue import asides as talk
from orchestrator.planner.dialogue import opening_search as openings
from orchestrator.planner.dialogue import patient_records as records
from orchestrator.planner.understanding import answer, understand
from orchestrator.turn import Clinic, Plan, Proposal, Session

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
    """Returns what a decision about an utterance is made from; the arguments are those of `OfflinePlanner.plan`."""
    local = now.replace(tzinfo=None)
    anchored = bool(session.appointments or session.proposal or (session.question and session.question.action == MOVE))
    said = understand(utterance, session.language, clinics, local, anchored=anchored)
    talked_of = session.question.filters.dates if session.question else ()
    said = replace(said, moments=said.moments.within(talked_of))
    return Situation(said, session, tuple(clinics), local)


class OfflinePlanner:
    """Understands Portuguese and English without a model."""

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        """Returns what to do about an utterance; for any text, without raising and without calling anything.

        Args:
            utterance: What was typed.
            session: What was said and done before.
            clinics: The directory.
            now: The current instant, aware or in the clinics' time zone, America/Sao_Paulo.
        """
        return self.decide(situation_of(utterance, session, clinics, now))

    def decide(self, here: Situation) -> Plan:
        """Returns what to do in a situation: the plan of the first rule that has one."""
        plan = next((plan for rule in _RULES if (plan := rule(here)) is not None), None) or talk.not_understood(here)
        plan = memories.with_memory(here, talk.cautioned(here, plan))
        reminders = reminders_of(here.session.recalled, here.clinics, here.language)
        return replace(plan, classification=classified(here, plan), reminders=reminders)

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        """Returns yes or no when the whole utterance answers a proposal, else None. Empty means no.

        Args:
            utterance: What was typed.
            proposal: What is proposed; naming it is a yes too ("pode cancelar").
        """
        steps = proposal.plan.steps
        actions = {step.action for step in steps}
        action = MOVE if actions == {BOOK, CANCEL} else actions.pop() if len(actions) == 1 else None
        return answer(utterance, action, several=len(steps) > 1)
