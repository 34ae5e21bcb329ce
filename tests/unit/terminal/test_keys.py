"""The keys of the prompt and of a running turn, typed through a pipe."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest

from orchestrator.turn.reply import Reply, TurnOutcome
from orchestrator.turn.session import Session
from tests.unit.terminal.room import END, PROPOSAL, Room, Turn, echo, propose, reply

ALT_ENTER = "\x1b\r"
CTRL_C = "\x03"
CTRL_L = "\x0c"
ESCAPE = "\x1b"
F2 = "\x1bOQ"
F4 = "\x1bOS"
HINT = "Para sair: Ctrl-C de novo em até 2 segundos, Ctrl-D ou /quit."


def until_cancelled(room: Room, key: str) -> Turn:
    def wait(session: Session, _: str, cancel: threading.Event) -> tuple[Reply, Session]:
        room.keys.send_text(key)
        assert cancel.wait(30)
        return reply("Interrompido.", TurnOutcome.CANCELLED), session

    return wait


@pytest.mark.parametrize("key", [ESCAPE, CTRL_C], ids=["Esc", "Ctrl-C"])
@pytest.mark.parametrize("plain", [False, True], ids=["drawn", "plain"])
def test_a_key_cancels_the_turn_and_keeps_the_session(room: Room, key: str, *, plain: bool) -> None:
    conversation, _, drawn = room.converse(["um\r", "dois\r", END], until_cancelled(room, key), echo, plain=plain)
    assert conversation.heard == ["um", "dois"]
    assert drawn.index("Interrompido.") < drawn.index("ouvi: dois")


def test_keys_that_begin_with_esc_cancel_nothing(room: Room) -> None:
    def arrows(session: Session, utterance: str, cancel: threading.Event) -> tuple[Reply, Session]:
        room.keys.send_text("\x1b[A\x1b[C\x1bOQ\x1b[200~sim\x1b[201~")
        assert not cancel.wait(0.3)
        return echo(session, utterance, cancel)

    conversation, _, _ = room.converse(["um\r", "dois\r", END], arrows, echo)
    assert conversation.heard == ["um", "dois"]


def test_alt_enter_goes_on_in_a_new_line_of_one_message(room: Room) -> None:
    conversation, _, _ = room.converse([f"quero marcar{ALT_ENTER}com cardiologista\r", END])
    assert conversation.heard == ["quero marcar com cardiologista"]


def test_a_command_of_several_lines_is_one_command(room: Room) -> None:
    conversation, _, _ = room.converse([f"/slots{ALT_ENTER}cardiologia\r", END])
    assert conversation.heard == ["quais são os horários de cardiologia?"]


def test_ctrl_l_keeps_what_is_typed(room: Room) -> None:
    conversation, _, _ = room.converse([f"um{CTRL_L} dois\r", END])
    assert conversation.heard == ["um dois"]


def test_f2_shows_the_clinics_and_keeps_what_is_typed(room: Room) -> None:
    conversation, _, drawn = room.converse([f"um {F2}dois\r", END])
    assert conversation.heard == ["um dois"]
    assert drawn.index("127.0.0.1:8001") < drawn.index("ouvi: um dois")


def test_f4_edits_as_in_vi_and_back(room: Room) -> None:
    in_vi = f"{F4}abc{ESCAPE}0xi\r"  # to the first column, delete there, insert again
    conversation, _, _ = room.converse([in_vi, f"{F4}abc\x01x\r", END])
    assert conversation.heard == ["bc", "xabc"]


def test_ctrl_c_empties_the_line_and_on_an_empty_one_says_how_to_leave(room: Room) -> None:
    conversation, _, drawn = room.converse([f"engano{CTRL_C}{CTRL_C}", "um\r", END])
    assert conversation.heard == ["um"]
    assert drawn.count(HINT) == 1


def test_a_second_ctrl_c_in_time_leaves(room: Room) -> None:
    conversation, _, drawn = room.converse([CTRL_C, CTRL_C, "um\r"])
    assert conversation.heard == []
    assert drawn.count(HINT) == 1
    assert "Até logo!" in drawn


def test_a_second_ctrl_c_too_late_is_a_first_one(room: Room) -> None:
    ticks: Iterator[int] = count()
    conversation, _, drawn = room.converse([CTRL_C, CTRL_C, "um\r", END], clock=lambda: 3.0 * next(ticks))
    assert conversation.heard == ["um"]
    assert drawn.count(HINT) == 2


def test_whoever_says_something_in_between_is_not_leaving(room: Room) -> None:
    conversation, _, drawn = room.converse([CTRL_C, "um\r", CTRL_C, "dois\r", END])
    assert conversation.heard == ["um", "dois"]
    assert drawn.count(HINT) == 2


def test_ctrl_d_leaves_at_once_when_nothing_is_open(room: Room) -> None:
    _, _, drawn = room.converse([END, "um\r"])
    assert "Até logo!" in drawn
    assert "ouvi" not in drawn


def test_ctrl_d_with_an_open_proposal_asks_and_a_second_one_leaves_it_undone(room: Room) -> None:
    conversation, _, drawn = room.converse([END, END], proposal=PROPOSAL)
    assert conversation.heard == []
    assert drawn.count("Há uma proposta aberta") == 1
    assert "A proposta em aberto foi descartada." in drawn


def test_ctrl_d_with_an_open_proposal_can_be_thought_better_of(room: Room) -> None:
    def keep(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
        return propose(session)

    conversation, _, drawn = room.converse([END, "quanto custa?\r", END, "sim\r", END], keep, echo, proposal=PROPOSAL)
    assert conversation.heard == ["quanto custa?", "sim"]
    assert drawn.count("Há uma proposta aberta") == 2


def test_ctrl_d_after_a_write_of_unknown_outcome_says_that_it_may_have_been_made(room: Room) -> None:
    _, _, drawn = room.converse([END, END], proposal=replace(PROPOSAL, in_doubt=frozenset({"an-id"})))
    assert "Não se sabe se o último pedido foi feito. Ctrl-D de novo" in drawn


def test_keys_that_have_ended_confirm_nothing(room: Room) -> None:
    conversation, session, _ = room.converse([], proposal=PROPOSAL)
    assert conversation.heard == []
    assert session.proposal == PROPOSAL
