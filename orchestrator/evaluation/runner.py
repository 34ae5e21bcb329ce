"""Runs queries through a conversation and keeps what a person would have seen, and what the disks say afterwards.

Nothing is judged here, and nothing that was seen is written anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from orchestrator.conversation import Conversation
from orchestrator.evaluation.ground import SPEAKER, Bookings, Ground
from orchestrator.evaluation.suite import Query, SlotName, Suite
from orchestrator.turn import Session


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """What a turn showed.

    Attributes:
        text: The whole reply.
        offers: The openings that can be picked after it.
    """

    text: str = field(repr=False)
    offers: frozenset[SlotName]


@dataclass(frozen=True, slots=True)
class Observation:
    """A query, once run.

    Attributes:
        query: The query.
        run: 1 for the first run of the suite.
        session_id: Finds its turns in the log.
        turns: What each turn showed; fewer than the query's after a fault.
        bookings: What the disks say at the end.
        fault: The class of the error that ended the query; None when none did.
    """

    query: Query
    run: int
    session_id: str
    turns: tuple[SeenTurn, ...]
    bookings: Bookings
    fault: str | None = None


def run_suite(
    suite: Suite,
    ground: Ground,
    conversation: Conversation,
    runs: int = 1,
    report: Callable[[Query], None] | None = None,
) -> Iterator[Observation]:
    """Yield an observation for every query of every run.

    Args:
        suite: The queries.
        ground: The clinics.
        conversation: The pipeline, with consent given, over the same clinics.
        runs: How often the suite is run.
        report: Told of each query before it is run.

    Raises:
        GroundError: The clinics cannot be made ready.
        SuiteError: A query begins with a slot that does not exist.
    """
    for run in range(1, runs + 1):
        for query in suite.queries:
            if report is not None:
                report(query)
            ground.prepare(held=query.held, taken=query.taken)
            yield _observe(query, run, ground, conversation)


def _observe(query: Query, run: int, ground: Ground, conversation: Conversation) -> Observation:
    session = Session(SPEAKER, role=query.role)
    seen: list[SeenTurn] = []
    fault: str | None = None
    try:
        for turn in query.turns:
            reply, session = conversation.turn(session, turn.say)
            seen.append(SeenTurn(reply.plain, _offers(session)))
    except Exception as error:  # noqa: BLE001 - a stage that breaks down is a result of the evaluation, not its end
        fault = type(error).__name__
    return Observation(query, run, session.session_id, tuple(seen), ground.bookings(), fault)


def _offers(session: Session) -> frozenset[SlotName]:
    return frozenset(SlotName(offer.clinic, offer.date.isoformat(), f"{offer.time:%H:%M}") for offer in session.offers)
