"""Writes the conversation of a session to a file of its own, without what identifies a person."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from mesh import private_file
from orchestrator.privacy import Redactor
from orchestrator.terminal.texts import TerminalTexts
from orchestrator.turn import Session


def save_transcript(path: Path, session: Session, texts: TerminalTexts, public: Collection[str]) -> str:
    """Write what was said in a session as Markdown and return what came of it, in words.

    Answers that tell of patients are left out.

    Args:
        path: A file that must not exist.
        session: What was said.
        texts: In the session's language.
        public: Names of doctors and clinics, which stay.
    """
    redactor = Redactor(session.identity, public=public)
    parts = [f"# {texts.transcript_title}"]
    for exchange in session.history:
        reply = texts.transcript_private if exchange.private else exchange.reply
        parts += [f"**{texts.prompt.rstrip('> ')}:** {exchange.utterance}", reply]
    try:
        private_file.create(path, ("\n\n".join(map(redactor.redact, parts)) + "\n").encode())
    except FileExistsError:
        return texts.save_exists.format(path=path)
    except OSError as error:
        return texts.save_failed.format(path=path, why=error.strerror)
    return texts.saved.format(path=path)
