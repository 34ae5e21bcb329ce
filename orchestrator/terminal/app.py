"""The loop of the terminal: prompt, command or turn, drawing, again.

It holds the session between turns and nothing else that matters; every decision about an utterance is the
conversation's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from orchestrator.directory import Directory
from orchestrator.events import EventChannel
from orchestrator.privacy import Redactor, telling_words
from orchestrator.registry import RegistryError, Reloaded
from orchestrator.reply import Block, Paragraph
from orchestrator.session import Session
from orchestrator.terminal.bindings import bindings
from orchestrator.terminal.commands import COMMANDS, Action, Change, Leave, Reload, Research, Say, Show, run_command
from orchestrator.terminal.completer import CommandCompleter
from orchestrator.terminal.covered_echo import covered_echo
from orchestrator.terminal.cpf_cover import CpfCover, cover_search
from orchestrator.terminal.history import PromptHistory
from orchestrator.terminal.privacy_commands import LogOut, OpenHistory, carry_out
from orchestrator.terminal.privacy_texts import PRIVACY_TEXTS
from orchestrator.terminal.private_prompt import PrivatePrompt
from orchestrator.terminal.progress import Progress
from orchestrator.terminal.quiet_input import forget_typed_ahead, quiet_input
from orchestrator.terminal.renderer import Renderer
from orchestrator.terminal.scene import Scene, Station, language_of
from orchestrator.terminal.stay import Stay
from orchestrator.terminal.texts import TEXTS, Texts
from orchestrator.terminal.toolbar import toolbar
from orchestrator.terminal.trace import TurnTrace
from orchestrator.terminal.turn import Conversation, TurnFailedError, TurnRunner
from orchestrator.terminal.utterance import LONGEST, TooLongError, clean


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a terminal needs from outside.

    Attributes:
        conversation: Takes the turns.
        events: What happens during a turn.
        directory: Who the clinics are.
        addresses: Returns where they are, by id.
        reload: Reads the registry again; raises RegistryError when it cannot be used.
        up: Returns the ids of those that answer.
        renderer: Where replies are drawn.
        stay: Since when the person is here, and what is kept of it.
        log: Where a person is sent after an internal fault.
        remembers: Whether what the person says of themselves may be remembered.
        input: Where keys come from; None for the terminal.
        output: Where the prompt goes; None for the terminal.
        on_prompt: Called whenever the prompt has been drawn.
        research: Opens the research desk and returns when the person has left it.
    """

    conversation: Conversation[Session]
    events: EventChannel
    directory: Directory
    addresses: Callable[[], Mapping[str, str]]
    reload: Callable[[], Reloaded]
    up: Callable[[], frozenset[str]]
    renderer: Renderer
    stay: Stay
    log: Path
    remembers: bool = False
    input: Input | None = None
    output: Output | None = None
    on_prompt: Callable[[], None] = lambda: None
    research: Callable[[Session], None] = lambda _: None


