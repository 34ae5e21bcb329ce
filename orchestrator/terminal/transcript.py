"""Writes the conversation of a session to a file of its own, without what identifies a person."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from mesh import private_file
from orchestrator.privacy import Redactor
from orchestrator.texts import Texts
from orchestrator.turn import Session


def save_transcript(path: Path, session: Session, texts: Texts, public: Collection[str]) -> str:
    """Write what was said in a session as Markdown and return what came of it, in words.

    Answers that tell of patients are left out.

    Args:
        path: A file that must not exist.
        session: What was said.
        texts: In the session's language.
        public: Names of doctors and clinics, which stay.
    """
    redactor = Redactor(session.identity, public=public)
    parts = [f"# {texts.text('terminal.transcript_title')}"]
    for exchange in session.history:
        reply = texts.text("terminal.transcript_private") if exchange.private else exchange.reply
        parts += [f"**{texts.text('terminal.prompt').rstrip('> ')}:** {exchange.utterance}", reply]
    try:
        private_file.create(path, ("\n\n".join(map(redactor.redact, parts)) + "\n").encode())
    except FileExistsError:
        return texts.text("terminal.save_exists", path=path)
    except OSError as error:
        return texts.text("terminal.save_failed", path=path, why=error.strerror)
    return texts.text("terminal.saved", path=path)
