"""The composition root: the only place that builds adapters and joins them to a conversation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mesh.clock import Clock
from orchestrator.channels import Channels
from orchestrator.conversation import Conversation, Stages
from orchestrator.events import EventChannel
from orchestrator.mesh_directory import MeshDirectory
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.registry import Registry
from orchestrator.responder.templates import TemplateResponder
from orchestrator.router import Router
from orchestrator.verifier.rules import RuleVerifier


@contextmanager
def open_conversation(
    registry: Registry, clock: Clock, events: EventChannel, *, consent_given: bool = False
) -> Iterator[Conversation]:
    """Yield a conversation with the clinics of `registry` through the offline engine.

    Args:
        registry: Where the clinics are. They need not be up yet.
        clock: What "tomorrow" is relative to.
        events: Progress and log listen here.
        consent_given: Writes are made without asking.
    """
    with Channels() as channels, Router(registry, channels, events) as router:
        stages = Stages(OfflinePlanner(), router, RuleVerifier(), TemplateResponder())
        yield Conversation(stages, MeshDirectory(registry, channels), events, clock, consent_given=consent_given)
