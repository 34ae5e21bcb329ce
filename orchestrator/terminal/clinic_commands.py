"""The slash commands of the clinics' terminal, their completion, and the line at the bottom of its prompt."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter, WordCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import FormattedText
from rich.cells import cell_len

from orchestrator.console import path_of, write_new_file
from orchestrator.privacy import Redactor
from orchestrator.terminal import turn_commands
from orchestrator.terminal.slash_commands import Action, ClinicView, Confirm, Request, Say, Show, show_text
from orchestrator.texts import texts_in
from orchestrator.turn import Card, Clinic, Language, Paragraph, Role, Served, Session, Table, markdown

FOLLOW = "auto"  # an argument of /lang
_SEPARATOR = " · "


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command."""

    run: Callable[[ClinicView, str], Action]  # from the view and the text behind its name
    suggestions: Callable[[ClinicView], Mapping[str, str]] = lambda _: {}  # what may stand there, and what it means
    takes_path: bool = False  # whether a file stands there, which is completed as such


def run_command(line: str, view: ClinicView) -> Action:
    """Return the action of a line that begins with a slash; an unknown command gives a hint."""
    name, _, argument = line.partition(" ")
    command = COMMANDS.get(name.lower())
    return _unknown(name, view) if command is None else command.run(view, argument.strip())


def _unknown(name: str, view: ClinicView) -> Action:
    near = get_close_matches(name.lower(), COMMANDS, n=1, cutoff=0.5)
    hint = view.texts.text("terminal.known_commands", commands=", ".join(COMMANDS))
    if near:
        hint = view.texts.text("terminal.nearest_command", near=near[0])
    # The name is not repeated whole: it may be a sentence that begins with a slash by mistake.
    return show_text(f"{view.texts.text('terminal.unknown_command', command=name[:20])} {hint}")


def _help(view: ClinicView, argument: str) -> Action:
    if argument:
        name = f"/{argument.lower().removeprefix('/')}"
        return _unknown(name, view) if name not in COMMANDS else Show((_guide(name, view),))
    texts = view.texts
    usages = (texts.text(f"terminal.commands.{name}.usage") for name in COMMANDS)
    rows = tuple(zip(usages, _summaries(view).values(), strict=True))
    examples = Paragraph("\n  ".join((texts.text("terminal.help_title"), *texts.lines("terminal.help_examples"))))
    commands = Table(texts.lines("terminal.help_columns"), rows)
    return Show((examples, commands, Paragraph(texts.text("terminal.help_more"))))


def _guide(name: str, view: ClinicView) -> Card:
    guide = view.texts.table(f"terminal.commands.{name}")
    told = guide["summary"], guide["arguments"], guide["example"]
    pairs = zip(view.texts.lines("terminal.guide_labels"), told, strict=True)
    return Card(guide["usage"], tuple((label, value) for label, value in pairs if value))


def _summaries(view: ClinicView) -> Mapping[str, str]:
    return {name: view.texts.text(f"terminal.commands.{name}.summary") for name in COMMANDS}


def _words(*words: str) -> Callable[[ClinicView], Mapping[str, str]]:
    return lambda _: dict.fromkeys(words, "")


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


# In the order of /help.
COMMANDS: Mapping[str, Command] = {
    "/help": Command(_help, lambda view: {name[1:]: summary for name, summary in _summaries(view).items()}),
    "/slots": Command(turn_commands.slots, turn_commands.specialties),
    "/book": Command(turn_commands.book, turn_commands.offers),
    "/bookings": Command(lambda view, _: Say(view.texts.text("terminal.ask_bookings"))),
    "/reschedule": Command(turn_commands.reschedule, turn_commands.held),
    "/cancel": Command(turn_commands.cancel, turn_commands.held),
    "/calendar": Command(turn_commands.calendar, turn_commands.held),
    "/confirm": Command(lambda _, proposal: Confirm(proposal)),
    "/patient": Command(patient),
    "/done": Command(done),
    "/clinics": Command(lambda view, _: Show((health(view),))),
    "/retry": Command(turn_commands.retry, turn_commands.silent_clinics),
    "/memory": Command(turn_commands.memory, _words("add", "forget", "clear")),
    "/why": Command(why),
    "/lang": Command(lang, _words(*Language, FOLLOW)),
    "/whoami": Command(lambda view, _: Show((who(view),))),
    "/history": Command(history, _words("clear")),
    "/logout": Command(lambda _, __: Request.LOG_OUT),
    "/save": Command(save, takes_path=True),
    "/json": Command(lambda _, __: Request.SHOW_RECORD),
    "/reload": Command(lambda _, __: Request.RELOAD),
    "/research": Command(lambda _, __: Request.OPEN_DESK),
    "/quit": Command(lambda _, __: Request.LEAVE),
}


class CommandCompleter(Completer):
    """A completer of slash commands, with their summaries, and what may stand behind them; sentences are left alone."""

    def __init__(self, view: Callable[[], ClinicView]) -> None:
        self._view = view
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Return what fits the text before the cursor."""
        before = document.text_before_cursor.lstrip()
        if not before.startswith("/"):
            return
        name, space, typed = before.partition(" ")
        command = COMMANDS.get(name.lower())
        if not space:
            known, typed = _summaries(self._view()), name
        elif command is None:
            return
        elif command.takes_path:
            yield from self._paths.get_completions(Document(typed), complete_event)
            return
        else:
            known = command.suggestions(self._view())
        words = WordCompleter([*known], ignore_case=True, meta_dict=known, sentence=True)
        yield from words.get_completions(Document(typed), complete_event)


def toolbar(view: ClinicView, mode: EditingMode, columns: int) -> FormattedText:
    """Return the parts of the toolbar that fit, by importance; what needs attention is bold, and says so in words."""
    parts: list[tuple[str, str]] = []
    width = 0
    for style, text in _by_importance(view, mode):
        needed = cell_len(text) + (len(_SEPARATOR) if parts else 1)  # a space stands before the first part
        if width + needed <= columns:
            parts += [("", _SEPARATOR if parts else " "), (style, text)]
            width += needed
    return FormattedText(parts)


def _by_importance(view: ClinicView, mode: EditingMode) -> Iterable[tuple[str, str]]:
    texts, identity, proposal = view.texts, view.session.identity, view.session.proposal
    if proposal is not None:
        yield "bold", texts.text("terminal.toolbar_unsettled" if proposal.attempted else "terminal.toolbar_proposal")
    up, total = len(view.services.up().intersection(one.id for one in view.clinics)), len(view.clinics)
    yield "bold" if up < total else "", texts.text("terminal.toolbar_clinics", up=up, total=total)
    leave, *keys = texts.lines("terminal.toolbar_keys")
    yield "", leave
    served = texts.text("terminal.serving.toolbar", name=identity.name)
    yield "bold" if view.session.operator else "", served if view.session.operator else identity.name
    yield from (("", key.format(mode=mode.value.lower())) for key in keys)
    yield "", f"CPF {identity.masked_cpf}"
