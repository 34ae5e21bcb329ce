"""The loop: lines become turns or commands, a fault or Ctrl-C costs one turn, and leaving confirms nothing."""

import io
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from orchestrator.directory import Clinic
from orchestrator.events import EventChannel
from orchestrator.identity import Identity
from orchestrator.language import Language
from orchestrator.plan import Plan, PlanKind
from orchestrator.registry import RegistryError, Reloaded
from orchestrator.reply import Outcome, Paragraph, Reply
from orchestrator.session import Proposal, Session
from orchestrator.settings import HistoryKind
from orchestrator.terminal.app import Surroundings, Terminal
from orchestrator.terminal.renderer import Renderer
from orchestrator.terminal.stay import Stay

Turn = Callable[[Session, str, threading.Event], tuple[Reply, Session]]


def reply(text: str, outcome: Outcome = Outcome.OK, language: Language = Language.PT) -> Reply:
    return Reply(language, outcome, (Paragraph(text),))


PROPOSAL = Proposal(Plan(PlanKind.STEPS, Language.PT))


def propose(session: Session) -> tuple[Reply, Session]:
    return reply("Confirma? (sim/não)", Outcome.CONFIRM), replace(session, proposal=PROPOSAL)


def echo(session: Session, utterance: str, _: threading.Event) -> tuple[Reply, Session]:
    return reply(f"ouvi: {utterance or 'vazio'}"), replace(session, proposal=None)


class ScriptedConversation:
    """Takes turns with the functions given, one each; the last one takes all that follow."""

    def __init__(self, *turns: Turn) -> None:
        self._turns = list(turns)
        self.heard: list[str] = []

    def turn(self, session: Session, utterance: str, cancel: threading.Event | None = None) -> tuple[Reply, Session]:
        self.heard.append(utterance)
        take = self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]
        return take(session, utterance, cancel or threading.Event())


class OneClinic:
    """A directory of one clinic."""

    def clinics(self) -> tuple[Clinic, ...]:
        return (Clinic("clinic_a", "Clínica A", "Cardiology", ("Dr. Ricardo Lopes",)),)


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as keys:
        yield keys


class Room:
    """A terminal with keys typed in advance, and what it drew."""

    def __init__(self, keys: PipeInput, folder: Path) -> None:
        self._keys = keys
        self._folder = folder
        self._file = io.StringIO()
        self.screen = io.StringIO()
        self.mode = EditingMode.EMACS
        self.answers: list[str] = []

    def _answer(self) -> None:
        """Type the next answer once a question has been drawn."""
        if self.answers and "(s/N)" in self.screen.getvalue():
            self._keys.send_text(self.answers.pop(0))

    def converse(
        self,
        typed: str,
        *turns: Turn,
        proposal: Proposal | None = None,
        reload: Callable[[], Reloaded] = lambda: Reloaded((), (), 1),
    ) -> tuple[ScriptedConversation, Session, str]:
        """Type and return the conversation, the last session and all that was drawn."""
        conversation = ScriptedConversation(*(turns or (echo,)))
        self._keys.send_text(typed)
        output = Vt100_Output(self.screen, lambda: Size(rows=24, columns=100), term="xterm", enable_cpr=False)
        surroundings = Surroundings(
            conversation=conversation,
            events=EventChannel(),
            directory=OneClinic(),
            addresses=lambda: {"clinic_a": "127.0.0.1:8001"},
            reload=reload,
            up=lambda: frozenset({"clinic_a"}),
            renderer=Renderer(self._file, 100),
            stay=Stay(datetime.now(UTC), HistoryKind.COMMANDS, self._folder / "history", self._folder),
            log=self._folder,
            input=self._keys,
            output=output if self.answers else DummyOutput(),
            on_prompt=self._answer,
        )
        session = Session(Identity.of("Maria Souza", "529.982.247-25"), proposal=proposal)
        terminal = Terminal(surroundings, session)
        terminal._prompt.editing_mode = self.mode
        return conversation, terminal.run(), self._file.getvalue()


