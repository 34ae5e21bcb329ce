"""The commands that show or set what the session holds: clinics, language, transcript, privacy."""

import contextlib
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from orchestrator.console import write_new_file
from orchestrator.privacy import Redactor
from orchestrator.terminal.dependencies import ClinicView
from orchestrator.terminal.history import PromptHistory
from orchestrator.terminal.slash_commands import Action, ChangeSession, Request, Save, Show, show_text
from orchestrator.texts import texts_in
from orchestrator.turn import Block, Card, Language, Paragraph, Session, Table, markdown

FOLLOW, CLEAR = "auto", "clear"  # arguments of /lang and /history


def health(view: ClinicView) -> Table:
    """Return the clinics as a table: where each is, whether it answers, who attends there."""
    rows = tuple(
        (
            one.clinic.name,
            one.clinic.specialty_name(view.language),
            one.address,
            view.texts.text("terminal.up" if one.is_up else "terminal.down"),
            ", ".join(one.clinic.doctors) or "—",
        )
        for one in view.clinics
    )
    return Table(view.texts.lines("terminal.clinics_columns"), rows)


def why(view: ClinicView, _: str) -> Action:
    """Show how the last answer came about."""
    return Show(view.trace) if view.trace else show_text(view.texts.text("terminal.no_turn"))


def lang(view: ClinicView, argument: str) -> Action:
    """Pin a language, or follow what is written."""
    choice = argument.lower()
    session = view.session
    if choice == FOLLOW:
        return ChangeSession(
            replace(session, pinned_language=None), show_text(view.texts.text("terminal.lang_auto")).blocks
        )
    if choice in set(Language):
        language = Language(choice)
        pinned = replace(session, pinned_language=language, language=language)
        return ChangeSession(pinned, show_text(texts_in(language).text("terminal.lang_set")).blocks)
    return show_text(view.texts.text("terminal.lang_usage"))


def save(view: ClinicView, argument: str) -> Action:
    """Write the transcript of the session."""
    if not argument:
        return show_text(view.texts.text("terminal.save_usage"))
    return Save(path_of(argument))


def path_of(name: str) -> Path:
    """Return the path of a file that a person names."""
    with contextlib.suppress(RuntimeError):  # "~somebody" who is not known here is a name like any other
        return Path(name).expanduser()
    return Path(name)


def history(view: ClinicView, argument: str) -> Action:
    """Show what the history keeps, or clear it."""
    if argument.lower() in {"", CLEAR}:
        return Request.CLEAR_HISTORY if argument else Request.SHOW_HISTORY
    return show_text(view.texts.text("terminal.privacy.history_usage"))


def who(view: ClinicView) -> Card:
    """Return the speaker, the start of the session, and what is stored where."""
    texts, session, retention = view.texts, view.session, view.retention
    rows = (
        (texts.text("terminal.privacy.name"), session.identity.name),
        ("CPF", session.identity.masked_cpf),
        (texts.text("terminal.privacy.role"), texts.text(f"terminal.privacy.roles.{session.role}")),
        (
            texts.text("terminal.privacy.language"),
            texts.text("terminal.privacy.followed" if session.pinned_language is None else "terminal.privacy.pinned"),
        ),
        (
            texts.text("terminal.privacy.since"),
            f"{retention.since.astimezone():{texts.text('terminal.privacy.moment')}}",
        ),
        (texts.text("terminal.privacy.conversation"), texts.text("terminal.privacy.conversation_kept")),
        (
            texts.text("terminal.privacy.history"),
            texts.text(f"terminal.privacy.histories.{retention.history}", file=retention.history_file),
        ),
        (
            texts.text("terminal.privacy.memory"),
            texts.text("terminal.privacy.memory_kept" if view.remembers else "terminal.privacy.memory_off"),
        ),
        (
            texts.text("terminal.privacy.log"),
            texts.text("terminal.privacy.log_off")
            if retention.log_dir is None
            else texts.text("terminal.privacy.log_kept", folder=retention.log_dir),
        ),
    )
    return Card(texts.text("terminal.privacy.who_title"), rows)


def show_history(history: PromptHistory, view: ClinicView) -> Block:
    """Return the lines that a history keeps."""
    texts, kept = view.texts, history.kept()
    if not kept:
        return Paragraph(texts.text("terminal.privacy.nothing_kept"))
    title = texts.text("terminal.privacy.kept_title", file=view.retention.history_file)
    return Paragraph("\n".join((title, *(f"  {line}" for line in kept))))


def clear_history(history: PromptHistory, view: ClinicView) -> Block:
    """Clear a history and return what is said of that."""
    texts, file, is_gone = view.texts, view.retention.history_file, history.clear()
    return Paragraph(
        texts.text("terminal.privacy.history_cleared" if is_gone else "terminal.privacy.history_not_cleared", file=file)
    )


def save_transcript(path: Path, session: Session, public: Collection[str]) -> str:
    """Write a session as Markdown and return the outcome.

    What identifies a person is left out, except `public` names of doctors and clinics; so are answers about patients.
    """
    texts, redactor = texts_in(session.spoken_language), Redactor(session.identity, public=public)
    parts = [f"# {texts.text('terminal.transcript_title')}"]
    for exchange in session.history:
        said = "\n\n".join(map(markdown, exchange.blocks)) or exchange.reply
        reply = texts.text("terminal.transcript_private") if exchange.private else said
        parts += [f"**{texts.text('terminal.prompt').rstrip('> ')}:** {exchange.utterance}", reply]
    failure = write_new_file(path, "\n\n".join(map(redactor.redact, parts)) + "\n", texts)
    return failure or texts.text("terminal.saved", path=path)
