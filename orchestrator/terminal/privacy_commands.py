"""The commands about privacy: /whoami, /history and /logout.

They say what is to be shown or forgotten; the terminal does it.
"""

from __future__ import annotations

from orchestrator.terminal.actions import Action, OpenHistory, Show, text
from orchestrator.terminal.history import PromptHistory
from orchestrator.terminal.privacy_texts import PRIVACY_TEXTS
from orchestrator.terminal.suggestion import Suggestion
from orchestrator.terminal.view_state import Scene
from orchestrator.turn import Block, Card, Paragraph

CLEAR = "clear"
"""What may stand behind /history."""


def whoami(scene: Scene, _: str) -> Action:
    """Show who speaks, and what is kept of it where."""
    return Show((who(scene),))


def history(scene: Scene, argument: str) -> Action:
    """Show what the history keeps, or clear it."""
    if argument.lower() in {"", CLEAR}:
        return OpenHistory(clears=bool(argument))
    return text(PRIVACY_TEXTS[scene.language].history_usage)


def history_words(_: Scene) -> tuple[Suggestion, ...]:
    """Return what may stand behind /history."""
    return (Suggestion(CLEAR),)


def who(scene: Scene) -> Card:
    """Return who speaks, since when, and what is kept of it where."""
    texts, session, stay = PRIVACY_TEXTS[scene.language], scene.session, scene.stay
    rows = (
        (texts.name, session.identity.name),
        ("CPF", session.identity.masked_cpf),
        (texts.role, texts.roles[session.role]),
        (texts.language, texts.followed if session.pinned_language is None else texts.pinned),
        (texts.since, f"{stay.since.astimezone():{texts.moment}}"),
        (texts.conversation, texts.conversation_kept),
        (texts.history, texts.histories[stay.history].format(file=stay.history_file)),
        (texts.memory, texts.memory_kept if scene.remembers else texts.memory_off),
        (texts.log, texts.log_off if stay.log_dir is None else texts.log_kept.format(folder=stay.log_dir)),
    )
    return Card(texts.who_title, rows)


def carry_out(request: OpenHistory, history: PromptHistory, scene: Scene) -> Block:
    """Show or clear a history, and return what is said of it."""
    texts, file = PRIVACY_TEXTS[scene.language], scene.stay.history_file
    if request.clears:
        is_gone = history.clear()
        return Paragraph((texts.history_cleared if is_gone else texts.history_not_cleared).format(file=file))
    kept = history.kept()
    if not kept:
        return Paragraph(texts.nothing_kept)
    return Paragraph("\n".join((texts.kept_title.format(file=file), *(f"  {line}" for line in kept))))
