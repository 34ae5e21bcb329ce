"""A prompt for what nobody else may read: no history, no suggestion, no search, no clipboard, no editor.

What is typed is in the answer and nowhere else; digits of a CPF are covered even where the answer is no secret.
"""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit import PromptSession
from prompt_toolkit.clipboard import DummyClipboard
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import Output

from orchestrator.terminal.cpf_cover import CpfCover
from orchestrator.terminal.echo_cover import covered_echo
from orchestrator.terminal.prompt_start import Beginning


class PrivatePrompt:
    """Asks one question at a time.

    Args:
        terminal_input: Where keys come from; the terminal unless given.
        terminal_output: Where prompts go; the terminal unless given.
        on_prompt: Called whenever a question begins to wait for its answer.
    """

    def __init__(
        self,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
        *,
        on_prompt: Callable[[], None] = lambda: None,
    ) -> None:
        with covered_echo(terminal_output) as self._echo:
            self._prompt: PromptSession[str] = PromptSession(
                history=DummyHistory(),
                clipboard=DummyClipboard(),
                input_processors=[CpfCover()],
                key_bindings=_bindings(),
                editing_mode=EditingMode.EMACS,
                enable_open_in_editor=False,
                input=terminal_input,
                output=terminal_output,
            )
        self._beginning = Beginning(self._prompt.app, on_prompt)

    def ask(self, question: str, *, is_secret: bool = False) -> str:
        """Return what was typed, in which a secret is drawn as asterisks.

        Raises:
            EOFError: The person left (Ctrl-D).
            KeyboardInterrupt: The person left (Ctrl-C).
        """
        if self._echo is not None:
            self._echo.is_secret = is_secret
        self._beginning.announce()
        return self._prompt.prompt(question, is_password=is_secret)


def _bindings() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-r")
    @keys.add("c-s")
    def _no_search(_: KeyPressEvent) -> None:
        """A search draws what is typed into it, and there is nothing to be found."""

    return keys
