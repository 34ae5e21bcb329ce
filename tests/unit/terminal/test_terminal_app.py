"""The loop: lines become turns or commands, a fault or Ctrl-C costs one turn, and leaving confirms nothing."""

import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.enums import EditingMode

from orchestrator.agents.registry import Agent, Registry, RegistryError
from orchestrator.turn.identity import Language
from orchestrator.turn.reply import Reply, TurnOutcome
from orchestrator.turn.session import Proposal, Session
from tests.unit.terminal.room import END, PROPOSAL, Room, echo, propose, reply


def registry_of(*clinics: str) -> Registry:
    return Registry({one: Agent(one, "Cardiology", "127.0.0.1:8001") for one in clinics})


def cannot_be_used() -> Registry:
    raise RegistryError("mesh.yaml: line 7: agents[1].id: a reason")


def test_a_sentence_is_a_turn_and_its_reply_is_drawn(room: Room) -> None:
    conversation, _, drawn = room.converse(["quero marcar\r", "/quit\r"])
    assert conversation.heard == ["quero marcar"]
    assert "ouvi: quero marcar" in drawn
    assert "Até logo!" in drawn


def test_the_person_is_greeted_by_first_name(room: Room) -> None:
    _, _, drawn = room.converse([END])
    assert "Olá, Maria!" in drawn


def test_a_command_never_reaches_the_conversation(room: Room) -> None:
    conversation, _, drawn = room.converse(["/hlep\r", "/help\r", "/quit\r"])
    assert conversation.heard == []
    assert "Você quis dizer /help?" in drawn


def test_reload_says_what_the_registry_holds_now(room: Room) -> None:
    before, now = registry_of("clinic_a", "clinic_b"), registry_of("clinic_b", "clinic_g")
    _, _, drawn = room.converse(["/reload\r", "/quit\r"], registry=before, reload=lambda: now)
    assert "Registro lido de novo; agentes: 2. Novos: clinic_g. Não são mais chamados: clinic_a." in drawn


def test_a_registry_that_cannot_be_reloaded_is_told_with_its_line_and_the_session_goes_on(room: Room) -> None:
    conversation, _, drawn = room.converse(["/reload\r", "oi\r", "/quit\r"], reload=cannot_be_used)
    assert "mesh.yaml: line 7: agents[1].id: a reason" in drawn
    assert conversation.heard == ["oi"]


def test_slots_of_a_specialty_is_asked_as_a_sentence(room: Room) -> None:
    conversation, _, _ = room.converse(["/slots cardiologia\r", END])
    assert conversation.heard == ["quais são os horários de cardiologia?"]


def test_an_empty_line_says_nothing(room: Room) -> None:
    conversation, _, _ = room.converse(["\r", "  \r", END])
    assert conversation.heard == []


def test_an_empty_line_answers_an_open_proposal(room: Room) -> None:
    conversation, session, drawn = room.converse(["\r", END], proposal=PROPOSAL)
    assert conversation.heard == [""]
    assert session.proposal is None
    assert "ouvi: vazio" in drawn


def test_leaving_drops_an_open_proposal_unanswered(room: Room) -> None:
    conversation, _, drawn = room.converse([END], proposal=PROPOSAL)
    assert conversation.heard == []
    assert "A proposta em aberto foi descartada." in drawn


def test_leaving_after_a_write_of_unknown_outcome_does_not_say_that_nothing_happened(room: Room) -> None:
    _, _, drawn = room.converse([END], proposal=replace(PROPOSAL, in_doubt=frozenset({"an-id"})))
    assert "descartada" not in drawn
    assert "Confirme com a clínica" in drawn


def test_what_was_typed_ahead_of_a_proposal_is_never_a_yes(room: Room) -> None:
    conversation, session, _ = room.converse(["marcar\rsim\r"], lambda session, _, __: propose(session))
    assert conversation.heard == ["marcar"]
    assert session.proposal == PROPOSAL


