"""The loop of the terminal: prompt, command or turn, drawing, again.

It holds the session between turns and nothing else that matters; every decision about an utterance is the
conversation's.
"""

from __future__ import annotations

from typing import assert_never

from orchestrator.agents import RegistryError
from orchestrator.privacy import Redactor, telling_words
from orchestrator.terminal.actions import (
    Action,
    ChangeSession,
    Leave,
    LogOut,
    OpenHistory,
    Reload,
    Research,
    Save,
    Say,
    Show,
    ShowRecord,
)
from orchestrator.terminal.command_table import COMMANDS, run_command
from orchestrator.terminal.dependencies import TerminalDependencies
from orchestrator.terminal.exit_keys import Leaving
from orchestrator.terminal.hidden_typing import forget_typed_ahead
from orchestrator.terminal.history import PromptHistory
from orchestrator.terminal.pager import Pager
from orchestrator.terminal.privacy_commands import carry_out
from orchestrator.terminal.privacy_texts import PRIVACY_TEXTS
from orchestrator.terminal.private_prompt import PrivatePrompt
from orchestrator.terminal.prompt import MainPrompt
from orchestrator.terminal.session_commands import health
from orchestrator.terminal.texts import TEXTS, TerminalTexts
from orchestrator.terminal.transcript_file import write_transcript
from orchestrator.terminal.turn_runner import Turns
from orchestrator.terminal.turn_texts import TURN_TEXTS
from orchestrator.terminal.turn_trace import TurnTrace
from orchestrator.terminal.turn_worker import TurnFailedError
from orchestrator.terminal.utterance import LONGEST, TooLongError, clean, harmless
from orchestrator.terminal.view_state import Scene, Station, language_of
from orchestrator.turn import Block, Paragraph, Session


class Terminal:
    """A conversation with one person at a terminal.

    Args:
        surroundings: What it talks to.
        session: The session to begin with.
    """

    def __init__(self, surroundings: TerminalDependencies, session: Session) -> None:
        self._around = surroundings
        self._session = session
        self._clinics = surroundings.directory.clinics()
        self._names = {each.id: each.name for each in self._clinics}
        self._trace = TurnTrace()
        self._leaving = Leaving(surroundings.clock)
        self._must_reload = False
        self._record = ""
        self._has_logged_out = False
        stay, identity = surroundings.stay, session.identity
        hidden = Redactor(identity, telling_words(identity.name))
        self._history = PromptHistory(stay.history_file, frozenset(COMMANDS), stay.history, hidden)
        self._prompt = MainPrompt(surroundings, self._history, lambda: self._scene, self._show_health)
        self._turns = Turns(surroundings, self._names, self._prompt)

    def run(self) -> Session:
        """Converse until the person leaves, and return the last session."""
        unsubscribe = [self._around.events.subscribe(one) for one in (self._trace, self._turns.progress)]
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
        self._prompt.redraw()

    def reload(self) -> None:
        """Read the registry again, at the prompt or as soon as there is one; called in the main thread, by a signal."""
        self._must_reload = True
        self._catch_up()

    def _catch_up(self) -> None:
        if self._must_reload:
            self._prompt.call_behind(self._reload_if_due)

    def _one_line(self) -> bool:
        """Take one line and return whether there shall be another."""
        try:
            line = clean(self._prompt.ask(self._catch_up))
        except EOFError:
            return self._stay_if_told(self._leaving.on_end(self._session.proposal, self._texts))
        except KeyboardInterrupt:
            return self._stay_if_told(self._leaving.on_interrupt(self._texts))
        except TooLongError as error:
            self._say(self._texts.too_long.format(length=error.length, limit=LONGEST))
            return True
        self._leaving.stays()
        if line.startswith("/"):
            return self._act(run_command(line, self._scene))
        # An empty line answers a proposal, with no; otherwise it says nothing.
        if line or self._session.proposal is not None:
            self._turn(Say(line))
        return True

    def _stay_if_told(self, why: str | None) -> bool:
        if why is None:
            return False
        self._say(why)
        return True

    def _act(self, action: Action) -> bool:
        match action:
            case Show(blocks):
                self._show(*blocks)
            case Say():
                self._turn(action)
            case ChangeSession(session, blocks):
                self._session = session
                self._show(*blocks)
            case Save() | ShowRecord() | OpenHistory():
                self._look_back(action)
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

    def _look_back(self, action: Save | ShowRecord | OpenHistory) -> None:
        """Save or show what was said and entered before."""
        match action:
            case Save():
                self._save(action)
            case ShowRecord():
                self._around.renderer.write(f"{harmless(self._record) or self._texts.no_turn}\n\n")
            case OpenHistory():
                self._show(carry_out(action, self._history, self._scene))

    def _log_out(self) -> bool:
        """Forget what is kept of the person and return whether they leave; they may stay rather than lose something."""
        forget_typed_ahead(self._prompt.keys)
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

    def _save(self, action: Save) -> None:
        texts, path = self._texts, action.path
        public = [name for clinic in self._clinics for name in (clinic.name, *clinic.doctors)]
        try:
            write_transcript(path, self._session, texts, public)
        except FileExistsError:
            self._say(texts.save_exists.format(path=path))
        except OSError as error:
            self._say(texts.save_failed.format(path=path, why=error.strerror))
        else:
            self._say(texts.saved.format(path=path))

    def _reload_if_due(self) -> None:
        if self._must_reload:
            self._reload()

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

    def _turn(self, said: Say) -> None:
        before = self._session
        try:
            reply, self._session = self._turns.take(before, said)
        except TurnFailedError:
            self._say(self._texts.failed.format(log=self._around.log))
            return
        self._look_at_clinics()
        number = len(self._session.history)
        self._record = self._around.record(number, reply, before, self._session)
        self._show(*reply.blocks, *self._what_to_do())
        # What was typed before this could be read answers nothing that it asks.
        forget_typed_ahead(self._prompt.keys)

    def _what_to_do(self) -> list[Block]:
        """Return how the clinics that were silent can be asked again."""
        plan = self._trace.unanswered
        if plan is None:
            return []
        silent = {step.clinic for step in plan.steps}
        command = f"/retry {silent.pop()}" if len(silent) == 1 else "/retry"
        return [Paragraph(TURN_TEXTS[language_of(self._session)].retry.format(command=command))]

    def _show(self, *blocks: Block) -> None:
        renderer = self._around.renderer
        drawn = renderer.drawn(blocks)
        if renderer.overflows(drawn):
            Pager(drawn, TURN_TEXTS[language_of(self._session)].page).show(self._prompt.keys, self._prompt.output)
        renderer.write(drawn)

    def _say(self, text: str) -> None:
        self._around.renderer.show([Paragraph(text)])

    def _show_health(self) -> None:
        """Show how the clinics are above what is being typed; pages cannot be turned there."""
        self._around.renderer.show([health(self._scene)])

    @property
    def _texts(self) -> TerminalTexts:
        return TEXTS[language_of(self._session)]

    @property
    def _scene(self) -> Scene:
        up, addresses = self._around.up(), self._around.addresses()
        stations = tuple(
            Station(each, addresses[each.id], each.id in up) for each in self._clinics if each.id in addresses
        )
        language = language_of(self._session)
        return Scene(
            self._session,
            self._around.stay,
            stations,
            self._trace.blocks(language),
            unanswered=self._trace.unanswered,
            remembers=self._around.remembers,
        )
