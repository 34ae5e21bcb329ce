"""What the terminals of the clinics and of the research desk share: prompt, command or turn, again.

The progress of a turn is drawn above the cursor; Esc or Ctrl-C cancels it, other keys are neither shown nor kept.
Every prompt covers the digits of a CPF, and none opens an editor, which would leave the line in a file.
"""

import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.application.current import create_app_session, set_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.clipboard import DummyClipboard
from prompt_toolkit.completion import Completer
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import AnyFormattedText, FormattedText
from prompt_toolkit.history import DummyHistory, History
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import DummyOutput, Output, create_output
from prompt_toolkit.renderer import CPR_Support
from prompt_toolkit.utils import is_dumb_terminal

from orchestrator.console import LONGEST, Progress, Renderer, TooLongError, TurnRunner, clean, quiet_input
from orchestrator.terminal.secrecy import CoveredEcho, CpfCover, cover_search, forget_typed_ahead
from orchestrator.texts import Texts
from orchestrator.turn import Block, Language, Paragraph, Reply

_UNSEEN_S = 0.05  # a turn that is over sooner draws nothing, so that nothing flickers
_REDRAW_S = 0.1
_ESCAPE_S = 0.05  # how long an Esc may be the beginning of another key


@dataclass(frozen=True, slots=True)
class TerminalDependencies:
    """What every terminal needs, whomever the person talks to."""

    renderer: Renderer
    log: Path  # where a person is sent after an internal fault
    input: Input | None = None  # where keys come from; None for the terminal
    output: Output | None = None  # where the prompt goes; None for the terminal
    on_prompt: Callable[[], object] = lambda: None  # called whenever a prompt begins to wait for a line
    clock: Callable[[], float] = time.monotonic  # seconds that only go forward
    # the answer to a sign of danger in a text; None where it holds none
    danger_answer: Callable[[str, Language], Reply | None] = lambda _said, _language: None


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """What a prompt shows, offers and keeps."""

    message: Callable[[], str]  # returns the text before the line
    toolbar: Callable[[EditingMode], AnyFormattedText]  # returns the line at the bottom, for how lines are edited
    history: History
    completer: Completer  # what Tab completes
    offers_more: bool = True  # whether it completes while one types, and suggests the rest of a line from the history
    on_f2: Callable[[], None] | None = None  # draws above what is being typed; None leaves F2 alone


class Prompt:
    """Ask for a message; without options in private: no history, suggestion, search, clipboard or vi mode."""

    def __init__(self, dependencies: TerminalDependencies, options: PromptOptions | None = None) -> None:
        self._echo = CoveredEcho(create_output()) if dependencies.output is None and is_dumb_terminal() else None
        with nullcontext() if self._echo is None else create_app_session(output=self._echo):
            self._session = _private_session(dependencies) if options is None else _session(dependencies, options)
        self.app = self._session.app  # reads keys and draws
        self._on_prompt = dependencies.on_prompt
        self._is_due = False
        self._waits = False
        self.app.after_render += lambda _: self._drawn()

    def ask(
        self, question: str | None = None, *, is_secret: bool = False, pre_run: Callable[[], None] = lambda: None
    ) -> str:
        """Return what was typed; raise EOFError for Ctrl-D, KeyboardInterrupt for Ctrl-C on an empty line."""
        if self._echo is None:
            self._is_due = True
            return self._session.prompt(question, is_password=is_secret, pre_run=pre_run)
        # prompt_toolkit draws nothing on such a terminal, tells of no drawing and calls no `pre_run`.
        self._echo.is_secret = is_secret
        self._on_prompt()
        self._waits = True
        try:
            pre_run()
            return self._session.prompt(question, is_password=is_secret)
        finally:
            self._waits = False

    def call_behind(self, act: Callable[[], None]) -> None:
        """Call a function that draws above what is being typed, soon; nothing where the prompt does not wait."""
        if self._waits:
            act()
        elif self.app.is_running and self.app.loop is not None:
            self.app.loop.call_soon_threadsafe(self._call_above, act)

    def _call_above(self, act: Callable[[], None]) -> None:
        with set_app(self.app):
            run_in_terminal(quiet_input()(act))

    def _drawn(self) -> None:
        # A prompt is drawn again with every key; only the first time says that it waits.
        if self._is_due:
            self._is_due = False
            self._on_prompt()


def _session(dependencies: TerminalDependencies, options: PromptOptions) -> PromptSession[str]:
    session: PromptSession[str] = PromptSession(
        message=lambda: FormattedText([("bold", options.message())]),
        bottom_toolbar=lambda: options.toolbar(session.editing_mode),
        completer=options.completer,
        complete_while_typing=options.offers_more,
        history=options.history,
        auto_suggest=AutoSuggestFromHistory() if options.offers_more else None,
        input_processors=[CpfCover()],
        key_bindings=_bindings(options.on_f2),
        enable_open_in_editor=False,
        input=dependencies.input,
        output=dependencies.output,
    )
    cover_search(session)
    return session


