"""A front desk for planner tests: six small clinics in memory, and a session that goes on from turn to turn.

It does with a plan what a conversation does, without clinics, wire or wording, so that a test is what people say and
what is planned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Any

from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.plan import Plan, PlanKind, Step
from orchestrator.turn.session import Offer, Proposal, Receipt, ReceiptKind, Session
from orchestrator.turn.step_actions import Appointment
from tests.support.repository_clinics import WORDS

NOW = datetime(2025, 7, 15, 8, 0)  # noqa: DTZ001 (a Tuesday, as the clinics' clock shows it)

RICARDO, FERNANDO = "Dr. Ricardo Lopes", "Dr. Fernando Mendes"
MARINA_TELES, MARINA_COUTO = "Dra. Marina Teles", "Dra. Marina Couto"
GUSTAVO, SILVIA = "Dr. Gustavo Rezende", "Dra. Sílvia Antunes"

CLINICS = (
    Clinic("clinic_a", "Clínica A", "Cardiology", (RICARDO,), words=WORDS["Cardiology"]),
    Clinic("clinic_b", "Clínica B", "Dermatology", (MARINA_TELES,), words=WORDS["Dermatology"]),
    Clinic("clinic_c", "Clínica C", "Cardiology", (FERNANDO,), words=WORDS["Cardiology"]),
    Clinic("clinic_d", "Clínica D", "Orthopedics", (GUSTAVO,), words=WORDS["Orthopedics"]),
    Clinic("clinic_e", "Clínica E", "Orthopedics", (SILVIA,), words=WORDS["Orthopedics"]),
    Clinic("clinic_f", "Clínica F", "Dermatology", (MARINA_COUTO,), words=WORDS["Dermatology"]),
)

AGENDA: Mapping[str, tuple[str, ...]] = {
    RICARDO: ("2025-07-21 09:00", "2025-07-21 10:30", "2025-07-23 08:00"),
    FERNANDO: ("2025-07-18 10:00", "2025-07-19 14:00", "2025-07-25 08:30"),
    MARINA_TELES: ("2025-07-17 09:00", "2025-07-22 10:00"),
    MARINA_COUTO: ("2025-07-17 11:00", "2025-07-21 09:00"),
    GUSTAVO: ("2025-07-16 15:00", "2025-07-18 08:00"),
    SILVIA: ("2025-07-18 15:00", "2025-07-21 16:30"),
}

WEEKDAYS = {
    Language.PT: ("segunda", "terça", "quarta", "quinta", "sexta", "sábado"),
    Language.EN: ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"),
}

Call = tuple[str, str, Mapping[str, str]]


def calls(plan: Plan) -> list[Call]:
    """A plan's steps as (clinic, action, parameters)."""
    return [(step.clinic, step.action, dict(step.parameters)) for step in plan.steps]


@dataclass
class Desk:
    """A conversation with the planner.

    Attributes:
        consent_given: Writes are made at once; otherwise they wait for a yes.
        now: When everything is said.
    """

    session: Session
    consent_given: bool = True
    now: datetime = NOW

    @classmethod
    def open(
        cls,
        language: Language = Language.PT,
        role: Role = Role.PATIENT,
        *,
        consent_given: bool = True,
        remembers: bool = False,
    ) -> Desk:
        """A new conversation."""
        person = Identity.of("Carlos Teste", "123.456.789-00")
        return cls(Session(person, language=language, role=role, remembers=remembers), consent_given)

    @classmethod
    def holding(cls, language: Language, *visits: Appointment, **told: Any) -> Desk:
        """A new conversation that asks for a yes and knows the person's visits; `told` is of its session."""
        desk = cls.open(language, consent_given=False)
        desk.session = replace(desk.session, listed=visits, knows_own=True, **told)
        return desk

    def say(self, *utterances: str) -> Plan:
        """The plan for the last of some utterances, said one after the other."""
        return [self._turn(utterance) for utterance in utterances][-1]

    def _turn(self, utterance: str) -> Plan:
        planner, session = OfflinePlanner(), self.session
        consent = planner.consent(utterance, session.proposal) if session.proposal else None
        if session.proposal and consent:
            return self._execute(session.proposal.plan)
        plan = planner.plan(utterance, session, CLINICS, self.now)
        self.session = replace(session, proposal=None, question=plan.question, language=plan.language, asked=plan.asked)
        writes = any(step.action in _WRITES for step in plan.steps)
        if writes and not self.consent_given:
            self.session = replace(self.session, proposal=Proposal(plan))
            return plan
        return self._execute(plan)

    def _execute(self, plan: Plan) -> Plan:
        offers = self._openings(plan)
        receipts = [_WRITES[step.action](step) for step in plan.steps if step.action in _WRITES]
        listed = any(step.action == "list_available_slots" for step in plan.steps)
        self.session = replace(
            self.session,
            proposal=None,
            question=plan.question if plan.kind is not PlanKind.STEPS or plan.question else None,
            offers=offers if listed else self.session.offers,
            receipts=(*self.session.receipts, *receipts),
        )
        return plan

    def _openings(self, plan: Plan) -> tuple[Offer, ...]:
        asked = [step for step in plan.steps if step.action == "list_available_slots"]
        slots = [
            (_moment(text), step.clinic, doctor)
            for step in asked
            for clinic in CLINICS
            if clinic.id == step.clinic
            for doctor in clinic.doctors
            if step.parameters.get("doctor", doctor) == doctor
            for text in AGENDA[doctor]
        ]
        offers = [Offer(0, clinic, doctor, "", at.date(), at.time()) for at, clinic, doctor in sorted(slots)]
        return tuple(replace(offer, number=n) for n, offer in enumerate(plan.wish.narrowed_to(offers)[1], 1))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _appointment(step: Step, day: str, at: str) -> Appointment:
    given = step.parameters
    return Appointment(step.clinic, given["doctor"], date.fromisoformat(given[day]), time.fromisoformat(given[at]))


def _booked(step: Step) -> Receipt:
    return Receipt(ReceiptKind.CONFIRMED, _appointment(step, "date", "time"))


def _cancelled(step: Step) -> Receipt:
    return Receipt(ReceiptKind.CANCELLED, _appointment(step, "date", "time"))


def _moved(step: Step) -> Receipt:
    original = _appointment(step, "original_date", "original_time")
    return Receipt(ReceiptKind.RESCHEDULED, _appointment(step, "new_date", "new_time"), original)


_WRITES = {"book_appointment": _booked, "cancel_appointment": _cancelled, "reschedule_appointment": _moved}
