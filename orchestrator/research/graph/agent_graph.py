"""The graph of the desk: who works after whom within one turn.

A turn runs to its end, and the checkpoint after it waits for the person's next words; refinement is the same graph run
again over the state that it left. So there is nothing to be woken up: a session that was killed between two turns
waits, and one that was killed within a turn has a next node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph

from orchestrator.journal import EventChannel
from orchestrator.research.graph.field_ownership import FieldWriter, owned
from orchestrator.research.graph.methodologist import Methodologist
from orchestrator.research.graph.orchestrator_agent import Orchestrator
from orchestrator.research.graph.reasoners import Minds
from orchestrator.research.graph.reflection import Reflection
from orchestrator.research.graph.state import MultiAgentState
from orchestrator.research.graph.structurer import Structurer

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    Graph = CompiledStateGraph[MultiAgentState, None, MultiAgentState, MultiAgentState]


def build_graph(events: EventChannel, minds: Minds, turn_id: str, checkpoints: BaseCheckpointSaver[str]) -> Graph:
    """Return the graph, each agent behind the boundary of `owners`.

    Args:
        events: Told of the agents' work.
        minds: What the agents work with.
        turn_id: The turn that it is for.
        checkpoints: Where the state is kept.
    """
    graph = StateGraph(MultiAgentState)
    graph.add_node("orchestrator", owned(FieldWriter.ORCHESTRATOR, Orchestrator(minds.reader), events, turn_id))
    graph.add_node("structurer", owned(FieldWriter.STRUCTURER, Structurer(minds.reader), events, turn_id))
    graph.add_node("methodologist", owned(FieldWriter.METHODOLOGIST, Methodologist(minds.opinion), events, turn_id))
    graph.add_node("reflection", owned(FieldWriter.ORCHESTRATOR, Reflection(minds.provocation), events, turn_id))
    graph.add_edge(START, "orchestrator")
    graph.add_conditional_edges("orchestrator", _next_of, ["structurer", "methodologist", END])
    graph.add_edge("structurer", "methodologist")
    graph.add_edge("methodologist", "reflection")
    graph.add_edge("reflection", END)
    return graph.compile(checkpointer=checkpoints)


def _next_of(state: MultiAgentState) -> str:
    suggestion = state["agent_suggestion"]
    return END if suggestion is None else str(suggestion["agent"])
