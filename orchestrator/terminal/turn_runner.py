"""Takes a turn at the terminal: waits with its progress on the screen, and settles a write that was interrupted."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from orchestrator.terminal.actions import Say
from orchestrator.terminal.dependencies import TerminalDependencies
from orchestrator.terminal.interrupted_write import Settlement
from orchestrator.terminal.progress import Progress
from orchestrator.terminal.progress_screen import WaitingRoom
from orchestrator.terminal.prompt import MainPrompt
from orchestrator.terminal.turn_texts import TURN_TEXTS
from orchestrator.terminal.turn_worker import Taken, TurnFailedError, TurnRunner
from orchestrator.terminal.view_state import language_of
from orchestrator.turn import Paragraph, Part, Plan, Session, TurnOutcome


class Turns:
    """Takes turns with one person who watches.

    Args:
        surroundings: Who takes them, and where they are drawn.
        names: What people call the clinics, by id.
        prompt: Whose keys and screen are borrowed meanwhile.

    Attributes:
        progress: How far the turn is; it listens to the event channel.
    """

    def __init__(self, surroundings: TerminalDependencies, names: Mapping[str, str], prompt: MainPrompt) -> None:
        renderer = surroundings.renderer
        self._renderer = renderer
        self._conversation = surroundings.conversation
        self.progress = Progress(names, renderer.say if renderer.plain else None, surroundings.clock)
        waiting = WaitingRoom(self.progress, prompt.keys, None if renderer.plain else prompt.output)
        self._runner: TurnRunner[Session] = TurnRunner(surroundings.conversation, self.progress.cancelling, waiting)
        self._settlement = Settlement(self._take, self._runner.rest, surroundings.clock)

    def take(self, session: Session, said: Say) -> Taken[Session]:
        """Return the reply and the session after it.

        Raises:
            TurnFailedError: The conversation raised; the session given is still good.
        """
        reply, after = self._take(session, said.utterance, said.plan)
        if reply.outcome is TurnOutcome.UNKNOWN_WRITE and self._runner.was_cancelled and after.proposal is not None:
            texts = TURN_TEXTS[language_of(after)]
            # What was acknowledged before the interruption is said all the same.
            receipts = [block for block in reply.blocks if block.part is Part.RECEIPT]
            self._renderer.show([*receipts, Paragraph(texts.verifying)])
            # Where that fails the write stays open, as the first answer says.
            with contextlib.suppress(TurnFailedError):
                return self._settlement.settle(after, after.proposal, texts.rest)
        return reply, after

    def _take(self, session: Session, utterance: str, plan: Plan | None) -> Taken[Session]:
        self.progress.begin(language_of(session))
        try:
            return self._runner.take(lambda cancel: self._conversation.turn(session, utterance, cancel, plan))
        finally:
            for line in self.progress.kept():
                self._renderer.say(line)