def _private_session(dependencies: TerminalDependencies) -> PromptSession[str]:
    keys = KeyBindings()
    for search in ("c-r", "c-s"):  # which would draw what is typed into it, and there is nothing to be found
        keys.add(search)(lambda _: None)
    return PromptSession(
        history=DummyHistory(),
        clipboard=DummyClipboard(),
        input_processors=[CpfCover()],
        key_bindings=keys,
        editing_mode=EditingMode.EMACS,
        enable_open_in_editor=False,
        input=dependencies.input,
        output=dependencies.output,
    )


def _bindings(on_f2: Callable[[], None] | None) -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-c")
    def _clear_or_leave(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt())

    @keys.add("f4")
    def _other_mode(event: KeyPressEvent) -> None:
        is_emacs = event.app.editing_mode is EditingMode.EMACS
        event.app.editing_mode = EditingMode.VI if is_emacs else EditingMode.EMACS

    keys.add("escape", "enter")(lambda event: event.current_buffer.insert_text("\n"))
    if on_f2 is not None:
        keys.add("f2")(lambda _: run_in_terminal(on_f2))
    return keys


class LineTerminal(ABC):
    """A terminal that takes lines; a subclass decides what they are said to."""

    def __init__(self, dependencies: TerminalDependencies, options: PromptOptions, progress: Progress) -> None:
        self._dependencies = dependencies
        self._prompt = Prompt(dependencies, options)
        self._progress = progress
        self._runner = TurnRunner(progress, self._await)

    @property
    @abstractmethod
    def _texts(self) -> Texts:
        """The texts of its language."""

    @abstractmethod
    def _take(self, line: str) -> bool:
        """Run a command or take a turn, and return whether the person stays."""

    @abstractmethod
    def _on_interrupt(self) -> str | None:
        """Return the answer to Ctrl-C on an empty line; None to leave."""

    def _on_end(self) -> str | None:
        """Return the answer to Ctrl-D, or to the end of the keys; None to leave, as where all is kept."""
        return None

    def _take_lines(self, on_wait: Callable[[], None] = lambda: None) -> None:
        said: str | None
        while True:
            try:
                line = clean(self._prompt.ask(pre_run=on_wait))
            except EOFError:
                said = self._on_end()
            except KeyboardInterrupt:
                said = self._on_interrupt()
            except TooLongError as error:
                said = self._texts.text("terminal.too_long", length=error.length, limit=LONGEST)
            else:
                if self._take(line):
                    continue
                return
            if said is None:
                return
            self._say(said)

    def _show(self, *blocks: Block) -> None:
        self._dependencies.renderer.show(blocks)

    def _say(self, text: str) -> None:
        self._show(Paragraph(text))

    def _await(self, turn: Future[Any], cancel: Callable[[], None]) -> None:
        with quiet_input():
            if wait([turn], timeout=_UNSEEN_S).not_done:
                self._watch(turn, cancel)
            forget_typed_ahead(self._prompt.app.input)
        for line in self._progress.kept():
            self._dependencies.renderer.say(line)

    def _watch(self, turn: Future[Any], cancel: Callable[[], None]) -> None:
        keys = KeyBindings()
        keys.add("escape", eager=True)(lambda _: cancel())
        keys.add("c-c")(lambda _: cancel())
        drawing = FormattedTextControl(lambda: "\n".join(self._progress.lines()))
        app: Application[None] = Application(
            layout=Layout(Window(drawing, dont_extend_height=True)),
            key_bindings=keys,
            input=self._prompt.app.input,
            output=DummyOutput() if self._dependencies.renderer.plain else self._prompt.app.output,
            erase_when_done=True,
            refresh_interval=_REDRAW_S,
        )
        app.ttimeoutlen = _ESCAPE_S
        # Where the cursor is need not be known, and an answer that comes late would be taken for keys.
        app.renderer.cpr_support = CPR_Support.NOT_SUPPORTED
        app.before_render += lambda _: self._progress.look()

        def leave() -> None:
            if app.is_running and not app.is_done:
                app.exit()

        def leave_soon(_: Future[Any]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended before the turn, because the keys have
                if app.loop is not None:
                    app.loop.call_soon_threadsafe(leave)

        try:
            # Ctrl-C as a signal is the runner's, whether this runs or not.
            app.run(pre_run=lambda: turn.add_done_callback(leave_soon), handle_sigint=False)
        except EOFError:
            wait([turn])  # the keys have ended; the turn goes on, and nobody is taken to have said anything
