"""The desk's slash commands: one table, from a name to what it does, for the prompt and for piped lines alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mesh import private_file
from orchestrator.research import ResearchDesk, SessionSummary
from orchestrator.terminal.research.texts import RESEARCH_TEXTS, ResearchTexts
from orchestrator.turn import Block, Language, Paragraph, Table

SHORT_ID = 8
"""Characters of a session's id that are shown; as many find it again."""


@dataclass(frozen=True, slots=True)
class DeskMoment:
    """What a command sees.

    Attributes:
        desk: The desk.
        session_id: The session that is open.
        language: Of the terminal's own texts.
    """

    desk: ResearchDesk
    session_id: str
    language: Language

    @property
    def texts(self) -> ResearchTexts:
        """The terminal's texts."""
        return RESEARCH_TEXTS[self.language]


@dataclass(frozen=True, slots=True)
class ShowInDesk:
    """Draw these blocks."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Begin:
    """Open a new session, and draw these blocks."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class LeaveDesk:
    """End the desk."""


Action = ShowInDesk | Begin | LeaveDesk


def run_command(line: str, moment: DeskMoment) -> Action:
    """Return what a line that begins with a slash asks for; an unknown command gives a hint.

    Args:
        line: The line, clean.
        moment: The moment.
    """
    name, _, argument = line.partition(" ")
    command = COMMANDS.get(name.lower())
    if command is None:
        return _text(moment.texts.unknown_command.format(commands=", ".join(COMMANDS)))
    return command(moment, argument.strip())


def sessions_blocks(sessions: Iterable[SessionSummary], texts: ResearchTexts) -> tuple[Block, ...]:
    """Return sessions as a table, or that there are none."""
    rows = tuple(
        (each.session_id[:SHORT_ID], texts.stages[each.stage], str(each.versions), each.question) for each in sessions
    )
    return (Table(texts.sessions_columns, rows),) if rows else (Paragraph(texts.no_sessions),)


def _help(moment: DeskMoment, _: str) -> Action:
    texts = moment.texts
    examples = "\n".join([texts.help_title, *(f"  {example}" for example in texts.help_examples)])
    rows = tuple((texts.usages.get(name, name), texts.summaries[name]) for name in COMMANDS)
    return ShowInDesk((Paragraph(examples), Table(texts.help_columns, rows)))


def _versions(moment: DeskMoment, _: str) -> Action:
    blocks = moment.desk.versions(moment.session_id)
    return ShowInDesk(blocks) if blocks else _text(moment.texts.no_versions)


def _sessions(moment: DeskMoment, _: str) -> Action:
    return ShowInDesk(sessions_blocks(moment.desk.sessions(), moment.texts))


def _export(moment: DeskMoment, argument: str) -> Action:
    texts = moment.texts
    if not moment.desk.versions(moment.session_id):
        return _text(texts.nothing_to_export)
    path = Path(argument or f"research-{moment.session_id[:SHORT_ID]}.md").expanduser()
    try:
        private_file.create(path, moment.desk.export(moment.session_id).encode())
    except FileExistsError:
        return _text(texts.export_exists.format(path=path))
    except OSError as error:
        return _text(texts.export_failed.format(path=path, reason=error.strerror))
    return _text(texts.exported.format(path=path))


def _new(moment: DeskMoment, _: str) -> Action:
    return Begin((Paragraph(moment.texts.new_session),))


def _quit(_: DeskMoment, __: str) -> Action:
    return LeaveDesk()


def _text(text: str) -> ShowInDesk:
    return ShowInDesk((Paragraph(text),))


COMMANDS: Mapping[str, Callable[[DeskMoment, str], Action]] = {
    "/help": _help,
    "/versions": _versions,
    "/export": _export,
    "/sessions": _sessions,
    "/new": _new,
    "/quit": _quit,
}
"""All commands by name, in the order of /help."""
