"""The composition root: the only place that builds the stages and joins them to a conversation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mesh.clock import Clock
from orchestrator.connection import Connection
from orchestrator.conversation import Conversation
from orchestrator.events import EventChannel
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.responder.templates import TemplateResponder
from orchestrator.router import Router
from orchestrator.stages import Stages
from orchestrator.verifier.rules import RuleVerifier


@contextmanager
def open_conversation(
    connection: Connection, clock: Clock, events: EventChannel, *, consent_given: bool = False
) -> Iterator[Conversation]:
    """Yield a conversation with the clinics of a connection through the offline engine.

    Args:
        connection: The clinics.
        clock: What "tomorrow" is relative to.
        events: Progress and log listen here.
        consent_given: Writes are made without asking.
    """
    with Router(connection.registry, connection.channels, events, connection.credentials) as router:
        stages = Stages(OfflinePlanner(), router, RuleVerifier(), TemplateResponder())
        yield Conversation(lambda _: stages, connection.directory, events, clock, consent_given=consent_given)
