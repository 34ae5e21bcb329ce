"""The desk's terminal: lines become turns or commands, a file is never overwritten, and a session is taken up again."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from mesh.errors import UsageError
from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.script import DeskScript
from orchestrator.console.desk_commands import DESK_COMMANDS, DeskSession
from orchestrator.console.renderer import Renderer
from orchestrator.console.turn_runner import Progress
from orchestrator.privacy import Redactor
from orchestrator.research.ports import ResearchDesk, SessionSummary
from orchestrator.settings import HistoryKind
from orchestrator.terminal.desk_terminal import DeskTerminal
from orchestrator.terminal.loop import TerminalDependencies
from orchestrator.terminal.secrecy import PromptHistory
from orchestrator.turn.identity import Language
from orchestrator.turn.reply import Block, Paragraph, Reply, Table, TurnOutcome

SESSION = "0123456789abcdef"


@dataclass
class EchoingDesk:
    """A desk that says what it heard."""

    outcome: TurnOutcome = TurnOutcome.OK
    heard: list[tuple[str, str]] = field(default_factory=list)

    @property
    def said(self) -> list[tuple[int, str]]:
        """What was said, with the number of its session."""
        ids = [*dict.fromkeys(session for session, _ in self.heard)]
        return [(ids.index(session) + 1, words) for session, words in self.heard]

    def find(self, session_id: str) -> str:
        if not SESSION.startswith(session_id):
            raise UsageError("no such session")
        return SESSION

    def sessions(self) -> tuple[SessionSummary, ...]:
        return (self.summary(SESSION),)

    def summary(self, session_id: str) -> SessionSummary:
        return SessionSummary(session_id, "validating", 1, "Como X impacta Y?", "needs_refinement")

    def delete(self, session_id: str) -> None:
        raise AssertionError(session_id)

    def resume(self, session_id: str) -> Reply | None:
        return Reply(Language.EN, self.outcome, (Paragraph(f"last of {session_id}"),))

    def answer(self, session_id: str, utterance: str, cancel: threading.Event | None = None) -> Reply:
        if utterance == "quebre":
            raise RuntimeError("a secret")
        self.heard.append((session_id, utterance))
        return Reply(Language.PT, self.outcome, (Paragraph(f"ouvi: {utterance}"),))

    def versions(self, session_id: str) -> tuple[Block, ...]:
        return (Table(("Versão",), (("V1",),)),) if self.heard else ()

    def export(self, session_id: str) -> str:
        return f"# {session_id}\n"


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def converse(desk: EchoingDesk, folder: Path, keys: PipeInput, *lines: str, session_id: str | None = None) -> str:
    to_type = [*(f"{line}\r" for line in lines), "\x04"]
    drawn = io.StringIO()
    dependencies = TerminalDependencies(
        Renderer(drawn, width=100), folder, keys, DummyOutput(), on_prompt=lambda: keys.send_text(to_type.pop(0))
    )
    history = PromptHistory(folder / "history", frozenset(DESK_COMMANDS), HistoryKind.COMMANDS, Redactor())
    session = DeskSession(lambda: cast("ResearchDesk", desk))
    DeskTerminal(dependencies, session, Progress({}), history).run(session_id)
    return drawn.getvalue()


def test_lines_are_turns_of_one_session_until_a_new_one_is_asked_for(tmp_path: Path, keys: PipeInput) -> None:
    desk = EchoingDesk()
    drawn = converse(desk, tmp_path, keys, "", "uma", "duas", "/new", "três")
    assert desk.said == [(1, "uma"), (1, "duas"), (2, "três")]
    assert "ouvi: duas" in drawn
    assert f"clinic-mesh research --session {desk.heard[-1][0][:8]}" in drawn


def test_the_desk_is_not_asked_before_something_is_said(tmp_path: Path, keys: PipeInput) -> None:
    desk = EchoingDesk()
    assert "Mesa de pesquisa" in converse(desk, tmp_path, keys)
    assert desk.heard == []


def test_a_session_that_is_taken_up_again_shows_its_last_answer_in_its_language(
    tmp_path: Path, keys: PipeInput
) -> None:
    desk = EchoingDesk()
    drawn = converse(desk, tmp_path, keys, "more", session_id="0123")
    assert f"Session 01234567 goes on.\n\nlast of {SESSION}" in drawn
    assert desk.heard == [(SESSION, "more")]


def test_a_session_that_there_is_not_is_said(tmp_path: Path, keys: PipeInput) -> None:
    with pytest.raises(UsageError, match="no such session"):
        converse(EchoingDesk(), tmp_path, keys, session_id="unknown")


def test_commands_are_never_said_to_the_desk(tmp_path: Path, keys: PipeInput) -> None:
    desk = EchoingDesk()
    drawn = converse(desk, tmp_path, keys, "/help", "/sessions", "/versions", "/export", "/nada", "/quit", "depois")
    assert desk.heard == []
    for text in (
        "/export [ARQUIVO]",
        "Como X impacta Y?",
        "Ainda não há uma versão",
        "Ainda não há o que exportar",
        "Esse comando não existe",
    ):
        assert text in drawn


def test_an_export_is_for_this_user_only_and_overwrites_nothing(tmp_path: Path, keys: PipeInput) -> None:
    path = tmp_path / "a session.md"
    export = f"/export {path}"
    desk = EchoingDesk()
    drawn = converse(desk, tmp_path, keys, "uma", export, export)
    assert path.read_text("utf-8") == f"# {desk.heard[0][0]}\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert "já existe e ficou como estava" in " ".join(drawn.split())


def test_an_export_that_cannot_be_written_is_said(tmp_path: Path, keys: PipeInput) -> None:
    commands = [f"/export {tmp_path}/no/such/folder.md", "/export ~nobody-at-all/x.md"]
    drawn = converse(EchoingDesk(), tmp_path, keys, "uma", *commands)
    assert " ".join(drawn.split()).count("Não foi possível gravar") == len(commands)


def test_a_fault_costs_one_message_and_its_text_is_not_shown(tmp_path: Path, keys: PipeInput) -> None:
    desk = EchoingDesk()
    drawn = converse(desk, tmp_path, keys, "quebre", "uma")
    assert "falha interna" in drawn
    assert "secret" not in drawn
    assert desk.said == [(1, "uma")]


def script(desk: EchoingDesk, *lines: str, as_records: bool = False, session_id: str | None = None) -> tuple[int, str]:
    results = io.StringIO()
    progress = Progress({}, lambda _: None)
    with redirect_stdout(results):
        code = DeskScript(progress, cast("ResearchDesk", desk), session_id, as_records=as_records).run(lines)
    return code, results.getvalue()


def test_piped_lines_are_turns_and_commands(tmp_path: Path) -> None:
    desk = EchoingDesk()
    path = tmp_path / "out.md"
    code, text = script(desk, "uma\n", "\n", f"/export {path}\n", "/new\n", "duas\n", "/quit\n", "três\n")
    assert desk.said == [(1, "uma"), (2, "duas")]
    assert (code, path.exists()) == (ExitCode.OK, True)
    assert text.startswith("ouvi: uma\n\n")


def test_the_most_serious_outcome_is_the_exit_code() -> None:
    assert script(EchoingDesk(TurnOutcome.REFUSED), "uma")[0] is ExitCode.REFUSED
    assert script(EchoingDesk(), "uma", "quebre")[0] is ExitCode.INTERNAL


def test_records_are_one_line_of_json_each() -> None:
    _, text = script(EchoingDesk(), "uma", "duas", as_records=True, session_id="01")
    first, second = text.splitlines()
    assert '"schema": "clinic-mesh.research/1"' in first
    assert f'"session_id": "{SESSION}", "turn": 2, "language": "pt", "outcome": "ok"' in second
