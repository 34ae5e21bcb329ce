"""Let simulated patients talk to the desk, and judge each conversation by the clinics' files and the replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Literal

from orchestrator.evaluation.evaluation import Bench
from orchestrator.evaluation.evaluation_clinics import SPEAKER
from orchestrator.evaluation.patients.patient_figures import WORDINGS, PatientFigures, Visit
from orchestrator.evaluation.patients.patient_goals import PatientGoal, draw_goal
from orchestrator.evaluation.patients.simulated_patient import AgendaChange, Patient
from orchestrator.journal import Event, Planned
from orchestrator.turn import PlanKind, Receipt, ReceiptKind, Reply, Session, Topic

PATIENTS_AGENDA: tuple[Literal["rolling"], str] = ("rolling", "2026-11-23T07:30-03:00")
"""The clinics' agenda, and the instant at which their clock stands still: a Monday before they open."""

_PAGE = 5
"""How many openings of a long list are printed at once, as in a terminal."""


def evaluate_patients(bench: Bench, count: int, seed: int, report: Callable[[], None] = lambda: None) -> PatientFigures:
    """Let patients talk over a bench that asks before it writes; four in a row have one goal, each in their own words.

    Call `report` before each conversation. Raise `EvaluationClinicsError` if the clinics cannot be prepared.
    """
    bench.ground.hold(())
    specialties = {agent.id: agent.specialty for agent in bench.registry.values()}
    openings = sorted(bench.ground.appointments(held=False), key=str)
    visits: list[Visit] = []
    for number in range(count):
        report()
        goal = draw_goal(openings, specialties, Random(f"{seed} {number // WORDINGS}"))  # noqa: S311 - no secret
        visits.append(_Talk(bench, goal, Random(f"{seed} wording {number}")).visit(number))  # noqa: S311 - as above
    return PatientFigures.of(visits)


class _Talk:
    """One conversation."""

    def __init__(self, bench: Bench, goal: PatientGoal, chance: Random) -> None:
        self._bench = bench
        self._goal = goal
        self._patient = Patient(goal, chance)
        receipts = tuple(Receipt(ReceiptKind.CONFIRMED, held) for held in goal.held) if goal.known else ()
        self._session = Session(SPEAKER, receipts=receipts, page=_PAGE)
        self._topic: Topic | None = None
        self._said: list[tuple[str, str]] = []
        self._asked = Counter[str]()
        self._wrong_acts = 0
        self._since = 0  # turns before the present errand, and asides since
        self._booked_in: list[int] = []
        self._missed: list[str] = []

    def visit(self, number: int) -> Visit:
        """Talk until all is done, something is done that is not wanted, or patience ends."""
        patient, ground = self._patient, self._bench.ground
        ground.hold(self._goal.held)
        while patient.tasks and len(self._said) < patient.patience and not self._wrong_acts:
            before = ground.appointments()
            reply = self._turn(patient.speak(self._session, self._topic))
            after = ground.appointments()
            if before != after:
                self._judge(AgendaChange(after - before, before - after))
            elif patient.tasks and patient.tasks[0].errand == "ask":
                told = all(one.doctor in reply.plain and f"{one.time:%H:%M}" in reply.plain for one in after)
                patient.finish(AgendaChange()) if told else None
        return Visit(
            number,
            ", ".join(task.errand for task in self._goal.tasks),
            not patient.tasks and not self._wrong_acts,
            self._wrong_acts,
            tuple(self._booked_in),
            tuple(question for question, times in self._asked.items() if times > 2),
            tuple(self._missed),
            tuple(self._said),
        )

    def _judge(self, change: AgendaChange) -> None:
        if not (self._patient.agrees and self._patient.accepts(change)):
            self._wrong_acts += 1
            return
        if change.taken and not change.given_back:
            self._booked_in.append(len(self._said) - self._since)
        self._since = len(self._said)
        self._patient.finish(change)

    def _turn(self, utterance: str) -> Reply:
        events: list[Event] = []
        unsubscribe = self._bench.events.subscribe(events.append)
        try:
            reply, self._session = self._bench.conversation.turn(self._session, utterance)
        finally:
            unsubscribe()
        plan = next((event.plan for event in events if isinstance(event, Planned)), None)
        self._topic = Topic.NOTHING_DONE if plan is None else plan.topic
        self._said.append((utterance, reply.plain))
        self._since += self._patient.is_aside
        if plan is not None and plan.kind is PlanKind.CLARIFY:
            self._asked[reply.plain] += 1
        if self._topic is Topic.ASK_REQUEST and not self._patient.is_aside:
            self._missed.append(utterance)
        return reply