def test_what_is_typed_before_a_proposal_is_on_the_screen_is_never_a_yes(room: Room) -> None:
    is_over = threading.Event()

    def last(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
        is_over.set()
        return propose(session)

    def type_ahead() -> None:
        if is_over.is_set():
            room.keys.send_text("sim\r")

    conversation, session, _ = room.converse(["marcar\r"], last, on_look=type_ahead)
    assert conversation.heard == ["marcar"]
    assert session.proposal == PROPOSAL


def test_what_is_typed_while_a_turn_runs_is_never_sent(room: Room) -> None:
    def slow(session: Session, utterance: str, cancel: threading.Event) -> tuple[Reply, Session]:
        room.keys.send_text("sim\r")
        assert not cancel.wait(0.3)
        return echo(session, utterance, cancel)

    conversation, _, _ = room.converse(["um\r", "dois\r", END], slow, echo)
    assert conversation.heard == ["um", "dois"]


def test_the_end_of_the_keys_while_a_turn_runs_confirms_nothing(room: Room) -> None:
    def last(session: Session, _: str, cancel: threading.Event) -> tuple[Reply, Session]:
        room.keys.close()
        assert not cancel.wait(0.3)
        return propose(session)

    conversation, session, drawn = room.converse(["marcar\r"], last)
    assert conversation.heard == ["marcar"]
    assert session.proposal == PROPOSAL
    assert "Confirma? (sim/não)" in drawn


def test_ctrl_c_cancels_the_turn_and_keeps_the_session(room: Room) -> None:
    def interrupted(session: Session, _: str, cancel: threading.Event) -> tuple[Reply, Session]:
        os.kill(os.getpid(), signal.SIGINT)
        assert cancel.wait(30)
        return reply("Cancelado.", TurnOutcome.CANCELLED), session

    conversation, _, drawn = room.converse(["um\r", "dois\r", END], interrupted, echo)
    assert conversation.heard == ["um", "dois"]
    assert drawn.index("Cancelado.") < drawn.index("ouvi: dois")


def test_a_fault_costs_one_turn_and_logs_no_words(room: Room, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    def broken(session: Session, utterance: str, _: threading.Event) -> tuple[Reply, Session]:
        raise RuntimeError(f"cannot handle {utterance}")

    conversation, _, drawn = room.converse(["segredo\r", "dois\r", END], broken, echo)
    assert conversation.heard == ["segredo", "dois"]
    assert "Houve uma falha interna" in drawn
    assert "RuntimeError at" in caplog.text
    assert "segredo" not in caplog.text


def test_a_line_over_the_limit_is_not_sent(room: Room) -> None:
    conversation, _, drawn = room.converse([f"\x1b[200~{'a' * 4001}\x1b[201~\r", END])
    assert conversation.heard == []
    assert "4001 caracteres; o limite é 4000" in drawn


def test_a_pasted_text_is_one_message(room: Room) -> None:
    conversation, _, _ = room.converse(["\x1b[200~quero marcar\ncom cardiologista\x1b[201~\r", END])
    assert conversation.heard == ["quero marcar com cardiologista"]


def test_the_terminal_follows_the_language_of_the_answers(room: Room) -> None:
    def english(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
        return reply("Hello.", language=Language.EN), replace(session, language=Language.EN)

    _, _, drawn = room.converse(["hello\r", END], english)
    assert "Goodbye!" in drawn


def test_lang_changes_the_session_that_the_next_turn_gets(room: Room) -> None:
    seen: list[Language | None] = []

    def look(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
        seen.append(session.pinned_language)
        return reply("ok"), session

    room.converse(["/lang en\r", "hello\r", END], look)
    assert seen == [Language.EN]


def test_only_commands_are_in_the_history_file(room: Room, tmp_path: Path) -> None:
    room.converse(["quero marcar\r", "/help\r", "/quit\r"])
    assert (tmp_path / "history").read_text("utf-8") == "/help\n/quit\n"


def test_logging_out_ends_the_terminal_and_empties_its_history(room: Room, tmp_path: Path) -> None:
    conversation, _, drawn = room.converse(["/help\r", "/logout\r", "not sent\r"])
    assert conversation.heard == []
    assert "Até logo!" not in drawn
    assert not (tmp_path / "history").exists()


@pytest.mark.parametrize(
    ("proposal", "question"),
    [(PROPOSAL, "proposta em aberto"), (replace(PROPOSAL, in_doubt=frozenset({"an-id"})), "Não se sabe")],
)
def test_logging_out_asks_first_where_something_would_be_lost(
    room: Room, proposal: Proposal, question: str, tmp_path: Path
) -> None:
    conversation, session, drawn = room.converse(["/help\r", "/logout\r", "n\r", "/quit\r"], proposal=proposal)
    assert question in room.screen.getvalue()
    assert "A sessão continua." in drawn
    assert session.proposal == proposal
    assert conversation.heard == []
    assert (tmp_path / "history").exists()


def test_a_yes_typed_ahead_ends_no_session(room: Room) -> None:
    _, _, drawn = room.converse(["/logout\rs\r", "\r", "/quit\r"], proposal=PROPOSAL)
    assert "A sessão continua." in drawn


def test_a_yes_to_the_question_ends_the_session_with_its_proposal(room: Room) -> None:
    _, _, drawn = room.converse(["/logout\r", "s\r"], proposal=PROPOSAL)
    assert "A sessão continua." not in drawn
    assert "Até logo!" not in drawn


@pytest.mark.parametrize(("mode", "typed"), [(EditingMode.EMACS, "um\x18\x05\r"), (EditingMode.VI, "um\x1bv\x1bl\r")])
def test_no_key_opens_an_editor(mode: EditingMode, typed: str, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(Buffer, "open_in_editor", lambda buffer, **_: opened.append(buffer.text))
    room.mode = mode
    conversation, _, _ = room.converse([typed, END])
    assert conversation.heard == ["um"]
    assert opened == []
