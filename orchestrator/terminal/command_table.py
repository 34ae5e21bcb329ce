"""The slash commands: one table, from a name to what it does, and what is said of a line that names none of them.

A command is a function of the scene and its argument; it returns an action and does nothing itself. A line that begins
with a slash is never sent to the conversation as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from orchestrator.terminal import appointment_commands, privacy_commands, session_commands
from orchestrator.terminal.actions import Action, Leave, LogOut, Reload, Research, Show, ShowRecord, text
from orchestrator.terminal.command_texts import GUIDES, Guide
from orchestrator.terminal.suggestion import Suggestion
from orchestrator.terminal.texts import TEXTS
from orchestrator.terminal.view_state import Scene
from orchestrator.turn import Card, Paragraph, Table


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command.

    Attributes:
        run: What it does with the scene and the text behind its name.
        suggestions: What may stand behind its name, for completion.
        takes_path: Whether that is a file, which is completed as such.
    """

    run: Callable[[Scene, str], Action]
    suggestions: Callable[[Scene], tuple[Suggestion, ...]] = lambda _: ()
    takes_path: bool = False


def run_command(line: str, scene: Scene) -> Action:
    """Return what a line that begins with a slash asks for; an unknown command gives a hint.

    Args:
        line: The line, clean.
        scene: The moment.
    """
    name, _, argument = line.partition(" ")
    command = COMMANDS.get(name.lower())
    return _unknown(name, scene) if command is None else command.run(scene, argument.strip())


def _unknown(name: str, scene: Scene) -> Action:
    texts = TEXTS[scene.language]
    near = get_close_matches(name.lower(), COMMANDS, n=1, cutoff=0.5)
    hint = (
        texts.nearest_command.format(near=near[0])
        if near
        else texts.known_commands.format(commands=", ".join(COMMANDS))
    )
    # The name is not repeated whole: it may be a sentence that begins with a slash by mistake.
    return text(f"{texts.unknown_command.format(command=name[:20])} {hint}")


def _help(scene: Scene, argument: str) -> Action:
    if argument:
        name = f"/{argument.lower().removeprefix('/')}"
        return _unknown(name, scene) if name not in COMMANDS else Show((_guide(name, scene),))
    texts, guides = TEXTS[scene.language], GUIDES[scene.language]
    rows = tuple((guides[name].usage, guides[name].summary) for name in COMMANDS)
    examples = "\n".join([texts.help_title, *(f"  {example}" for example in texts.help_examples)])
    return Show((Paragraph(examples), Table(texts.help_columns, rows), Paragraph(texts.help_more)))


def _guide(name: str, scene: Scene) -> Card:
    guide: Guide = GUIDES[scene.language][name]
    labels = TEXTS[scene.language].guide_labels
    pairs = zip(labels, (guide.summary, guide.arguments, guide.example), strict=True)
    return Card(guide.usage, tuple((label, value) for label, value in pairs if value))


def _help_suggestions(scene: Scene) -> tuple[Suggestion, ...]:
    return tuple(Suggestion(name.removeprefix("/"), GUIDES[scene.language][name].summary) for name in COMMANDS)


COMMANDS: Mapping[str, Command] = {
    "/help": Command(_help, _help_suggestions),
    "/slots": Command(session_commands.slots, session_commands.specialties),
    "/book": Command(appointment_commands.book, appointment_commands.offers),
    "/bookings": Command(session_commands.bookings),
    "/reschedule": Command(appointment_commands.reschedule, appointment_commands.held),
    "/cancel": Command(appointment_commands.cancel, appointment_commands.held),
    "/clinics": Command(session_commands.clinics),
    "/retry": Command(appointment_commands.retry, appointment_commands.silent_clinics),
    "/memory": Command(session_commands.memory, session_commands.memory_words),
    "/why": Command(session_commands.why),
    "/lang": Command(session_commands.lang, session_commands.languages),
    "/whoami": Command(privacy_commands.whoami),
    "/history": Command(privacy_commands.history, privacy_commands.history_words),
    "/logout": Command(lambda _, __: LogOut()),
    "/save": Command(session_commands.save, takes_path=True),
    "/json": Command(lambda _, __: ShowRecord()),
    "/reload": Command(lambda _, __: Reload()),
    "/research": Command(lambda _, __: Research()),
    "/quit": Command(lambda _, __: Leave()),
}
"""All commands by name, in the order of /help."""