def cannot_be_used() -> Reloaded:
    raise RegistryError("mesh.yaml: line 7: agents.1.id: a reason")


@pytest.fixture
def room(keys: PipeInput, tmp_path: Path) -> Room:
    return Room(keys, tmp_path)


def test_a_sentence_is_a_turn_and_its_reply_is_drawn(room: Room) -> None:
    conversation, _, drawn = room.converse("quero marcar\r/quit\r")
    assert conversation.heard == ["quero marcar"]
    assert "ouvi: quero marcar" in drawn
    assert "Até logo!" in drawn


def test_the_person_is_greeted_by_first_name(room: Room) -> None:
    _, _, drawn = room.converse("\x04")
    assert "Olá, Maria!" in drawn


def test_a_command_never_reaches_the_conversation(room: Room) -> None:
    conversation, _, drawn = room.converse("/hlep\r/help\r/quit\r")
    assert conversation.heard == []
    assert "Você quis dizer /help?" in drawn


def test_reload_says_what_the_registry_holds_now(room: Room) -> None:
    _, _, drawn = room.converse("/reload\r/quit\r", reload=lambda: Reloaded(("clinic_g",), ("clinic_a",), 6))
    assert "Registro lido de novo; agentes: 6. Novos: clinic_g. Não são mais chamados: clinic_a." in drawn


def test_a_registry_that_cannot_be_reloaded_is_told_with_its_line_and_the_session_goes_on(room: Room) -> None:
    conversation, _, drawn = room.converse("/reload\roi\r/quit\r", reload=cannot_be_used)
    assert "mesh.yaml: line 7: agents.1.id: a reason" in drawn
    assert conversation.heard == ["oi"]


def test_slots_of_a_specialty_is_asked_as_a_sentence(room: Room) -> None:
    conversation, _, _ = room.converse("/slots cardiologia\r\x04")
    assert conversation.heard == ["quais são os horários de cardiologia?"]


def test_an_empty_line_says_nothing(room: Room) -> None:
    conversation, _, _ = room.converse("\r  \r\x04")
    assert conversation.heard == []


def test_an_empty_line_answers_an_open_proposal(room: Room) -> None:
    conversation, session, drawn = room.converse("\r\x04", proposal=PROPOSAL)
    assert conversation.heard == [""]
    assert session.proposal is None
    assert "ouvi: vazio" in drawn


def test_leaving_drops_an_open_proposal_unanswered(room: Room) -> None:
    conversation, _, drawn = room.converse("\x04", proposal=PROPOSAL)
    assert conversation.heard == []
    assert "A proposta em aberto foi descartada." in drawn


def test_leaving_after_a_write_of_unknown_outcome_does_not_say_that_nothing_happened(room: Room) -> None:
    _, _, drawn = room.converse("\x04", proposal=replace(PROPOSAL, in_doubt=frozenset({"an-id"})))
    assert "descartada" not in drawn
    assert "Confirme com a clínica" in drawn


