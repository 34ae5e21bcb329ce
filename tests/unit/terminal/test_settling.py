"""A write that was interrupted after it was sent: the clinic is asked again, in bounds, and nothing new is sent."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date, time
from types import SimpleNamespace
from typing import Any

from orchestrator.terminal.clinic_terminal import ASKED_AGAIN_S, ClinicTerminal
from orchestrator.terminal.slash_commands import Say
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.plan import Plan, PlanKind, Step
from orchestrator.turn.reply import Card, Part, Reply, TurnOutcome
from orchestrator.turn.session import Proposal, Receipt, ReceiptKind, Session
from orchestrator.turn.step_actions import Appointment
from tests.support.steps import step_of
from tests.unit.terminal.room import Room, echo, reply

BOOKING = step_of(1, "clinic_c", "book_appointment", {"doctor": "Dr. Fernando Mendes"}, "the-new")
GIVING_BACK = step_of(2, "clinic_a", "cancel_appointment", {"doctor": "Dr. Ricardo Lopes"}, "the-old", after=1)
BOOKED = Receipt(ReceiptKind.CONFIRMED, Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 18), time(10)))
SESSION = Session(Identity.of("Maria Souza", "529.982.247-25"))


def doubtful(*steps: Step) -> Proposal:
    return Proposal(Plan(PlanKind.STEPS, Language.PT, steps=steps), in_doubt=frozenset({"the-new"}))


Answering = Callable[[Session], tuple[Reply, Session]]


def told(session: Session) -> tuple[Reply, Session]:
    return reply("Consulta marcada."), replace(session, proposal=None, receipts=(*session.receipts, BOOKED))


def refused(session: Session) -> tuple[Reply, Session]:
    return reply("Esse horário não está livre.", TurnOutcome.REFUSED), replace(session, proposal=None)


def silent(session: Session) -> tuple[Reply, Session]:
    return reply("Resultado desconhecido.", TurnOutcome.UNKNOWN_WRITE), session


def proposing(session: Session) -> tuple[Reply, Session]:
    return reply("Confirma?", TurnOutcome.CONFIRM), session


class Desk:
    """Answers turns as it is told to, the last way for all that follow, and a clock that each turn moves on."""

    def __init__(self, *answers: Answering, turn_s: float = 1.0) -> None:
        self._answers = list(answers)
        self._turn_s = turn_s
        self.now = 0.0
        self.asked: list[tuple[str, tuple[Step, ...] | None, Plan | None]] = []
        self.rests = 0
        self.is_patient = True

    def take(self, session: Session, said: Say) -> tuple[Reply, Session]:
        assert said.agrees is (said.plan is None)
        self.now += self._turn_s
        steps = session.proposal.plan.steps if session.proposal is not None else None
        self.asked.append((said.utterance, steps, said.plan))
        return (self._answers.pop(0) if len(self._answers) > 1 else self._answers[0])(session)

    def rest(self, _seconds: float) -> bool:
        self.rests += 1
        return self.is_patient

    def settle(self, proposal: Proposal) -> tuple[Reply, Session]:
        terminal: Any = SimpleNamespace(
            _taken=self.take,
            _runner=SimpleNamespace(pause=self.rest),
            _dependencies=SimpleNamespace(clock=lambda: self.now),
        )
        return ClinicTerminal._asked_again(terminal, SESSION, proposal)


def test_the_clinic_is_asked_until_it_tells() -> None:
    desk = Desk(silent, silent, told)
    reply, session = desk.settle(doubtful(BOOKING))
    assert reply.plain == "Consulta marcada."
    assert session.receipts == (BOOKED,)
    assert [steps for _, steps, _ in desk.asked] == [(BOOKING,)] * 3


def test_what_it_refuses_is_the_truth_too() -> None:
    reply, session = Desk(refused).settle(doubtful(BOOKING))
    assert reply.outcome is TurnOutcome.REFUSED
    assert session.proposal is None


def test_a_clinic_that_stays_silent_is_given_up_in_time_and_the_write_stays_open() -> None:
    desk = Desk(silent, turn_s=ASKED_AGAIN_S / 4)
    reply, session = desk.settle(doubtful(BOOKING, GIVING_BACK))
    assert len(desk.asked) == 4
    assert reply.outcome is TurnOutcome.UNKNOWN_WRITE
    assert session.proposal == doubtful(BOOKING, GIVING_BACK)


def test_whoever_interrupts_that_too_is_not_kept_waiting() -> None:
    desk = Desk(silent)
    desk.is_patient = False
    _, session = desk.settle(doubtful(BOOKING))
    assert len(desk.asked) == 1
    assert session.proposal == doubtful(BOOKING)


def test_what_was_to_come_after_it_is_never_sent_but_proposed_afresh() -> None:
    desk = Desk(told, proposing)
    reply, _ = desk.settle(doubtful(BOOKING, GIVING_BACK))
    assert desk.asked[0][1] == (BOOKING,)
    _, _, plan = desk.asked[1]
    assert plan is not None
    assert plan.steps == (replace(GIVING_BACK, after=None),)
    rest = texts_in(Language.PT).text("terminal.turn.rest")
    assert reply.plain == f"Consulta marcada.\n\n{rest}\n\nConfirma?"


def test_what_was_to_come_after_it_falls_with_it() -> None:
    desk = Desk(refused)
    reply, session = desk.settle(doubtful(BOOKING, GIVING_BACK))
    assert len(desk.asked) == 1
    assert reply.outcome is TurnOutcome.REFUSED
    assert session.proposal is None


def test_at_the_terminal_an_interrupted_write_is_verified_without_being_asked(room: Room) -> None:
    def interrupted(session: Session, _: str, cancel: threading.Event) -> tuple[Reply, Session]:
        room.keys.send_text("\x03")
        assert cancel.wait(30)
        return silent(replace(session, proposal=doubtful(BOOKING)))

    conversation, session, drawn = room.converse(
        ["sim\r", "obrigada\r"], interrupted, lambda session, _, __: told(session), echo
    )
    assert conversation.agreed == [False, True, False]
    assert (conversation.heard[0], conversation.heard[2]) == ("sim", "obrigada")
    assert drawn.index("resultado desconhecido, verificando…") < drawn.index("Consulta marcada.")
    assert session.receipts == (BOOKED,)


def test_at_the_terminal_a_write_that_nobody_interrupted_stays_open(room: Room) -> None:
    conversation, session, drawn = room.converse(
        ["sim\r"], lambda session, _, __: silent(replace(session, proposal=doubtful(BOOKING)))
    )
    assert conversation.heard == ["sim"]
    assert "verificando" not in drawn
    assert session.proposal == doubtful(BOOKING)


def test_at_the_terminal_a_fault_while_it_is_verified_leaves_the_write_open(room: Room) -> None:
    def interrupted(session: Session, _: str, cancel: threading.Event) -> tuple[Reply, Session]:
        room.keys.send_text("\x03")
        assert cancel.wait(30)
        return silent(replace(session, proposal=doubtful(BOOKING)))

    def broken(_: Session, __: str, ___: threading.Event) -> tuple[Reply, Session]:
        raise RuntimeError

    _, session, drawn = room.converse(["sim\r"], interrupted, broken)
    assert session.proposal == doubtful(BOOKING)
    assert "Resultado desconhecido." in drawn


def test_at_the_terminal_what_was_acknowledged_before_the_interruption_is_shown(room: Room) -> None:
    made = Card("Consulta marcada na Clínica A", (("Hora", "09:00"),), part=Part.RECEIPT)

    def interrupted(session: Session, _: str, cancel: threading.Event) -> tuple[Reply, Session]:
        room.keys.send_text("\x03")
        assert cancel.wait(30)
        answer, after = silent(replace(session, proposal=doubtful(BOOKING)))
        return replace(answer, blocks=(made, *answer.blocks)), after

    _, _, drawn = room.converse(["sim\r"], interrupted, lambda session, _, __: told(session))
    assert drawn.index(made.title) < drawn.index("verificando…") < drawn.rindex("Consulta marcada.")
