"""The commands that show or set what the session holds: clinics, language, transcript, privacy."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from orchestrator.console import path_of, write_new_file
from orchestrator.privacy import Redactor
from orchestrator.terminal.slash_commands import Action, ClinicView, Request, Show, show_text
from orchestrator.texts import texts_in
from orchestrator.turn import Card, Clinic, Language, Role, Served, Session, Table, markdown

FOLLOW = "auto"  # an argument of /lang


def health(view: ClinicView) -> Table:
    """Return the clinics as a table: where each is, whether it answers, who attends there."""
    registry, up, rows = view.services.registry, view.services.up(), []
    for one in view.clinics:
        state = view.texts.text("terminal.up" if one.id in up else "terminal.down")
        where = one.name, one.specialty_name(view.session.spoken_language), registry[one.id].address
        rows.append((*where, state, ", ".join(one.doctors) or "—"))
    return Table(view.texts.lines("terminal.clinics_columns"), tuple(rows))


def why(view: ClinicView, _: str) -> Action:
    """Show how the last answer came about."""
    told = view.trace.blocks(view.session.spoken_language)
    return Show(told) if told else show_text(view.texts.text("terminal.no_turn"))


def lang(view: ClinicView, argument: str) -> Action:
    """Pin a language, or follow what is written."""
    choice, session = argument.lower(), view.session
    if choice == FOLLOW:
        return show_text(view.texts.text("terminal.lang_auto"), replace(session, pinned_language=None))
    if choice in set(Language):
        language = Language(choice)
        pinned = replace(session, pinned_language=language, language=language)
        return show_text(texts_in(language).text("terminal.lang_set"), pinned)
    return show_text(view.texts.text("terminal.lang_usage"))


def save(view: ClinicView, argument: str) -> Action:
    """Write the transcript of the session."""
    if not argument:
        return show_text(view.texts.text("terminal.save_usage"))
    return show_text(save_transcript(path_of(argument), view.session, public_names(view.clinics)))


def public_names(clinics: Iterable[Clinic]) -> list[str]:
    """Return the names of clinics and doctors, which nobody has to hide."""
    return [name for clinic in clinics for name in (clinic.name, *clinic.doctors)]


def patient(view: ClinicView, argument: str) -> Action:
    """Serve a patient, by name or by the id of a record."""
    if view.session.role is not Role.OPERATOR:
        return show_text(view.texts.text("terminal.serving.operators_only"))
    return Served(argument)


def done(view: ClinicView, _: str) -> Action:
    """End serving a patient."""
    return Request.DONE if view.session.operator else show_text(view.texts.text("terminal.serving.nobody"))


def history(view: ClinicView, argument: str) -> Action:
    """Show what the history keeps, or clear it."""
    texts, file = view.texts, view.services.history_file
    match argument.lower():
        case "":
            kept = [f"  {line}" for line in view.history.kept()]
            title = texts.text("terminal.privacy.kept_title", file=file)
            return show_text("\n".join((title, *kept)) if kept else texts.text("terminal.privacy.nothing_kept"))
        case "clear":
            if view.history.clear():
                return show_text(texts.text("terminal.privacy.history_cleared", file=file))
            return show_text(texts.text("terminal.privacy.history_not_cleared", file=file))
        case _:
            return show_text(texts.text("terminal.privacy.history_usage"))


def who(view: ClinicView) -> Card:
    """Return the speaker, the start of the session, and what is stored where."""
    texts, session, services = view.texts, view.session, view.services
    told = {
        "role": texts.text(f"terminal.privacy.roles.{session.role}"),
        "language": texts.text("terminal.privacy.pinned" if session.pinned_language else "terminal.privacy.followed"),
        "since": f"{view.since.astimezone():{texts.text('terminal.privacy.moment')}}",
        "conversation": texts.text("terminal.privacy.conversation_kept"),
        "history": texts.text(f"terminal.privacy.histories.{services.history}", file=services.history_file),
        "memory": texts.text("terminal.privacy.memory_kept" if services.noted else "terminal.privacy.memory_off"),
        "log": texts.text(
            "terminal.privacy.log_kept" if services.log_dir else "terminal.privacy.log_off", folder=services.log_dir
        ),
    }
    speaker = (texts.text("terminal.privacy.name"), session.identity.name), ("CPF", session.identity.masked_cpf)
    rows = (*speaker, *((texts.table("terminal.privacy")[name], value) for name, value in told.items()))
    return Card(texts.text("terminal.privacy.who_title"), rows)


def save_transcript(path: Path, session: Session, public: Collection[str]) -> str:
    """Write a session, without answers about patients and names but `public` ones, as Markdown; return the outcome."""
    texts, redactor = texts_in(session.spoken_language), Redactor(session.identity, public=public)
    parts = [f"# {texts.text('terminal.transcript_title')}"]
    for exchange in session.history:
        said = "\n\n".join(map(markdown, exchange.blocks)) or exchange.reply
        reply = texts.text("terminal.transcript_private") if exchange.private else said
        parts += [f"**{texts.text('terminal.prompt').rstrip('> ')}:** {exchange.utterance}", reply]
    failure = write_new_file(path, "\n\n".join(map(redactor.redact, parts)) + "\n", texts)
    return failure or texts.text("terminal.saved", path=path)
