"""Build the research desk of one run; only who opens a desk imports this, for it loads LangGraph."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from orchestrator.composition.connection import Connection, open_router
from orchestrator.composition.conversation_parts import open_model
from orchestrator.journal import EventChannel
from orchestrator.llm import CircuitBreaker, ModelConfiguration, TurnAsker, throttle_of_people
from orchestrator.research import ResearchDesk, graph
from orchestrator.turn import NOBODY, Identity

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
        feasibility = None
        if connection is not None:
            router = parts.enter_context(open_router(connection, events))
            feasibility = partial(graph.count_patients, router, connection.registry, connection.directory)
        yield graph.Desk(checkpoints, events, reasoners, feasibility, speaker)


@contextmanager
def _model_reasoners(configuration: ModelConfiguration, events: EventChannel) -> Iterator[graph.ReasonersOfTurn]:
    """Yield the reasoners of each turn: a model finds, adds and words; rules decide, and stand in for it."""
    prompts, circuit, throttle = graph.desk_prompts(), CircuitBreaker(), throttle_of_people()
    with open_model(configuration) as model:
        yield lambda scope: graph.ModelReasoners(TurnAsker(model, circuit, events, scope, throttle), prompts)
