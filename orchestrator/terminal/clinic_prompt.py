"""What the clinics' prompt completes, and the line at its bottom."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import FormattedText

from orchestrator.terminal.clinic_commands import COMMANDS
from orchestrator.terminal.view_state import ClinicView
from orchestrator.texts import texts_in

_SEPARATOR = " · "


class CommandCompleter(Completer):
    """Completes slash commands, with their summaries, and what may stand behind them; sentences are left alone."""

    def __init__(self, view: Callable[[], ClinicView]) -> None:
        self._view = view
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
            for one in known.suggestions(self._view()):
                if one.text.startswith(typed.lower()):
                    yield Completion(one.text, start_position=-len(typed), display_meta=one.meta)

    def _names(self, typed: str) -> Iterable[Completion]:
        texts = texts_in(self._view().language)
        for command in COMMANDS:
            if command.startswith(typed):
                yield Completion(
                    command, start_position=-len(typed), display_meta=texts.text(f"terminal.commands.{command}.summary")
                )


def toolbar(view: ClinicView, mode: EditingMode) -> FormattedText:
    """Return the toolbar, with how lines are edited; what needs attention is bold, and says so in words."""
    texts = texts_in(view.language)
    identity = view.session.identity
    up = sum(one.is_up for one in view.clinics)
    clinics = texts.text("terminal.toolbar_clinics", up=up, total=len(view.clinics))
    parts = [("", f" {identity.name}{_SEPARATOR}CPF {identity.masked_cpf}{_SEPARATOR}")]
    parts.append(("bold" if up < len(view.clinics) else "", clinics))
    proposal = view.session.proposal
    if proposal is not None:
        waiting = texts.text("terminal.toolbar_unsettled" if proposal.attempted else "terminal.toolbar_proposal")
        parts += [("", _SEPARATOR), ("bold", waiting)]
    parts.append(("", f"{_SEPARATOR}{texts.text('terminal.toolbar_keys', mode=mode.value.lower())}"))
    return FormattedText(parts)
