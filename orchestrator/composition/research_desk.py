"""Build the research desk of one run; only who opens a desk imports this, for it loads LangGraph."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from orchestrator.composition.connection import Connection, open_router
from orchestrator.composition.conversation_parts import open_model
from orchestrator.journal import EventChannel
from orchestrator.llm import CircuitBreaker, ModelConfiguration, TurnAsker, throttle_of_people
from orchestrator.research import ResearchDesk, graph
from orchestrator.turn import NOBODY, Identity, Language, Role, TurnScope

FOLDER = "research"  # the desk's folder in the data folder


@contextmanager
def open_desk(
    data_dir: Path,
    events: EventChannel,
    connection: Connection | None = None,
    model: ModelConfiguration | None = None,
    speaker: Identity = NOBODY,
) -> Iterator[ResearchDesk]:
    """Yield the desk; without a connection no clinic is asked, without a model rules decide. Raise UsageError."""
    with ExitStack() as parts:
        checkpoints = parts.enter_context(graph.open_checkpoints(data_dir / FOLDER))
        reasoners = None if model is None else parts.enter_context(_model_reasoners(model, events))
        feasibility = None if connection is None else _feasibility(connection, events, speaker, parts)
        yield graph.Desk(checkpoints, events, reasoners, feasibility, speaker)


@contextmanager
def _model_reasoners(configuration: ModelConfiguration, events: EventChannel) -> Iterator[graph.ReasonersOfTurn]:
    """Yield the reasoners of each turn: a model finds, adds and words; rules decide, and stand in for it."""
    prompts, circuit, throttle = graph.desk_prompts(), CircuitBreaker(), throttle_of_people()
    with open_model(configuration) as model:
        yield lambda scope: graph.ModelReasoners(TurnAsker(model, circuit, events, scope, throttle), prompts)


def _feasibility(
    connection: Connection, events: EventChannel, speaker: Identity, parts: ExitStack
) -> graph.Feasibility:
    registry, directory = connection.registry, connection.directory
    router = parts.enter_context(open_router(connection, events))

    def count(scope: TurnScope, population: str, language: Language) -> graph.FeasibilityTable:
        # Listing patients takes the operator's key; what leaves the count is no patient's (docs/feasibility.md).
        of_operator = replace(scope, identity=speaker, role=Role.OPERATOR)
        return graph.count_patients(router, registry, directory, of_operator, population, language)

    return count
