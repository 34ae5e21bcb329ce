"""Completes slash commands and what may stand behind them; sentences are left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from orchestrator.terminal.command_table import COMMANDS
from orchestrator.terminal.command_texts import GUIDES
from orchestrator.terminal.view_state import Scene


class CommandCompleter(Completer):
    """Offers commands with their summaries, then what may stand behind them.

    Args:
        scene: Returns the current scene.
    """

    def __init__(self, scene: Callable[[], Scene]) -> None:
        self._scene = scene
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Return what fits the text before the cursor."""
        before = document.text_before_cursor.lstrip()
        if not before.startswith("/"):
            return
        name, space, typed = before.partition(" ")
        known = COMMANDS.get(name.lower())
        if not space:
            yield from self._names(name.lower())
        elif known is not None and known.takes_path:
            yield from self._paths.get_completions(Document(typed), complete_event)
        elif known is not None:
            for one in known.suggestions(self._scene()):
                if one.text.startswith(typed.lower()):
                    yield Completion(one.text, start_position=-len(typed), display_meta=one.meta)

    def _names(self, typed: str) -> Iterable[Completion]:
        guides = GUIDES[self._scene().language]
        for command in COMMANDS:
            if command.startswith(typed):
                yield Completion(command, start_position=-len(typed), display_meta=guides[command].summary)
