"""Builds the desk of one run: sessions, agents with a model or without, and who counts patients."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from orchestrator.agents import Connection, MeshRouter
from orchestrator.journal import EventChannel
from orchestrator.llm import ModelConfiguration
from orchestrator.privacy import Redactor
from orchestrator.research.feasibility import Feasibility, FeasibilityOfTurn
from orchestrator.research.graph.checkpoints import open_checkpoints
from orchestrator.research.graph.desk import Desk
from orchestrator.research.graph.reasoners import MindsOfTurn, rules_only
from orchestrator.research.mesh_feasibility import MeshFeasibility
from orchestrator.stages import TurnScope
from orchestrator.turn import Dispatch, Identity, Role

FOLDER = "research"
"""The desk's folder in the data folder."""


@contextmanager
def open_desk(
    data_dir: Path,
    events: EventChannel,
    connection: Connection | None = None,
    model: ModelConfiguration | None = None,
    speaker: Identity | None = None,
) -> Iterator[Desk]:
    """Yield the desk.

    Args:
        data_dir: The data folder; the desk keeps its sessions in a folder there.
        events: Told of the agents, of a model's calls and of the clinics' answers.
        connection: The clinics that are asked for counts; None: nobody is asked.
        model: The language model; None: the agents work by rules alone.
        speaker: Whose name is taken out of what is typed; None: nobody has said who they are.

    Raises:
        CheckpointError: The sessions cannot be kept.
        SettingsError: A prompt and the code that fills it do not fit.
    """
    speaker = speaker or Identity("", "")
    with ExitStack() as parts:
        checkpoints = parts.enter_context(open_checkpoints(data_dir / FOLDER))
        minds = _minds(model, events, parts)
        feasibility = None if connection is None else _feasibility(connection, events, speaker, parts)
        yield Desk(checkpoints, events, minds, feasibility, Redactor(speaker))


def _minds(model: ModelConfiguration | None, events: EventChannel, parts: ExitStack) -> MindsOfTurn:
    if model is None:
        return rules_only
    from orchestrator.research.graph.model_reasoners import open_model_minds  # noqa: PLC0415 - only who uses a model loads it

    return parts.enter_context(open_model_minds(model, events))


def _feasibility(
    connection: Connection, events: EventChannel, speaker: Identity, parts: ExitStack
) -> FeasibilityOfTurn:
    router = parts.enter_context(MeshRouter(connection.registry, connection.channels, events, connection.credentials))

    def of_turn(scope: TurnScope) -> Feasibility:
        # Listing patients takes the operator's key; what leaves the count is no patient's (docs/feasibility.md).
        return MeshFeasibility(
            router, connection.registry, lambda: Dispatch(scope.turn_id, speaker, scope.cancel, Role.OPERATOR)
        )

    return of_turn