class Terminal:
    """A conversation with one person at a terminal.

    Args:
        surroundings: What it talks to.
        session: The session to begin with.
    """

    def __init__(self, surroundings: Surroundings, session: Session) -> None:
        self._around = surroundings
        self._session = session
        self._clinics = surroundings.directory.clinics()
        self._trace = TurnTrace()
        self._names = {each.id: each.name for each in self._clinics}
        self._progress = Progress(surroundings.renderer.console, self._names)
        self._must_reload = False
        self._turns = TurnRunner(surroundings.conversation, self._progress.cancelling)
        self._has_logged_out = False
        stay, identity = surroundings.stay, session.identity
        self._history = PromptHistory(
            stay.history_file,
            frozenset(COMMANDS),
            stay.history,
            Redactor(identity, telling_words(identity.name)),
        )
        with covered_echo(surroundings.output):
            self._prompt: PromptSession[str] = PromptSession(
                message=lambda: FormattedText([("bold", self._texts.prompt)]),
                bottom_toolbar=lambda: toolbar(self._scene),
                completer=CommandCompleter(lambda: self._scene),
                history=self._history,
                auto_suggest=AutoSuggestFromHistory(),
                input_processors=[CpfCover()],
                key_bindings=bindings(),
                enable_open_in_editor=False,  # an editor would leave the line in a file
                input=surroundings.input,
                output=surroundings.output,
            )
        cover_search(self._prompt)
        self._prompt.app.after_render += lambda _: surroundings.on_prompt()

    def run(self) -> Session:
        """Converse until the person leaves, and return the last session."""
        unsubscribe = [self._around.events.subscribe(listener) for listener in (self._trace, self._progress)]
        try:
            self._say(self._texts.welcome.format(name=self._session.identity.name.split()[0]))
            while self._one_line():
                pass
            if self._has_logged_out:
                return self._session
            proposal = self._session.proposal
            if proposal is not None:
                self._say(self._texts.unsettled if proposal.attempted else self._texts.dropped)
            self._say(self._texts.goodbye)
        finally:
            for remove in unsubscribe:
                remove()
        return self._session

    @property
    def has_logged_out(self) -> bool:
        """Whether the person asked to be forgotten; the terminal itself has nothing to forget that outlives it."""
        return self._has_logged_out

    def redraw(self) -> None:
        """Draw the prompt again, from any thread: something the toolbar shows has changed."""
        self._prompt.app.invalidate()

    def reload(self) -> None:
        """Read the registry again, at the prompt or as soon as there is one; called in the main thread, by a signal."""
        self._must_reload = True
        self._catch_up()

    def _catch_up(self) -> None:
        app = self._prompt.app
        if self._must_reload and app.is_running and app.loop is not None:
            app.loop.call_soon_threadsafe(self._reload_behind_prompt)

    def _one_line(self) -> bool:
        """Take one line and return whether there shall be another."""
        try:
            line = clean(self._prompt.prompt(pre_run=self._catch_up))
        except EOFError:
            return False
        except KeyboardInterrupt:
            self._say(self._texts.interrupt_hint)
            return True
        except TooLongError as error:
            self._say(self._texts.too_long.format(length=error.length, limit=LONGEST))
            return True
        if line.startswith("/"):
            return self._act(run_command(line, self._scene))
        # An empty line answers a proposal, with no; otherwise it says nothing.
        if line or self._session.proposal is not None:
            self._turn(line)
        return True

    def _act(self, action: Action) -> bool:
        match action:
            case Show(blocks):
                self._show(*blocks)
            case Say(utterance):
                self._turn(utterance)
            case Change(session, blocks):
                self._session = session
                self._show(*blocks)
            case OpenHistory():
                self._show(carry_out(action, self._history, self._scene))
            case LogOut():
                return not self._log_out()
            case Reload():
                self._reload()
            case Research():
                self._around.research(self._session)
            case Leave():
                return False
            case _:
                assert_never(action)
        return True

    def _log_out(self) -> bool:
        """Forget what is kept of the person and return whether they leave; they may stay rather than lose something."""
        forget_typed_ahead(self._prompt.app.input)
        texts, proposal = PRIVACY_TEXTS[language_of(self._session)], self._session.proposal
        if proposal is not None and not self._agrees(texts.ask_unsettled if proposal.attempted else texts.ask_drop):
            self._say(texts.stayed)
            return False
        self._history.clear()
        self._has_logged_out = True
        return True

    def _agrees(self, question: str) -> bool:
        around = self._around
        prompt = PrivatePrompt(around.input, around.output, on_prompt=around.on_prompt)
        try:
            return prompt.ask(question).strip().lower() in self._texts.yes_words
        except (EOFError, KeyboardInterrupt):
            return False

    def _reload_behind_prompt(self) -> None:
        """Reload, and tell of it above what is being typed."""
        if self._must_reload:
            with set_app(self._prompt.app):
                run_in_terminal(quiet_input()(self._reload))

    def _reload(self) -> None:
        self._must_reload = False
        try:
            reloaded = self._around.reload()
        except RegistryError as error:
            self._say(self._texts.not_reloaded.format(error=error))
            return
        self._look_at_clinics()
        changes = (
            (self._texts.agents_added, reloaded.added),
            (self._texts.agents_removed, reloaded.removed),
        )
        told = [text.format(agents=", ".join(agents)) for text, agents in changes if agents]
        self._say(" ".join((self._texts.reloaded.format(total=reloaded.total), *told)))

    def _look_at_clinics(self) -> None:
        """Take who there is from the directory, which asks those that have not said yet."""
        self._clinics = self._around.directory.clinics()
        self._names.update((each.id, each.name) for each in self._clinics)

    def _turn(self, utterance: str) -> None:
        before = self._session.proposal
        try:
            with quiet_input(), self._progress.shown(language_of(self._session)):
                reply, self._session = self._turns.run(self._session, utterance)
        except TurnFailedError:
            self._say(self._texts.failed.format(log=self._around.log))
            return
        self._look_at_clinics()
        self._show(*reply.blocks)
        if self._session.proposal is not None and self._session.proposal != before:
            forget_typed_ahead(self._prompt.app.input)

    def _show(self, *blocks: Block) -> None:
        self._around.renderer.show(blocks)

    def _say(self, text: str) -> None:
        self._show(Paragraph(text))

    @property
    def _texts(self) -> Texts:
        return TEXTS[language_of(self._session)]

    @property
    def _scene(self) -> Scene:
        up, addresses = self._around.up(), self._around.addresses()
        stations = tuple(
            Station(each, addresses[each.id], each.id in up) for each in self._clinics if each.id in addresses
        )
        trace = self._trace.blocks(language_of(self._session))
        return Scene(self._session, self._around.stay, stations, trace, self._around.remembers)