def test_what_was_typed_ahead_is_never_a_yes(room: Room, keys: PipeInput) -> None:
    def last(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
        keys.close()
        return propose(session)

    conversation, session, _ = room.converse("marcar\rsim\r", last)
    assert conversation.heard == ["marcar"]
    assert session.proposal == PROPOSAL


def test_what_was_typed_ahead_of_a_plain_answer_is_kept(room: Room) -> None:
    conversation, _, _ = room.converse("um\rdois\r\x04")
    assert conversation.heard == ["um", "dois"]


def test_ctrl_c_cancels_the_turn_and_keeps_the_session(room: Room) -> None:
    def interrupted(session: Session, _: str, cancel: threading.Event) -> tuple[Reply, Session]:
        os.kill(os.getpid(), signal.SIGINT)
        assert cancel.wait(10)
        return reply("Cancelado.", Outcome.CANCELLED), session

    conversation, _, drawn = room.converse("um\rdois\r\x04", interrupted, echo)
    assert conversation.heard == ["um", "dois"]
    assert drawn.index("Cancelado.") < drawn.index("ouvi: dois")


def test_ctrl_c_at_the_prompt_empties_the_line_and_on_an_empty_one_says_how_to_leave(room: Room) -> None:
    conversation, _, drawn = room.converse("engano\x03\x03um\r\x04")
    assert conversation.heard == ["um"]
    assert "Ctrl-D ou /quit para sair." in drawn


def test_a_fault_costs_one_turn_and_logs_no_words(room: Room, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    def broken(session: Session, utterance: str, _: threading.Event) -> tuple[Reply, Session]:
        raise RuntimeError(f"cannot handle {utterance}")

    conversation, _, drawn = room.converse("segredo\rdois\r\x04", broken, echo)
    assert conversation.heard == ["segredo", "dois"]
    assert "Houve uma falha interna" in drawn
    assert "RuntimeError at" in caplog.text
    assert "segredo" not in caplog.text


def test_a_line_over_the_limit_is_not_sent(room: Room) -> None:
    conversation, _, drawn = room.converse("a" * 4001 + "\r\x04")
    assert conversation.heard == []
    assert "4001 caracteres; o limite é 4000" in drawn


def test_a_pasted_text_is_one_message(room: Room) -> None:
    conversation, _, _ = room.converse("\x1b[200~quero marcar\ncom cardiologista\x1b[201~\r\x04")
    assert conversation.heard == ["quero marcar com cardiologista"]


def test_the_terminal_follows_the_language_of_the_answers(room: Room) -> None:
    def english(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
        return reply("Hello.", language=Language.EN), replace(session, language=Language.EN)

    _, _, drawn = room.converse("hello\r\x04", english)
    assert "Goodbye!" in drawn


def test_lang_changes_the_session_that_the_next_turn_gets(room: Room) -> None:
    seen: list[Language | None] = []

    def look(session: Session, _: str, __: threading.Event) -> tuple[Reply, Session]:
        seen.append(session.pinned_language)
        return reply("ok"), session

    room.converse("/lang en\rhello\r\x04", look)
    assert seen == [Language.EN]


def test_only_commands_are_in_the_history_file(room: Room, tmp_path: Path) -> None:
    room.converse("quero marcar\r/help\r/quit\r")
    assert (tmp_path / "history").read_text("utf-8") == "/help\n/quit\n"


def test_logging_out_ends_the_terminal_and_empties_its_history(room: Room, tmp_path: Path) -> None:
    conversation, _, drawn = room.converse("/help\r/logout\rnot sent\r")
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
    room.answers = ["n\r", "/quit\r"]
    conversation, session, drawn = room.converse("/help\r/logout\r", proposal=proposal)
    assert question in room.screen.getvalue()
    assert "A sessão continua." in drawn
    assert session.proposal == proposal
    assert conversation.heard == []
    assert (tmp_path / "history").exists()


def test_a_yes_typed_ahead_ends_no_session(room: Room) -> None:
    room.answers = ["\r", "/quit\r"]
    _, _, drawn = room.converse("/logout\rs\r", proposal=PROPOSAL)
    assert "A sessão continua." in drawn


def test_a_yes_to_the_question_ends_the_session_with_its_proposal(room: Room) -> None:
    room.answers = ["s\r"]
    _, _, drawn = room.converse("/logout\r", proposal=PROPOSAL)
    assert "A sessão continua." not in drawn
    assert "Até logo!" not in drawn


@pytest.mark.parametrize(
    ("mode", "typed"), [(EditingMode.EMACS, "um\x18\x05\r\x04"), (EditingMode.VI, "um\x1bvi\x1b\r\x04")]
)
def test_no_key_opens_an_editor(mode: EditingMode, typed: str, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(Buffer, "open_in_editor", lambda buffer, **_: opened.append(buffer.text))
    room.mode = mode
    conversation, _, _ = room.converse(typed)
    assert conversation.heard == ["um"]
    assert opened == []
