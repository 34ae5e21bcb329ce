"""Find out the outcome of a write that was interrupted after it had been sent.

The clinic is asked again under the same request_id: it repeats its answer if it has made the write, and makes it if the
first request got lost. What was to come after that is proposed afresh; what stays unknown within the time stays open.
"""

from collections.abc import Callable
from dataclasses import replace

from orchestrator.terminal.slash_commands import Say
from orchestrator.turn import Paragraph, Proposal, Reply, Session, TurnOutcome, split_in_doubt

WITHIN_S = 10.0  # seconds after which no further try is begun; a try takes six at most

_PAUSE_S = 0.5


def settle(
    session: Session,
    proposal: Proposal,
    unsent_text: str,
    take: Callable[[Session, Say], tuple[Reply, Session]],
    rest: Callable[[float], bool],
    clock: Callable[[], float],
) -> tuple[Reply, Session]:
    """Ask the clinics until they answer, and return the last answer and the session after it.

    Once all writes in doubt were made, what was to come after them is proposed, with `unsent_text` before it. `rest`
    waits so many seconds and returns whether to try again; `clock` returns seconds that only go forward.
    """
    asking, unsent = split_in_doubt(proposal)
    again = Say(session.history[-1].utterance if session.history else "", agrees=True)
    until = clock() + WITHIN_S
    reply, after = take(replace(session, proposal=asking), again)
    while reply.outcome is TurnOutcome.UNKNOWN_WRITE and clock() < until and rest(_PAUSE_S):
        reply, after = take(after, again)
    if after.proposal is not None and after.proposal.in_doubt == proposal.in_doubt:
        return reply, replace(after, proposal=proposal)
    if unsent is None or len(after.receipts) - len(session.receipts) < len(asking.plan.steps):
        return reply, after
    proposed, after = take(after, Say("", unsent))
    return replace(proposed, blocks=(*reply.blocks, Paragraph(unsent_text), *proposed.blocks)), after
