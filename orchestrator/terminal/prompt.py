"""The prompts of prompt_toolkit, for the clinics, the research desk and questions in private.

Every prompt covers the digits of a CPF, and none opens an editor, which would leave the line in a file.
"""

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.application.current import create_app_session, set_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.clipboard import DummyClipboard
from prompt_toolkit.completion import Completer
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import AnyFormattedText, FormattedText
from prompt_toolkit.history import DummyHistory, History
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.utils import is_dumb_terminal

from orchestrator.console import Renderer, quiet_input
from orchestrator.terminal.secrecy import CoveredEcho, CpfCover, cover_search
from orchestrator.turn import Language, Reply


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
        is_dumb = dependencies.output is None and is_dumb_terminal()
        self._echo = CoveredEcho(create_output()) if is_dumb else None
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
