"""Find out the outcome of a write that was interrupted after it had been sent.

The clinic is asked again under the same request_id: it repeats its answer if it has made the write, and makes it if the
first request got lost. What was to come after that is proposed afresh; what stays unknown within the time stays open.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from orchestrator.turn import Paragraph, Plan, Proposal, Reply, Session, TurnOutcome, split_in_doubt

WITHIN_S = 10.0  # seconds after which no further try is begun; a try takes six at most

_PAUSE_S = 0.5


class TakeTurn(Protocol):
    """Take a turn: what is said, a plan or nothing, and whether the open proposal was agreed to before."""

    def __call__(
        self, session: Session, utterance: str, plan: Plan | None, *, agrees: bool = False
    ) -> tuple[Reply, Session]:
        """Return the reply and the next session."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """Ask the clinics until they answer."""

    take: TakeTurn
    rest: Callable[[float], bool]  # waits so many seconds and returns whether to try again
    clock: Callable[[], float]  # seconds that only go forward

    def settle(self, session: Session, proposal: Proposal, unsent_text: str) -> tuple[Reply, Session]:
        """Return the last answer and the session after it.

        Once all writes in doubt were made, what was to come after them is proposed, with `unsent_text` before it.
        """
        asking, unsent = split_in_doubt(proposal)
        reply, after = self._asked(replace(session, proposal=asking))
        if after.proposal is not None and after.proposal.in_doubt == proposal.in_doubt:
            return reply, replace(after, proposal=proposal)
        if unsent is None or len(after.receipts) - len(session.receipts) < len(asking.plan.steps):
            return reply, after
        proposed, after = self.take(after, "", unsent)
        return replace(proposed, blocks=(*reply.blocks, Paragraph(unsent_text), *proposed.blocks)), after

    def _asked(self, session: Session) -> tuple[Reply, Session]:
        until = self.clock() + WITHIN_S
        said = session.history[-1].utterance if session.history else ""
        while True:
            reply, session = self.take(session, said, None, agrees=True)
            if reply.outcome is not TurnOutcome.UNKNOWN_WRITE or self.clock() >= until or not self.rest(_PAUSE_S):
                return reply, session
