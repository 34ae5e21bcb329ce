"""The slash commands of the clinics' terminal, their completion, and the line at the bottom of its prompt."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter, WordCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import FormattedText
from rich.cells import cell_len

from orchestrator.terminal import session_commands, turn_commands
from orchestrator.terminal.slash_commands import Action, ClinicView, Confirm, Request, Say, Show, show_text
from orchestrator.turn import Card, Language, Paragraph, Table

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
    "/patient": Command(session_commands.patient),
    "/done": Command(session_commands.done),
    "/clinics": Command(lambda view, _: Show((session_commands.health(view),))),
    "/retry": Command(turn_commands.retry, turn_commands.silent_clinics),
    "/memory": Command(turn_commands.memory, _words("add", "forget", "clear")),
    "/why": Command(session_commands.why),
    "/lang": Command(session_commands.lang, _words(*Language, session_commands.FOLLOW)),
    "/whoami": Command(lambda view, _: Show((session_commands.who(view),))),
    "/history": Command(session_commands.history, _words("clear")),
    "/logout": Command(lambda _, __: Request.LOG_OUT),
    "/save": Command(session_commands.save, takes_path=True),
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
