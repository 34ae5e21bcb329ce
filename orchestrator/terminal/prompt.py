"""The main prompt: one message of one line or several, with completion, history, suggestions and a toolbar.

It hands over what was typed and understands none of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from orchestrator.terminal.bindings import bindings
from orchestrator.terminal.commands import COMMANDS
from orchestrator.terminal.completer import CommandCompleter
from orchestrator.terminal.cpf_cover import CpfCover
from orchestrator.terminal.history import CommandHistory
from orchestrator.terminal.scene import Scene
from orchestrator.terminal.surroundings import Surroundings
from orchestrator.terminal.texts import TEXTS
from orchestrator.terminal.toolbar import toolbar


class Prompt:
    """Asks for messages.

    Args:
        surroundings: Where keys come from, where the prompt goes, the file of the history.
        scene: Returns the moment.
        show_health: Draws how the clinics are.
    """

    def __init__(self, surroundings: Surroundings, scene: Callable[[], Scene], show_health: Callable[[], None]) -> None:
        self._scene = scene
        self._is_still = surroundings.still
        self._waits = False
        self._begins = False
        self._on_prompt = surroundings.on_prompt
        self._session: PromptSession[str] = PromptSession(
            message=lambda: FormattedText([("bold", TEXTS[scene().language].prompt)]),
            bottom_toolbar=lambda: toolbar(scene(), self._session.editing_mode),
            completer=CommandCompleter(scene),
            history=CommandHistory(surroundings.history, frozenset(COMMANDS)),
            auto_suggest=AutoSuggestFromHistory(),
            input_processors=[CpfCover()],
            key_bindings=bindings(show_health),
            input=surroundings.input,
            output=surroundings.output,
        )
        self._session.app.after_render += lambda _: self._drawn()

    def ask(self, pre_run: Callable[[], None]) -> str:
        """Return what was typed.

        Args:
            pre_run: Called when the prompt is there.

        Raises:
            EOFError: Ctrl-D, or the keys have ended.
            KeyboardInterrupt: Ctrl-C on an empty line.
        """
        if self._is_still:
            return self._ask_plainly(pre_run)
        self._begins = True
        return self._session.prompt(pre_run=pre_run)

    def _ask_plainly(self, pre_run: Callable[[], None]) -> str:
        """Ask for a line that the terminal edits."""
        self._on_prompt()
        self._waits = True
        try:
            pre_run()
            sys.stdout.write(TEXTS[self._scene().language].prompt)
            sys.stdout.flush()
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            sys.stdout.write("\n")  # the terminal has ended the line in no other way
            raise
        finally:
            self._waits = False
        if not line:
            sys.stdout.write("\n")
            raise EOFError
        return line

    @property
    def keys(self) -> Input:
        """Where keys come from."""
        return self._session.app.input

    @property
    def output(self) -> Output:
        """Where the prompt goes."""
        return self._session.app.output

    def redraw(self) -> None:
        """Draw the prompt again, from any thread: something the toolbar shows has changed."""
        self._session.app.invalidate()

    def call_behind(self, act: Callable[[], None]) -> None:
        """Call a function that draws above what is being typed, soon; nothing where the prompt does not wait."""
        app = self._session.app
        if self._waits:
            act()
        elif app.is_running and app.loop is not None:
            app.loop.call_soon_threadsafe(self._call_above, act)

    def _call_above(self, act: Callable[[], None]) -> None:
        with set_app(self._session.app):
            run_in_terminal(act)

    def _drawn(self) -> None:
        if self._begins:
            self._begins = False
            self._on_prompt()
