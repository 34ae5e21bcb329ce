"""The loop of the desk's terminal: prompt, command or turn, drawing, again.

The desk is loaded behind the first prompt, because LangGraph takes longer to load than a person to read the welcome.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from orchestrator.research import ResearchDesk
from orchestrator.terminal.cpf_cover import CpfCover, cover_search
from orchestrator.terminal.echo_cover import covered_echo
from orchestrator.terminal.history import PromptHistory
from orchestrator.terminal.key_bindings import bindings
from orchestrator.terminal.progress import Progress
from orchestrator.terminal.progress_screen import WaitingRoom
from orchestrator.terminal.prompt_start import Beginning
from orchestrator.terminal.renderer import Renderer
from orchestrator.terminal.research.desk_commands import (
    COMMANDS,
    SHORT_ID,
    Begin,
    DeskMoment,
    LeaveDesk,
    ShowInDesk,
    run_command,
)
from orchestrator.terminal.research.texts import RESEARCH_TEXTS, ResearchTexts
from orchestrator.terminal.turn_worker import TurnFailedError, TurnRunner
from orchestrator.terminal.utterance import LONGEST, TooLongError, clean
from orchestrator.turn import Block, Language, Paragraph, Reply


@dataclass(frozen=True, slots=True)
class DeskDependencies:
    """What the desk's terminal needs from outside.

    Attributes:
        desk: Returns the desk, waiting until it is loaded.
        progress: Shows what happens during a turn; who makes the desk lets it listen.
        renderer: Where replies are drawn.
        history: The lines that can be called back.
        log: Where a person is sent after an internal fault.
        input: Where keys come from; None for the terminal.
        output: Where the prompt goes; None for the terminal.
        on_prompt: Called whenever a prompt begins to wait for a line.
    """

    desk: Callable[[], ResearchDesk]
    progress: Progress
    renderer: Renderer
    history: PromptHistory
    log: Path
    input: Input | None = None
    output: Output | None = None
    on_prompt: Callable[[], None] = lambda: None


class DeskTurns:
    """The desk as a conversation whose session is its id."""

    def __init__(self, desk: Callable[[], ResearchDesk]) -> None:
        self._desk = desk

    def turn(self, session: str, utterance: str, cancel: threading.Event | None = None) -> tuple[Reply, str]:
        """Return the reply to an utterance and the session after it, which is the same."""
        return self._desk().answer(session, utterance, cancel), session


class ResearchTerminal:
    """A conversation of one person with the desk.

    Args:
        surroundings: What it talks to.
        language: Of its own texts until the first answer.
        notice: What the person should know before they begin; empty when nothing.
    """

    def __init__(self, surroundings: DeskDependencies, language: Language = Language.PT, notice: str = "") -> None:
        self._around = surroundings
        self._language = language
        self._notice = notice
        self._session_id = ""
        with covered_echo(surroundings.output):
            self._prompt: PromptSession[str] = PromptSession(
                message=lambda: FormattedText([("bold", self._texts.prompt)]),
                bottom_toolbar=lambda: self._texts.toolbar.format(session=self._session_id[:SHORT_ID] or "…"),
                completer=WordCompleter(list(COMMANDS), sentence=True),
                complete_while_typing=False,
                history=surroundings.history,
                input_processors=[CpfCover()],
                key_bindings=bindings(),
                enable_open_in_editor=False,  # an editor would leave the line in a file
                input=surroundings.input,
                output=surroundings.output,
            )
        cover_search(self._prompt)
        progress, app, is_plain = surroundings.progress, self._prompt.app, surroundings.renderer.plain
        waiting = WaitingRoom(progress, app.input, None if is_plain else app.output)
        self._turns: TurnRunner[str] = TurnRunner(DeskTurns(surroundings.desk), progress.cancelling, waiting)
        self._beginning = Beginning(app, surroundings.on_prompt)

    def run(self, session_id: str | None = None) -> None:
        """Converse until the person leaves.

        Args:
            session_id: The session to take up again, or its beginning; None for a new one.

        Raises:
            UnknownSessionError: There is no such session.
        """
        if session_id is not None:
            self._resume(session_id)
        else:
            self._say(self._texts.welcome)
        if self._notice:
            self._say(self._notice)
        while self._one_line():
            pass
        if self._session_id:
            self._say(self._texts.goodbye.format(session=self._session_id[:SHORT_ID]))

    def _resume(self, session_id: str) -> None:
        desk = self._around.desk()
        self._session_id = desk.find(session_id)
        reply = desk.resume(self._session_id)
        if reply is not None:
            self._language = reply.language
        self._say(self._texts.resumed.format(session=self._session_id[:SHORT_ID]))
        if reply is not None:
            self._show(*reply.blocks)

    def _one_line(self) -> bool:
        """Take one line and return whether there shall be another."""
        try:
            self._beginning.announce()
            line = clean(self._prompt.prompt())
        except EOFError:
            return False
        except KeyboardInterrupt:
            self._say(self._texts.interrupt_hint)
            return True
        except TooLongError as error:
            self._say(self._texts.too_long.format(length=error.length, limit=LONGEST))
            return True
        if line.startswith("/"):
            return self._act(line)
        if line:
            self._turn(line)
        return True

    def _act(self, line: str) -> bool:
        desk = self._around.desk()
        action = run_command(line, DeskMoment(desk, self._session_id, self._language))
        match action:
            case ShowInDesk(blocks):
                self._show(*blocks)
            case Begin(blocks):
                self._session_id = ""
                self._show(*blocks)
            case LeaveDesk():
                return False
            case _:
                assert_never(action)
        return True

    def _turn(self, utterance: str) -> None:
        if not self._session_id:
            self._session_id = self._around.desk().start()
        self._around.progress.begin(self._language)
        try:
            reply, _ = self._turns.run(self._session_id, utterance)
        except TurnFailedError:
            self._say(self._texts.failed.format(log=self._around.log))
            return
        finally:
            for line in self._around.progress.kept():
                self._around.renderer.say(line)
        self._language = reply.language
        self._show(*reply.blocks)

    def _show(self, *blocks: Block) -> None:
        self._around.renderer.show(blocks)

    def _say(self, text: str) -> None:
        self._show(Paragraph(text))

    @property
    def _texts(self) -> ResearchTexts:
        return RESEARCH_TEXTS[self._language]
