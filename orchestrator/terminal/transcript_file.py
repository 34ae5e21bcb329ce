"""Writes the conversation of a session to a file of its own, without what identifies a person.

It never replaces a file, and answers that tell of patients are left out.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from mesh import private_file
from orchestrator.privacy import Redactor
from orchestrator.terminal.texts import TerminalTexts
from orchestrator.turn import Session


def write_transcript(path: Path, session: Session, texts: TerminalTexts, public: Collection[str]) -> None:
    """Write what was said in a session as Markdown, readable by this user only.

    Args:
        path: The file, which must not exist.
        session: What was said.
        texts: In the session's language.
        public: Names of doctors and clinics, which stay.

    Raises:
        FileExistsError: There is such a file; it is as it was.
        OSError: It cannot be written.
    """
    redactor = Redactor(session.identity, public=public)
    parts = [f"# {texts.transcript_title}"]
    for exchange in session.history:
        reply = texts.transcript_private if exchange.private else exchange.reply
        parts += [f"**{texts.prompt.rstrip('> ')}:** {exchange.utterance}", reply]
    private_file.create(path, ("\n\n".join(map(redactor.redact, parts)) + "\n").encode())
