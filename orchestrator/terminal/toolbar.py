"""The line at the bottom of the prompt: who speaks, how many clinics answer, whether a proposal waits, the keys."""

from __future__ import annotations

from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import FormattedText

from orchestrator.terminal.texts import TEXTS
from orchestrator.terminal.view_state import Scene

_SEPARATOR = " · "


def toolbar(scene: Scene, mode: EditingMode) -> FormattedText:
    """Return the toolbar for a scene; what needs attention is bold, and says so in words.

    Args:
        scene: The moment.
        mode: How lines are edited.
    """
    texts = TEXTS[scene.language]
    identity = scene.session.identity
    up = sum(station.is_up for station in scene.stations)
    clinics = texts.toolbar_clinics.format(up=up, total=len(scene.stations))
    parts = [("", f" {identity.name}{_SEPARATOR}CPF {identity.masked_cpf}{_SEPARATOR}")]
    parts.append(("bold" if up < len(scene.stations) else "", clinics))
    proposal = scene.session.proposal
    if proposal is not None:
        waiting = texts.toolbar_unsettled if proposal.attempted else texts.toolbar_proposal
        parts += [("", _SEPARATOR), ("bold", waiting)]
    parts.append(("", f"{_SEPARATOR}{texts.toolbar_keys.format(mode=mode.value.lower())}"))
    return FormattedText(parts)
