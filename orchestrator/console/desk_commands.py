"""A session of the research desk, and its slash commands, for the prompt and for piped lines alike."""

import threading
import uuid
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from mesh import private_file
from orchestrator.console.utterance import path_of
from orchestrator.research import ResearchDesk, SessionSummary
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Block, Language, Paragraph, Reply, Table

SHORT_ID = 8  # characters of a session's id that are shown; as many find it again


class DeskSession:
    """A session with the research desk, which is asked for when something is said."""

    def __init__(self, desk: Callable[[], ResearchDesk], language: Language = Language.PT) -> None:
        self.desk = desk
        self.language = language  # of the last answer, and of the desk's own texts
        self.id = ""  # empty before something was said

    @property
    def texts(self) -> Texts:
        """The texts of its language."""
        return texts_in(self.language)

    def start(self) -> None:
        """Begin a session, unless there is one; nothing is kept of it before something is said."""
        self.id = self.id or str(uuid.uuid4())

    def resume(self, session_id: str) -> Reply | None:
        """Go on with the session that begins so; return its last answer, None without one, or raise UsageError."""
        self.id = self.desk().find(session_id)
        reply = self.desk().resume(self.id)
        if reply is not None:
            self.language = reply.language
        return reply

    def answer(self, utterance: str, cancel: threading.Event) -> Reply:
        """Take a turn and return its reply."""
        self.start()
        reply = self.desk().answer(self.id, utterance, cancel)
        self.language = reply.language
        return reply

    def run_command(self, line: str) -> tuple[Block, ...] | None:
        """Run a line that begins with a slash and return what is said; None to leave."""
        name, _, argument = line.partition(" ")
        command = DESK_COMMANDS.get(name.lower())
        if command is None:
            known = ", ".join(DESK_COMMANDS)
            return (Paragraph(self.texts.text("research.terminal.unknown_command", commands=known)),)
        return command(self, argument.strip())


def sessions_blocks(sessions: Iterable[SessionSummary], texts: Texts) -> tuple[Block, ...]:
    """Return sessions as a table, or that there are none."""
    stages = texts.table("research.terminal.stages")
    rows = tuple((one.session_id[:SHORT_ID], stages[one.stage], str(one.versions), one.question) for one in sessions)
    columns, nothing = texts.lines("research.terminal.sessions_columns"), texts.text("research.terminal.no_sessions")
    return (Table(columns, rows) if rows else Paragraph(nothing),)


def _help(session: DeskSession, _: str) -> tuple[Block, ...]:
    texts = session.texts
    usages = texts.table("research.terminal.usages")
    rows = tuple((usages.get(name, name), texts.text(f"research.terminal.summaries.{name}")) for name in DESK_COMMANDS)
    examples = (texts.text("research.terminal.help_title"), *texts.lines("research.terminal.help_examples"))
    return Paragraph("\n  ".join(examples)), Table(texts.lines("research.terminal.help_columns"), rows)


def _export(session: DeskSession, argument: str) -> tuple[Block, ...]:
    texts, desk = session.texts, session.desk()
    if not desk.versions(session.id):
        return (Paragraph(texts.text("research.terminal.nothing_to_export")),)
    path = path_of(argument or f"research-{session.id[:SHORT_ID]}.md")
    failure = write_new_file(path, desk.export(session.id), texts)
    return (Paragraph(failure or texts.text("research.terminal.exported", path=path)),)


def write_new_file(path: Path, text: str, texts: Texts) -> str | None:
    """Write a text to a file that is not there yet; return why that failed, or None."""
    try:
        private_file.create(path, text.encode())
    except FileExistsError:
        return texts.text("terminal.save_exists", path=path)
    except OSError as error:
        return texts.text("terminal.save_failed", path=path, why=error.strerror)
    return None


def _new(session: DeskSession, _: str) -> tuple[Block, ...]:
    session.id = ""
    return (Paragraph(session.texts.text("research.terminal.new_session")),)


# In the order of /help.
DESK_COMMANDS: Mapping[str, Callable[[DeskSession, str], tuple[Block, ...] | None]] = {
    "/help": _help,
    "/versions": lambda session, _: (
        session.desk().versions(session.id) or (Paragraph(session.texts.text("research.terminal.no_versions")),)
    ),
    "/export": _export,
    "/sessions": lambda session, _: sessions_blocks(session.desk().sessions(), session.texts),
    "/new": _new,
    "/quit": lambda _, __: None,
}
