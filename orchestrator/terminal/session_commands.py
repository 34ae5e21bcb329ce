"""The commands that show or set what the session holds: openings, bookings, clinics, language, transcript, privacy."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from mesh import private_file
from mesh.text_folding import fold
from orchestrator.console import Action, ChangeSession, Request, Save, Say, Show, Suggestion, show_table, show_text
from orchestrator.privacy import Redactor
from orchestrator.terminal.appointment_commands import plan_of_choice
from orchestrator.terminal.dependencies import ClinicView
from orchestrator.terminal.history import PromptHistory
from orchestrator.texts import clock_time, texts_in
from orchestrator.turn import (
    BOOK,
    Block,
    Card,
    Classification,
    ForgetAllMemories,
    ForgetMemory,
    Language,
    ListMemories,
    MemoryCall,
    OfSpecialty,
    Paragraph,
    Plan,
    PlanKind,
    Question,
    Receipt,
    ReceiptKind,
    Session,
    Table,
    Topic,
    Wish,
    any_of,
    listing_step,
    markdown,
)

_FOLLOW = "auto"
_CLEAR = "clear"
_TELLING = 5  # letters that a specialty is known by


def clinics(view: ClinicView, _: str) -> Action:
    """Show every clinic: whether it answers, and who attends there."""
    return Show((health(view),))


def health(view: ClinicView) -> Table:
    """Return the clinics as a table: where each is, whether it answers, who attends there."""
    rows = tuple(
        (
            one.clinic.name,
            view.texts.specialty(one.clinic.specialty),
            one.address,
            view.texts.text("terminal.up" if one.is_up else "terminal.down"),
            ", ".join(one.clinic.doctors) or "—",
        )
        for one in view.clinics
    )
    return Table(view.texts.lines("terminal.clinics_columns"), rows)


def slots(view: ClinicView, argument: str) -> Action:
    """Show all openings of the last list, numbered anew, or ask for those of a specialty."""
    texts = view.texts
    if argument:
        codes = [code for code in view.specialties if _names_specialty(argument, code)]
        if not codes:
            return show_text(texts.text("terminal.slots_usage", specialties=", ".join(_specialty_names(view))))
        return Say(texts.text("terminal.ask_slots", specialty=argument), _plan_of_openings(codes, view))
    offers = tuple(replace(offer, number=number) for number, offer in enumerate(view.session.offers, 1))
    if not offers:
        return show_text(texts.text("terminal.no_slots"))
    rows = tuple(
        (
            str(offer.number),
            texts.long_date(offer.date),
            clock_time(offer.time),
            offer.doctor,
            view.clinic_name(offer.clinic),
        )
        for offer in offers
    )
    table = Table(texts.lines("terminal.slots_columns"), rows)
    return ChangeSession(replace(view.session, offers=offers), (table,))


def specialties(view: ClinicView) -> tuple[Suggestion, ...]:
    """Return the specialties that there are, as people write them."""
    return tuple(map(Suggestion, _specialty_names(view)))


def _names_specialty(typed: str, code: str) -> bool:
    # "cardio", "Cardiologista" and "cardiology" begin alike.
    beginnings = {fold(texts_in(language).specialty(code))[:_TELLING] for language in Language}
    return any(fold(word)[:_TELLING] in beginnings for word in typed.split())


def _specialty_names(view: ClinicView) -> list[str]:
    return [view.texts.specialty(code).lower() for code in view.specialties]


def _plan_of_openings(codes: Sequence[str], view: ClinicView) -> Plan:
    clinics = {code: [one.clinic.id for one in view.clinics if one.clinic.specialty == code] for code in codes}
    wish = Wish(any_of(OfSpecialty(code, frozenset(ids)) for code, ids in clinics.items()))
    plan = plan_of_choice([listing_step(clinic) for ids in clinics.values() for clinic in ids], view)
    return replace(
        plan, wish=wish, question=Question(Topic.ASK_WHICH_OFFER, BOOK, {"specialty": " ".join(codes)}, wish)
    )


def bookings(view: ClinicView, _: str) -> Action:
    """Show what was written in this session; what is still held has the number that /cancel takes."""
    texts = view.texts
    rows = tuple(
        (
            number,
            texts.text(f"terminal.receipts.{receipt.kind}"),
            texts.long_date(receipt.appointment.date),
            clock_time(receipt.appointment.time),
            receipt.appointment.doctor,
            view.clinic_name(receipt.appointment.clinic),
        )
        for receipt, number in zip(view.session.receipts, _numbers(view.session), strict=True)
    )
    return show_table(texts.lines("terminal.bookings_columns"), rows, texts.text("terminal.no_bookings"))


def _numbers(session: Session) -> list[str]:
    owner: dict[object, Receipt] = {
        receipt.appointment: receipt for receipt in session.receipts if receipt.kind is not ReceiptKind.CANCELLED
    }
    number = {id(owner[held]): str(place) for place, held in enumerate(session.appointments, 1)}
    return [number.get(id(receipt), "") for receipt in session.receipts]


def memory(view: ClinicView, argument: str) -> Action:
    """Ask the conversation, which alone knows what is remembered."""
    texts = view.texts
    if not view.remembers:
        return show_text(texts.text("terminal.memory_off"))
    match argument.lower().split():
        case []:
            return Say(texts.text("terminal.ask_memories"), _plan_of_memory(ListMemories(), view))
        case ["clear"]:
            return Say(texts.text("terminal.forget_all_memories"), _plan_of_memory(ForgetAllMemories(), view))
        case ["forget", number] if number.isdecimal():
            listed = view.session.memories[: int(number)]
            is_listed = 0 < int(number) == len(listed)
            call = ForgetMemory(listed[-1].content) if is_listed else ListMemories()
            return Say(texts.text("terminal.forget_memory", number=number), _plan_of_memory(call, view))
        case _:
            return show_text(texts.text("terminal.memory_usage"))


def _plan_of_memory(call: MemoryCall, view: ClinicView) -> Plan:
    proposal = view.session.proposal
    return Plan(
        PlanKind.SMALLTALK,
        view.language,
        topic=Topic.WHAT_ELSE,
        keeps_proposal=proposal is not None and not proposal.attempted,
        question=view.session.question,
        reasoning=("A command about what is remembered of who speaks.",),
        classification=Classification(Topic.WHAT_ELSE),
        memory=(call,),
    )


def memory_words(_: ClinicView) -> tuple[Suggestion, ...]:
    """Return the arguments of /memory."""
    return (Suggestion("forget"), Suggestion("clear"))


def why(view: ClinicView, _: str) -> Action:
    """Show how the last answer came about."""
    return Show(view.trace) if view.trace else show_text(view.texts.text("terminal.no_turn"))


def lang(view: ClinicView, argument: str) -> Action:
    """Pin a language, or follow what is written."""
    choice = argument.lower()
    session = view.session
    if choice == _FOLLOW:
        return ChangeSession(
            replace(session, pinned_language=None), show_text(view.texts.text("terminal.lang_auto")).blocks
        )
    if choice in set(Language):
        language = Language(choice)
        pinned = replace(session, pinned_language=language, language=language)
        return ChangeSession(pinned, show_text(texts_in(language).text("terminal.lang_set")).blocks)
    return show_text(view.texts.text("terminal.lang_usage"))


def languages(_: ClinicView) -> tuple[Suggestion, ...]:
    """Return the arguments of /lang."""
    return tuple(Suggestion(name) for name in (*Language, _FOLLOW))


def save(view: ClinicView, argument: str) -> Action:
    """Write the transcript of the session."""
    if not argument:
        return show_text(view.texts.text("terminal.save_usage"))
    path = Path(argument)
    with contextlib.suppress(RuntimeError):  # "~somebody" who is not known here is a name like any other
        path = path.expanduser()
    return Save(path)


def whoami(view: ClinicView, _: str) -> Action:
    """Show who speaks, and what is kept of it where."""
    return Show((who(view),))


def history(view: ClinicView, argument: str) -> Action:
    """Show what the history keeps, or clear it."""
    if argument.lower() in {"", _CLEAR}:
        return Request.CLEAR_HISTORY if argument else Request.SHOW_HISTORY
    return show_text(view.texts.text("terminal.privacy.history_usage"))


def history_words(_: ClinicView) -> tuple[Suggestion, ...]:
    """Return the arguments of /history."""
    return (Suggestion(_CLEAR),)


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
    try:
        private_file.create(path, ("\n\n".join(map(redactor.redact, parts)) + "\n").encode())
    except FileExistsError:
        return texts.text("terminal.save_exists", path=path)
    except OSError as error:
        return texts.text("terminal.save_failed", path=path, why=error.strerror)
    return texts.text("terminal.saved", path=path)
