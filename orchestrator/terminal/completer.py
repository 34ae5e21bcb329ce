"""Completes slash commands and what may stand behind them; sentences are left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from orchestrator.terminal.commands import COMMANDS
from orchestrator.terminal.scene import Scene
from orchestrator.terminal.texts import TEXTS


class CommandCompleter(Completer):
    """Offers commands with their summaries, then their arguments.

    Args:
        scene: Returns the current scene.
    """

    def __init__(self, scene: Callable[[], Scene]) -> None:
        self._scene = scene

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,  # noqa: ARG002 - the interface's name; tab and typing complete alike
    ) -> Iterable[Completion]:
        """Return what fits the text before the cursor."""
        text = document.text_before_cursor.lstrip()
        if not text.startswith("/"):
            return
        name, space, typed = text.partition(" ")
        scene = self._scene()
        if not space:
            summaries = TEXTS[scene.language].summaries
            for command in COMMANDS:
                if command.startswith(name.lower()):
                    yield Completion(command, start_position=-len(name), display_meta=summaries[command])
        elif (known := COMMANDS.get(name.lower())) is not None:
            for argument in known.arguments(scene):
                if argument.startswith(typed.lower()):
                    yield Completion(argument, start_position=-len(typed))
