"""The desk's slash commands, for the prompt and for piped lines alike."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mesh import private_file
from orchestrator.console.slash_commands import (
    Command,
    DeskAction,
    NewResearch,
    Request,
    Show,
    command_of,
    help_blocks,
    show_text,
)
from orchestrator.research import ResearchDesk, SessionSummary
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Block, Language, Paragraph, Table

SHORT_ID = 8  # characters of a session's id that are shown; as many find it again


@dataclass(frozen=True, slots=True)
class DeskView:
    """What a command sees."""

    desk: ResearchDesk
    session_id: str
    language: Language  # of the terminal's own texts

    @property
    def texts(self) -> Texts:
        """The terminal's texts."""
        return texts_in(self.language)


def run_desk_command(line: str, view: DeskView) -> DeskAction:
    """Return the command of a line that begins with a slash; an unknown command gives a hint."""
    _, command, argument = command_of(line, DESK_COMMANDS)
    if command is None:
        return show_text(view.texts.text("research.terminal.unknown_command", commands=", ".join(DESK_COMMANDS)))
    return command.run(view, argument)


def sessions_blocks(sessions: Iterable[SessionSummary], texts: Texts) -> tuple[Block, ...]:
    """Return sessions as a table, or that there are none."""
    rows = tuple(
        (
            each.session_id[:SHORT_ID],
            texts.text(f"research.terminal.stages.{each.stage}"),
            str(each.versions),
            each.question,
        )
        for each in sessions
    )
    columns, nothing = texts.lines("research.terminal.sessions_columns"), texts.text("research.terminal.no_sessions")
    return (Table(columns, rows) if rows else Paragraph(nothing),)


def _help(view: DeskView, _: str) -> DeskAction:
    texts = view.texts
    rows = tuple(
        (texts.table("research.terminal.usages").get(name, name), texts.text(f"research.terminal.summaries.{name}"))
        for name in DESK_COMMANDS
    )
    return Show(
        help_blocks(
            texts.text("research.terminal.help_title"),
            texts.lines("research.terminal.help_examples"),
            texts.lines("research.terminal.help_columns"),
            rows,
        )
    )


def _versions(view: DeskView, _: str) -> DeskAction:
    blocks = view.desk.versions(view.session_id)
    return Show(blocks) if blocks else show_text(view.texts.text("research.terminal.no_versions"))


def _export(view: DeskView, argument: str) -> DeskAction:
    texts = view.texts
    if not view.desk.versions(view.session_id):
        return show_text(texts.text("research.terminal.nothing_to_export"))
    path = Path(argument or f"research-{view.session_id[:SHORT_ID]}.md").expanduser()
    try:
        private_file.create(path, view.desk.export(view.session_id).encode())
    except FileExistsError:
        return show_text(texts.text("research.terminal.export_exists", path=path))
    except OSError as error:
        return show_text(texts.text("research.terminal.export_failed", path=path, reason=error.strerror))
    return show_text(texts.text("research.terminal.exported", path=path))


# In the order of /help.
DESK_COMMANDS: Mapping[str, Command[DeskView, DeskAction]] = {
    "/help": Command(_help),
    "/versions": Command(_versions),
    "/export": Command(_export),
    "/sessions": Command(lambda view, _: Show(sessions_blocks(view.desk.sessions(), view.texts))),
    "/new": Command(lambda view, _: NewResearch((Paragraph(view.texts.text("research.terminal.new_session")),))),
    "/quit": Command(lambda _, __: Request.LEAVE),
}
