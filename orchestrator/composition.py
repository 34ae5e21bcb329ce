"""The composition root: the only place that builds the stages and joins them to a conversation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from mesh.clock import Clock
from orchestrator.agents import Connection, Gate, MeshRouter
from orchestrator.conversation import Conversation
from orchestrator.fallback import AgentProposals, Fallback
from orchestrator.journal import EventChannel
from orchestrator.llm import UNTHROTTLED, ModelConfiguration, Throttle
from orchestrator.planner import OfflinePlanner
from orchestrator.responder import TemplateResponder
from orchestrator.stages import MemoryKeeper, Stages, StagesOfTurn
from orchestrator.turn import Directory
from orchestrator.verifier import RuleVerifier


@contextmanager
def open_conversation(
    connection: Connection,
    clock: Clock,
    events: EventChannel,
    *,
    consent_given: bool = False,
    proposal_key: bytes | None = None,
    model: ModelConfiguration | None = None,
    throttle: Throttle = UNTHROTTLED,
    data_dir: Path | None = None,
    memory: MemoryKeeper | None = None,
) -> Iterator[Conversation]:
    """Yield a conversation with the clinics of a connection.

    Args:
        connection: The clinics.
        clock: What "tomorrow" is relative to.
        events: Progress and log listen here.
        consent_given: Writes are made without asking.
        proposal_key: What ids of proposals are made with; None: one that no other run knows.
        model: The language model that plans, audits and writes; None: the offline engine does it all.
        throttle: How often one person may have it asked.
        data_dir: Where requests that no agent is for may be written down; None where nothing may be.
        memory: Remembers what patients say of themselves; None where nothing is to be remembered.

    Raises:
        SettingsError: A prompt and the code that fills it do not fit.
    """
    with ExitStack() as parts:
        router = parts.enter_context(MeshRouter(connection.registry, connection.calls, events, connection.credentials))
        stages = parts.enter_context(open_stages(router, connection.directory, events, model, throttle))
        proposals = None if data_dir is None else AgentProposals(data_dir)
        yield Conversation(
            stages if memory is None else with_memory(stages, memory),
            connection.directory,
            events,
            clock,
            gate=Gate(connection.registry),
            fallback=Fallback(connection.registry, events, proposals),
            consent_given=consent_given,
            proposal_key=proposal_key,
        )


def with_memory(stages: StagesOfTurn, memory: MemoryKeeper) -> StagesOfTurn:
    """Return the stages of each turn with one memory for all of them."""
    return lambda scope: replace(stages(scope), memory=memory)


@contextmanager
def open_stages(
    router: MeshRouter,
    directory: Directory,
    events: EventChannel,
    model: ModelConfiguration | None,
    throttle: Throttle = UNTHROTTLED,
) -> Iterator[StagesOfTurn]:
    """Yield the stages of each turn.

    Args:
        router: Calls the clinics.
        directory: Who they are.
        events: Told of every call of a model.
        model: The language model; None: the offline engine does it all.
        throttle: How often one person may have it asked.

    Raises:
        SettingsError: A prompt and the code that fills it do not fit.
    """
    if model is None:
        offline = Stages(OfflinePlanner(), router, RuleVerifier(), TemplateResponder())
        yield lambda _: offline
        return
    from orchestrator.model_stages import open_model_stages  # noqa: PLC0415 - only those who use a model load it

    with open_model_stages(router, directory, model, events, throttle) as stages:
        yield stages
