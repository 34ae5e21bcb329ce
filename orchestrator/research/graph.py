"""The graph of the desk: who works after whom within one turn.

A turn runs to its end, and the checkpoint after it waits for the person's next words; refinement is the same graph run
again over the state that it left. So there is nothing to be woken up: a session that was killed between two turns is
one
that waits, and one that was killed within a turn has a next node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph

from orchestrator.events import EventChannel
from orchestrator.research.agents.methodologist import Methodologist, NoSecondOpinion, SecondOpinion
from orchestrator.research.agents.orchestrator import Orchestrator
from orchestrator.research.agents.reader import Reader, RuleReader
from orchestrator.research.agents.reflection import Provocation, Reflection, RuleProvocation
from orchestrator.research.agents.structurer import Structurer
from orchestrator.research.owners import Writer, owned
from orchestrator.research.state import MultiAgentState

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    Graph = CompiledStateGraph[MultiAgentState, None, MultiAgentState, MultiAgentState]


@dataclass(frozen=True, slots=True)
class Minds:
    """What the agents understand, judge and ask with; the defaults need no model.

    Attributes:
        reader: Understands the person's words.
        opinion: Looks at a question beside the rules.
        provocation: Words the questions to think about.
    """

    reader: Reader = field(default_factory=RuleReader)
    opinion: SecondOpinion = field(default_factory=NoSecondOpinion)
    provocation: Provocation = field(default_factory=RuleProvocation)


def build_graph(events: EventChannel, minds: Minds, checkpoints: BaseCheckpointSaver[str] | None = None) -> Graph:
    """Return the graph, each agent behind the boundary of `owners`.

    Args:
        events: Told of the agents' work.
        minds: What the agents work with.
        checkpoints: Where the state is kept; None keeps nothing.
    """
    graph = StateGraph(MultiAgentState)
    graph.add_node("orchestrator", owned(Writer.ORCHESTRATOR, Orchestrator(minds.reader), events))
    graph.add_node("structurer", owned(Writer.STRUCTURER, Structurer(minds.reader), events))
    graph.add_node("methodologist", owned(Writer.METHODOLOGIST, Methodologist(minds.opinion), events))
    graph.add_node("reflection", owned(Writer.ORCHESTRATOR, Reflection(minds.provocation), events))
    graph.add_edge(START, "orchestrator")
    graph.add_conditional_edges("orchestrator", _next_of, ["structurer", "methodologist", END])
    graph.add_edge("structurer", "methodologist")
    graph.add_edge("methodologist", "reflection")
    graph.add_edge("reflection", END)
    return graph.compile(checkpointer=checkpoints)


def _next_of(state: MultiAgentState) -> str:
    suggestion = state["agent_suggestion"]
    return END if suggestion is None else str(suggestion["agent"])
