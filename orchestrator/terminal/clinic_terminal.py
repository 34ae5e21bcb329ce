"""The terminal of the clinics: what a line does, and what is drawn; the conversation decides about every utterance."""

import contextlib
import math
from dataclasses import replace
from datetime import UTC, datetime
from typing import assert_never

from mesh.errors import UsageError
from orchestrator import turn
from orchestrator.console import Progress, TurnFailedError, harmless
from orchestrator.privacy import Redactor, telling_words
from orchestrator.terminal import slash_commands as slash
from orchestrator.terminal.clinic_commands import COMMANDS, CommandCompleter, health, public_names, run_command, toolbar
from orchestrator.terminal.loop import LineTerminal, Prompt, PromptOptions, TerminalDependencies
from orchestrator.terminal.secrecy import PromptHistory, forget_typed_ahead
from orchestrator.terminal.turn_trace import TurnTrace
from orchestrator.texts import Texts, texts_in

AGAIN_WITHIN_S = 2.0  # within how long a second Ctrl-C leaves
ASKED_AGAIN_S = 10.0  # after which a clinic is not asked again for the outcome of a write; a try takes six at most
_PAUSE_S = 0.5

_LISTED = frozenset({turn.TurnOutcome.OK, turn.TurnOutcome.PARTIAL})


