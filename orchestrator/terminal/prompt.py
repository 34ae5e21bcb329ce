"""The main prompt: one message of one line or several, with completion, history, suggestions and a toolbar.

It hands over what was typed and understands none of it.
"""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from orchestrator.terminal.completer import CommandCompleter
from orchestrator.terminal.cpf_cover import CpfCover, cover_search
from orchestrator.terminal.dependencies import TerminalDependencies
from orchestrator.terminal.echo_cover import covered_echo
from orchestrator.terminal.hidden_typing import quiet_input
from orchestrator.terminal.history import PromptHistory
from orchestrator.terminal.key_bindings import bindings
from orchestrator.terminal.prompt_start import Beginning
from orchestrator.terminal.texts import TEXTS
from orchestrator.terminal.toolbar import toolbar
from orchestrator.terminal.view_state import Scene


class MainPrompt:
    """Asks for messages.

    Args:
        surroundings: Where keys come from, and where the prompt goes.
        history: What was entered before.
        scene: Returns the moment.
        show_health: Draws how the clinics are.
    """

    def __init__(
        self,
        surroundings: TerminalDependencies,
        history: PromptHistory,
        scene: Callable[[], Scene],
        show_health: Callable[[], None],
    ) -> None:
        self._is_still = surroundings.still
        self._waits = False
        self._on_prompt = surroundings.on_prompt
        with covered_echo(surroundings.output):
            self._session: PromptSession[str] = PromptSession(
                message=lambda: FormattedText([("bold", TEXTS[scene().language].prompt)]),
                bottom_toolbar=lambda: toolbar(scene(), self._session.editing_mode),
                completer=CommandCompleter(scene),
                history=history,
                auto_suggest=AutoSuggestFromHistory(),
                input_processors=[CpfCover()],
                key_bindings=bindings(show_health),
                enable_open_in_editor=False,  # an editor would leave the line in a file
                input=surroundings.input,
                output=surroundings.output,
            )
        cover_search(self._session)
        self._beginning = Beginning(self._session.app, surroundings.on_prompt)

    def ask(self, pre_run: Callable[[], None]) -> str:
        """Return what was typed.

        Args:
            pre_run: Called when the prompt is there.

        Raises:
            EOFError: Ctrl-D, or the keys have ended.
            KeyboardInterrupt: Ctrl-C on an empty line.
        """
        if not self._is_still:
            self._beginning.announce()
            return self._session.prompt(pre_run=pre_run)
        # prompt_toolkit draws nothing on such a terminal, and tells of no drawing either.
        self._on_prompt()
        self._waits = True
        try:
            pre_run()
            return self._session.prompt()
        finally:
            self._waits = False

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
            run_in_terminal(quiet_input()(act))
