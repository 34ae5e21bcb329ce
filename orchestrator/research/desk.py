"""The desk: sessions that are begun, taken up again, listed and deleted, and the turns of one session.

It hands the person's words to the graph and reads the state that comes back; what is done with them is the agents'.
"""

from __future__ import annotations

import uuid
from typing import Literal, cast

from langchain_core.runnables import RunnableConfig
from langsmith.run_helpers import tracing_context

from orchestrator.events import EventChannel
from orchestrator.privacy import Redactor
from orchestrator.reply import Reply
from orchestrator.research.checkpoints import Checkpoints
from orchestrator.research.conversation import heard, known_elements, language_of
from orchestrator.research.export import exported
from orchestrator.research.feasibility_table import FeasibilityTable
from orchestrator.research.graph import Minds, build_graph
from orchestrator.research.owners import Writer, checked
from orchestrator.research.ports import Feasibility
from orchestrator.research.replies import reply_of
from orchestrator.research.scrub import scrubbed
from orchestrator.research.sessions import SessionSummary, UnknownSessionError, summary_of
from orchestrator.research.state import MultiAgentState, new_state

Durability = Literal["sync", "async", "exit"]

DURABILITY: Durability = "sync"
"""When LangGraph writes a checkpoint; docs/research.md has the figures by which this was chosen."""


class Desk:
    """The research desk of one person.

    Args:
        checkpoints: Where the sessions are kept.
        events: Told of the agents' work.
        feasibility: Counts patients; None where no clinic can be asked.
        minds: What the agents work with.
        redactor: Takes what identifies anybody out of the person's words.
        durability: When a checkpoint is written.
    """

    def __init__(
        self,
        checkpoints: Checkpoints,
        events: EventChannel,
        feasibility: Feasibility | None = None,
        minds: Minds | None = None,
        redactor: Redactor | None = None,
        durability: Durability = DURABILITY,
    ) -> None:
        self._checkpoints = checkpoints
        self._feasibility = feasibility
        self._redactor = redactor or Redactor()
        self._durability: Durability = durability
        self._graph = build_graph(events, minds or Minds(), checkpoints.saver)
        self._counted: dict[str, FeasibilityTable] = {}

    def start(self) -> str:
        """Return the id of a new session; nothing of it is kept before the person has said something."""
        return str(uuid.uuid4())

    def sessions(self) -> tuple[SessionSummary, ...]:
        """Return all sessions, the one that was worked on last first."""
        return tuple(summary_of(self._state(session_id)) for session_id in self._checkpoints.session_ids())

    def find(self, session_id: str) -> str:
        """Return the whole id of the one session whose id begins so.

        Raises:
            UnknownSessionError: There is none, or more than one.
        """
        found = [each for each in self._checkpoints.session_ids() if each.startswith(session_id)]
        if len(found) != 1 or not session_id:
            raise UnknownSessionError
        return found[0]

    def delete(self, session_id: str) -> None:
        """Delete a session.

        Raises:
            UnknownSessionError: There is no such session.
        """
        self._checkpoints.delete(self.find(session_id))

    def resume(self, session_id: str) -> Reply | None:
        """Return the last answer of a session, finishing a turn that was broken off; None: nothing was said yet."""
        if self._graph.get_state(_thread(session_id)).next:
            self._run(None, session_id)
        state = self._state(session_id)
        return self._reply(state) if state["conversation_history"] else None

    def answer(self, session_id: str, utterance: str) -> Reply:
        """Take a turn and return what the agents say.

        Args:
            session_id: The session.
            utterance: What the person wrote; what identifies anybody is taken out first.
        """
        state = self._state(session_id)
        words = scrubbed(utterance, self._redactor)
        update = checked(Writer.DESK, heard(state, words))
        begun = bool(state["conversation_history"])
        self._run(cast("MultiAgentState", update if begun else {**new_state(session_id), **update}), session_id)
        return self._reply(self._state(session_id))

    def state(self, session_id: str) -> MultiAgentState:
        """Return what the agents know of a session."""
        return self._state(session_id)

    def export(self, session_id: str) -> str:
        """Return a session as Markdown."""
        state = self._state(session_id)
        return exported(state, self._counts(state), self._graph.get_graph().draw_mermaid())

    def _reply(self, state: MultiAgentState) -> Reply:
        return reply_of(state, self._counts(state))

    def _counts(self, state: MultiAgentState) -> FeasibilityTable | None:
        """Return how many patients there are for the question; the clinics are asked once for each population."""
        language = language_of(state)
        population = known_elements(state, language).population
        if self._feasibility is None or not state["hypothesis_versions"] or not population:
            return None
        if population not in self._counted:
            self._counted[population] = self._feasibility.counts(population, language)
        return self._counted[population]

    def _run(self, update: MultiAgentState | None, session_id: str) -> None:
        # What people tell the desk goes to no tracing service, whatever the environment says for other programs.
        with tracing_context(enabled=False):
            self._graph.invoke(update, _thread(session_id), durability=self._durability)

    def _state(self, session_id: str) -> MultiAgentState:
        values = self._graph.get_state(_thread(session_id)).values
        return cast("MultiAgentState", values) if values else new_state(session_id)


def _thread(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id}}
