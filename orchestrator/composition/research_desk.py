"""Build the research desk of one run; LangGraph is loaded when a desk is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.agents import MeshRouter
from orchestrator.composition.connection import Connection
from orchestrator.journal import EventChannel
from orchestrator.llm import ModelConfiguration
from orchestrator.privacy import Redactor
from orchestrator.research import ResearchDesk
from orchestrator.stages import TurnScope
from orchestrator.turn import Dispatch, Identity, Role

if TYPE_CHECKING:
    from orchestrator.research.graph import Feasibility, FeasibilityOfTurn, ReasonersOfTurn

FOLDER = "research"  # the desk's folder in the data folder


@contextmanager
def open_desk(
    data_dir: Path,
    events: EventChannel,
    connection: Connection | None = None,
    model: ModelConfiguration | None = None,
    speaker: Identity | None = None,
) -> Iterator[ResearchDesk]:
    """Yield the desk; without a connection no clinic is asked, and without a model the agents work by rules alone.

    The speaker's name is taken out of what is typed.

    Raises:
        CheckpointError: The sessions cannot be kept.
        SettingsError: A prompt and the code that fills it do not fit.
    """
    from orchestrator.research.graph import Desk, open_checkpoints  # noqa: PLC0415 - loads LangGraph

    speaker = speaker or Identity("", "")
    with ExitStack() as parts:
        checkpoints = parts.enter_context(open_checkpoints(data_dir / FOLDER))
        reasoners = _reasoners(model, events, parts)
        feasibility = None if connection is None else _feasibility(connection, events, speaker, parts)
        yield Desk(checkpoints, events, reasoners, feasibility, Redactor(speaker))


def _reasoners(model: ModelConfiguration | None, events: EventChannel, parts: ExitStack) -> ReasonersOfTurn:
    if model is None:
        from orchestrator.research.graph import rules_only  # noqa: PLC0415 - loads LangGraph

        return rules_only
    from orchestrator.composition.model_reasoners import open_model_reasoners  # noqa: PLC0415 - loads the model's SDK, too

    return parts.enter_context(open_model_reasoners(model, events))


def _feasibility(
    connection: Connection, events: EventChannel, speaker: Identity, parts: ExitStack
) -> FeasibilityOfTurn:
    from orchestrator.research.graph import MeshFeasibility  # noqa: PLC0415 - loads LangGraph

    router = parts.enter_context(
        MeshRouter(connection.registry, connection.channels, events, connection.credentials, connection.directory)
    )

    def of_turn(scope: TurnScope) -> Feasibility:
        # Listing patients takes the operator's key; what leaves the count is no patient's (docs/feasibility.md).
        return MeshFeasibility(
            router,
            connection.registry,
            connection.directory,
            lambda: Dispatch(scope.turn_id, speaker, scope.cancel, Role.OPERATOR),
        ).counts

    return of_turn
