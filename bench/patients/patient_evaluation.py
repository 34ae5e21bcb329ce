"""Let simulated patients talk to the desk, and judge each conversation by the clinics' files and the replies."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Literal

from bench.patients.patient_goals import PatientGoal, draw_goal
from bench.patients.simulated_patient import AgendaChange, Patient
from orchestrator.evaluation import Bench, EvaluationClinics, Rate, share_of
from orchestrator.journal import Event, Planned
from orchestrator.turn import Appointment, Identity, PlanKind, Receipt, ReceiptKind, Session, Topic

PATIENTS_AGENDA: tuple[Literal["rolling"], str] = ("rolling", "2026-11-23T05:30-03:00")
"""The clinics' agenda, and the instant at which their clock stands still: a Monday before they open."""

_WORDINGS = 4  # patients in a row who have one goal, each in their own words
_PAGE = 5  # openings of a long list that are printed at once, as in a terminal


@dataclass(slots=True)
class PatientVisit:
    """One conversation, and what becomes of it."""

    errands: str
    reached: bool = False  # whether all was done, and nothing else
    wrong_acts: int = 0  # changes on the disks that the patient did not want
    booked_in: list[int] = field(default_factory=list)  # turns that each booking took, without asides
    asked: Counter[str] = field(default_factory=Counter)  # how often each question was put in the same words
    missed: list[str] = field(default_factory=list)  # utterances on the way to the goal that were not understood
    said: list[tuple[str, str]] = field(default_factory=list)  # utterances and replies

    @property
    def asked_thrice(self) -> int:
        """How many questions were put three times in the same words."""
        return sum(times > 2 for times in self.asked.values())

    def __str__(self) -> str:
        title = f"## {self.errands}: {'reached' if self.reached else 'not reached'}"
        return "\n\n".join((title, *(f"> {said}\n\n```\n{reply}\n```" for said, reply in self.said))) + "\n"


@dataclass(frozen=True, slots=True)
class PatientFigures:
    """The figures of some conversations."""

    visits: Sequence[PatientVisit]
    reached: Rate  # conversations that reached their goal, and nothing else was done
    pass_4: Rate  # goals that were reached in all their wordings
    wrong_acts: int
    turns_to_a_booking: float  # the median
    asked_thrice: int  # questions that were put three times in the same words
    not_understood: int  # utterances

    @classmethod
    def of(cls, visits: Sequence[PatientVisit]) -> PatientFigures:
        """Return the figures of conversations in their order."""
        reached = [one.reached for one in visits]
        goals = [reached[start : start + _WORDINGS] for start in range(0, len(visits) - _WORDINGS + 1, _WORDINGS)]
        return cls(
            visits,
            Rate.of(reached),
            Rate.of(map(all, goals)),
            sum(one.wrong_acts for one in visits),
            statistics.median([turns for one in visits for turns in one.booked_in] or [0]),
            sum(one.asked_thrice for one in visits),
            sum(len(one.missed) for one in visits),
        )

    def write(self, folder: Path) -> None:
        """Write patients.md: the figures, and the conversations that did not go well; raise `OSError` if that fails."""
        faulty = (str(one) for one in self.visits if not one.reached or one.missed or one.asked_thrice)
        (folder / "patients.md").write_text("\n".join(("# Patients\n", f"```\n{self}\n```\n", *faulty)), "utf-8")

    def __str__(self) -> str:
        return "\n".join(
            (
                f"Conversations                    {len(self.visits)}",
                f"Goal reached                     {share_of(self.reached)}",
                f"pass^4, a goal in four wordings  {share_of(self.pass_4)}",
                f"Wrong acts                       {self.wrong_acts}",
                f"Turns to a booking, median       {self.turns_to_a_booking:g}",
                f"Questions put three times        {self.asked_thrice}",
                f"Utterances not understood        {self.not_understood}",
            )
        )


def evaluate_patients(bench: Bench, count: int, seed: int, report: Callable[[], None] = lambda: None) -> PatientFigures:
    """Let patients talk over a bench that asks before it writes; four in a row have one goal, each in their own words.

    Call `report` before each conversation. Raise `FleetError` if the clinics cannot be prepared.
    """
    bench.ground.hold(())
    specialties = {agent.id: agent.specialty for agent in bench.ground.registry.values()}
    openings = sorted(_held_by(None, bench.ground), key=str)
    visits: list[PatientVisit] = []
    for number in range(count):
        report()
        goal = draw_goal(openings, specialties, Random(f"{seed} {number // _WORDINGS}"))
        visits.append(_Talk(bench, goal, Random(f"{seed} wording {number}")).visited())
    return PatientFigures.of(visits)


def _held_by(holder: Identity | None, ground: EvaluationClinics) -> frozenset[Appointment]:
    """Return what somebody holds on disk; for nobody, every open slot."""
    return frozenset(slot for slot, held_by in ground.slots() if held_by == holder)


class _Talk:
    def __init__(self, bench: Bench, goal: PatientGoal, chance: Random) -> None:
        # Everybody is somebody else: a clinic bounds what one person may ask of it in a day.
        speaker = Identity.of("Paciente Simulado", f"{chance.randrange(10**10, 10**11)}")
        self._bench = bench
        self._patient = Patient(goal, chance)
        self._visit = PatientVisit(", ".join(task.errand for task in goal.tasks))
        self._since = 0  # turns before the present errand, and asides since
        self._topic: Topic | None = None
        receipts = tuple(Receipt(ReceiptKind.CONFIRMED, held) for held in goal.held if goal.known)
        self._session = Session(speaker, receipts=receipts, page=_PAGE)
        bench.ground.hold(goal.held, speaker)

    def visited(self) -> PatientVisit:
        patient, ground, visit = self._patient, self._bench.ground, self._visit
        while patient.tasks and len(visit.said) < patient.patience and not visit.wrong_acts:
            before = _held_by(self._session.identity, ground)
            reply = self._turn(patient.speak(self._session, self._topic))
            after = _held_by(self._session.identity, ground)
            if before != after:
                self._judge(AgendaChange(after - before, before - after))
            elif [task.errand for task in patient.tasks[:1]] == ["ask"] and _tells(reply, after):
                patient.finish(AgendaChange())
        visit.reached = not patient.tasks and not visit.wrong_acts
        return visit

    def _judge(self, change: AgendaChange) -> None:
        if not (self._patient.agrees and self._patient.accepts(change)):
            self._visit.wrong_acts += 1
            return
        if not change.given_back:
            self._visit.booked_in.append(len(self._visit.said) - self._since)
        self._since = len(self._visit.said)
        self._patient.finish(change)

    def _turn(self, utterance: str) -> str:
        events: list[Event] = []
        unsubscribe = self._bench.events.subscribe(events.append)
        reply, self._session = self._bench.conversation.turn(self._session, utterance)
        unsubscribe()
        plan = next((event.plan for event in events if isinstance(event, Planned)), None)
        self._topic = Topic.NOTHING_DONE if plan is None else plan.topic
        self._visit.said.append((utterance, reply.plain))
        self._since += self._patient.is_aside
        self._visit.asked[reply.plain] += plan is not None and plan.kind is PlanKind.CLARIFY
        if self._topic is Topic.ASK_REQUEST and not self._patient.is_aside:
            self._visit.missed.append(utterance)
        return reply.plain


def _tells(reply: str, held: frozenset[Appointment]) -> bool:
    return all(one.doctor in reply and f"{one.time:%H:%M}" in reply for one in held)