class ClinicTerminal(LineTerminal):
    """A conversation of one person with the clinics."""

    def __init__(
        self, dependencies: TerminalDependencies, services: slash.ClinicServices, session: turn.Session
    ) -> None:
        self._services = services
        self._session = session
        self._since = datetime.now(UTC)
        self._names: dict[str, str] = {}
        self._look_at_clinics()
        self._trace = TurnTrace()
        self._interrupted_at = -math.inf  # when Ctrl-C was answered, if no line came since
        self._has_ended = False  # whether Ctrl-D was
        self._must_reload = False
        self._record = ""
        self.next: turn.Served | slash.Request | None = None  # what begins after this conversation; None: nothing
        identity, renderer = session.identity, dependencies.renderer
        hidden = Redactor(identity, telling_words(identity.name), public_names(self._clinics))
        self._history = PromptHistory(services.history_file, frozenset(COMMANDS), services.history, hidden)
        options = PromptOptions(
            message=lambda: self._texts.text("terminal.prompt"),
            toolbar=lambda mode: toolbar(self._view, mode, self._prompt.app.output.get_size().columns),
            history=self._history,
            completer=CommandCompleter(lambda: self._view),
            on_f2=lambda: self._show(health(self._view)),
        )
        progress = Progress(self._names, renderer.say if renderer.plain else None, dependencies.clock)
        super().__init__(dependencies, options, progress)

    def run(self) -> turn.Session:
        """Converse until the person leaves, and return the last session."""
        with contextlib.ExitStack() as listening:
            for listener in (self._trace, self._progress):
                listening.callback(self._services.events.subscribe(listener))
            self._say(self._texts.text("terminal.welcome", name=self._session.identity.name.split()[0]))
            self._take_lines(self._catch_up)
            if self.next is not None:
                return self._session
            proposal = self._session.proposal
            if proposal is not None:
                self._say(self._texts.text("terminal.unsettled" if proposal.attempted else "terminal.dropped"))
            self._say(self._texts.text("terminal.goodbye"))
        return self._session

    def redraw(self) -> None:
        """Draw the prompt again, from any thread: something the toolbar shows has changed."""
        self._prompt.app.invalidate()

    def reload(self) -> None:
        """Read the registry again, at the prompt or as soon as there is one; called in the main thread, by a signal."""
        self._must_reload = True
        self._catch_up()

    def _take(self, line: str) -> bool:
        self._interrupted_at, self._has_ended = -math.inf, False  # whoever enters a line is not leaving
        if line.startswith("/"):
            return self._act(run_command(line, self._view))
        if (leaving := self._services.serving(line, self._session)) is not None:
            return self._act(leaving)
        # An empty line answers a proposal, with no; otherwise it says nothing.
        if line or self._session.proposal is not None or self._session.agenda is not None:
            self._turn(slash.Say(line))
        return True

    # The answer to either is never a yes, which consents to a proposal: the same key again leaves.
    def _on_end(self) -> str | None:
        proposal = self._session.proposal
        if proposal is None or self._has_ended:
            return None
        self._has_ended = True
        return self._texts.text("terminal.end_hint_unsettled" if proposal.attempted else "terminal.end_hint")

    def _on_interrupt(self) -> str | None:
        before, self._interrupted_at = self._interrupted_at, self._dependencies.clock()
        if self._interrupted_at - before <= AGAIN_WITHIN_S:
            return None
        return self._texts.text("terminal.interrupt_hint")

    def _act(self, action: slash.Action) -> bool:
        match action:
            case slash.Show(blocks, session):
                self._session = session or self._session
                self._show(*blocks)
            case slash.Say():
                self._turn(action)
            case slash.SaveCalendar():
                self._save_calendar(action)
            case slash.Confirm(proposal):
                self._say(self._services.confirm(proposal, self._session, self._consents))
            case slash.Request.SHOW_RECORD:
                record = harmless(self._record) or self._texts.text("terminal.no_turn")
                self._dependencies.renderer.write(f"{record}\n\n")
            case turn.Served() | slash.Request.DONE | slash.Request.LOG_OUT:
                return not self._leaves(action)
            case slash.Request.RELOAD:
                self._must_reload = True
                self._reload()
            case slash.Request.OPEN_DESK:
                self._services.research(self._session)
            case slash.Request.LEAVE:
                return False
            case _:
                assert_never(action)
        return True

    def _save_calendar(self, wanted: slash.SaveCalendar) -> None:
        # Another session may have moved or cancelled it since.
        if self._turn(slash.Say(self._texts.text("terminal.ask_bookings"))) in _LISTED:
            self._say(self._services.save_calendar(wanted.path, wanted.only, self._session))

    def _leaves(self, action: turn.Served | slash.Request) -> bool:
        forget_typed_ahead(self._prompt.app.input)
        texts, proposal = self._texts, self._session.proposal
        if proposal is not None and not self._agrees(
            texts.text("terminal.privacy.ask_unsettled" if proposal.attempted else "terminal.privacy.ask_drop")
        ):
            self._say(texts.text("terminal.privacy.stayed"))
            return False
        self.next = action
        if action is slash.Request.LOG_OUT:
            self._history.clear()
        return True

    def _consents(self, told: str) -> bool:
        self._say(told)
        forget_typed_ahead(self._prompt.app.input)
        return self._agrees(f"{self._texts.text('gateway.confirm')} ")

    def _agrees(self, question: str) -> bool:
        with contextlib.suppress(EOFError, KeyboardInterrupt):
            return Prompt(self._dependencies).ask(question).strip().lower() in self._texts.lines("terminal.yes_words")
        return False

    def _catch_up(self) -> None:
        if self._must_reload:
            self._prompt.call_behind(self._reload)

    def _reload(self) -> None:
        if not self._must_reload:
            return  # it was done before the prompt came to it
        self._must_reload = False
        texts, registry, before = self._texts, self._services.registry, [*self._services.registry]
        try:
            registry.reload()
        except UsageError as error:
            self._say(texts.text("terminal.not_reloaded", error=error))
            return
        self._look_at_clinics()
        told = [texts.text("terminal.reloaded", total=len(registry))]
        if added := [agent for agent in registry if agent not in before]:
            told.append(texts.text("terminal.agents_added", agents=", ".join(added)))
        if removed := [agent for agent in before if agent not in registry]:
            told.append(texts.text("terminal.agents_removed", agents=", ".join(removed)))
        self._say(" ".join(told))

    def _look_at_clinics(self) -> None:
        self._clinics = self._services.directory.clinics()
        self._names.update((each.id, each.name) for each in self._clinics)

    def _turn(self, said: slash.Say) -> turn.TurnOutcome | None:
        before = self._session
        if said.question is not None:
            before = replace(before, question=said.question, proposal=turn.proposal_in_doubt(before.proposal))
        try:
            reply, self._session = self._settled(*self._taken(before, said))
        except TurnFailedError:
            self._say(self._texts.text("terminal.failed", log=self._dependencies.log))
            return None
        self._look_at_clinics()
        self._record = self._services.record(len(self._session.history), reply, before, self._session)
        blocks = [*reply.blocks]
        if (plan := self._trace.unanswered) is not None:
            silent = {step.clinic for step in plan.steps}
            command = f"/retry {silent.pop()}" if len(silent) == 1 else "/retry"
            blocks.append(turn.Paragraph(self._texts.text("terminal.turn.retry", command=command)))
        self._show(*blocks)
        # What was typed before this could be read answers nothing that it asks.
        forget_typed_ahead(self._prompt.app.input)
        return reply.outcome

    def _taken(self, session: turn.Session, said: slash.Say) -> tuple[turn.Reply, turn.Session]:
        take = self._services.conversation().turn
        session = replace(session, page=self._dependencies.renderer.page)
        return self._runner.run(
            session.spoken_language, lambda cancel: take(session, said.utterance, cancel, said.plan, agrees=said.agrees)
        )

    def _settled(self, reply: turn.Reply, after: turn.Session) -> tuple[turn.Reply, turn.Session]:
        # A write that was interrupted after it was sent is asked about first.
        is_interrupted = reply.outcome is turn.TurnOutcome.UNKNOWN_WRITE and self._runner.cancel.is_set()
        if not is_interrupted or after.proposal is None:
            return reply, after
        # What was acknowledged before the interruption is said all the same.
        receipts = [block for block in reply.blocks if block.part is turn.Part.RECEIPT]
        self._show(*receipts, turn.Paragraph(texts_in(after.spoken_language).text("terminal.turn.verifying")))
        # Where that fails the write stays open, as the first answer says.
        with contextlib.suppress(TurnFailedError):
            return self._asked_again(after, after.proposal)
        return reply, after

    def _asked_again(self, session: turn.Session, proposal: turn.Proposal) -> tuple[turn.Reply, turn.Session]:
        """Ask for the outcome of writes under the same request_ids until the clinics answer.

        A clinic repeats its answer if it has made the write, and makes it if the first request got lost. What was to
        come after that is proposed afresh; what stays unknown within the time stays open.
        """
        clock, pause = self._dependencies.clock, self._runner.pause
        asking, unsent = turn.split_in_doubt(proposal)
        again = slash.Say(session.history[-1].utterance if session.history else "", agrees=True)
        until = clock() + ASKED_AGAIN_S
        reply, after = self._taken(replace(session, proposal=asking), again)
        while reply.outcome is turn.TurnOutcome.UNKNOWN_WRITE and clock() < until and pause(_PAUSE_S):
            reply, after = self._taken(after, again)
        if after.proposal is not None and after.proposal.in_doubt == proposal.in_doubt:
            return reply, replace(after, proposal=proposal)
        if unsent is None or len(after.receipts) - len(session.receipts) < len(asking.plan.steps):
            return reply, after
        rest = turn.Paragraph(texts_in(session.spoken_language).text("terminal.turn.rest"))
        proposed, after = self._taken(after, slash.Say("", unsent))
        return replace(proposed, blocks=(*reply.blocks, rest, *proposed.blocks)), after

    @property
    def _texts(self) -> Texts:
        return texts_in(self._session.spoken_language)

    @property
    def _view(self) -> slash.ClinicView:
        clinics = tuple(each for each in self._clinics if each.id in self._services.registry)
        return slash.ClinicView(self._session, self._services, clinics, self._since, self._history, self._trace)
