"""The desk: sessions that are begun, taken up again, listed and deleted, and the turns of one session.

It hands the person's words to the graph and reads the state that comes back; what is done with them is the agents'.
"""

from __future__ import annotations

import threading
import uuid
from typing import Literal, cast

from langchain_core.runnables import RunnableConfig
from langsmith.run_helpers import tracing_context

from orchestrator.journal import EventChannel
from orchestrator.privacy import Redactor
from orchestrator.research.feasibility import FeasibilityOfTurn, FeasibilityTable
from orchestrator.research.graph.agent_graph import build_graph
from orchestrator.research.graph.checkpoints import Checkpoints
from orchestrator.research.graph.dialogue import heard, language_of, population_of
from orchestrator.research.graph.export import exported
from orchestrator.research.graph.field_ownership import FieldWriter, checked
from orchestrator.research.graph.reasoners import Minds, MindsOfTurn, rules_only
from orchestrator.research.graph.replies import reply_of, version_blocks
from orchestrator.research.graph.scrub import scrubbed
from orchestrator.research.graph.state import MultiAgentState, new_state
from orchestrator.research.ports import SessionSummary, UnknownSessionError
from orchestrator.stages import TurnScope
from orchestrator.turn import Block, Reply

Durability = Literal["sync", "async", "exit"]

DURABILITY: Durability = "sync"
"""When LangGraph writes a checkpoint; docs/research.md has the figures by which this was chosen."""


class Desk:
    """The research desk of one person; a `ResearchDesk`.

    Args:
        checkpoints: Where the sessions are kept.
        events: Told of the agents' work.
        minds: What the agents work with.
        feasibility: Counts patients; None where no clinic can be asked.
        redactor: Takes what identifies anybody out of the person's words.
        durability: When a checkpoint is written.
    """

    def __init__(
        self,
        checkpoints: Checkpoints,
        events: EventChannel,
        minds: MindsOfTurn = rules_only,
        feasibility: FeasibilityOfTurn | None = None,
        redactor: Redactor | None = None,
        durability: Durability = DURABILITY,
    ) -> None:
        self._checkpoints = checkpoints
        self._events = events
        self._minds = minds
        self._feasibility = feasibility
        self._redactor = redactor or Redactor()
        self._durability: Durability = durability
        self._kept = build_graph(EventChannel(), Minds(), "", checkpoints.saver)
        self._counted: dict[str, FeasibilityTable] = {}

    def start(self) -> str:
        """Return the id of a new session; nothing of it is kept before the person has said something."""
        return str(uuid.uuid4())

    def sessions(self) -> tuple[SessionSummary, ...]:
        """Return all sessions, the one that was worked on last first."""
        return tuple(_summary_of(self._state(session_id)) for session_id in self._checkpoints.session_ids())

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
        scope = _scope(None)
        if self._kept.get_state(_thread(session_id)).next:
            self._run(None, session_id, scope)
        state = self._state(session_id)
        return reply_of(state, None) if state["conversation_history"] else None

    def answer(self, session_id: str, utterance: str, cancel: threading.Event | None = None) -> Reply:
        """Take a turn and return what the agents say.

        Args:
            session_id: The session.
            utterance: What the person wrote; what identifies anybody is taken out first.
            cancel: Set by another thread to stop waiting for a model or a clinic.
        """
        scope = _scope(cancel)
        before = self._state(session_id)
        update = checked(FieldWriter.DESK, heard(before, scrubbed(utterance, self._redactor)))
        if not before["conversation_history"]:
            update = {**before, **update}
        self._run(cast("MultiAgentState", update), session_id, scope)
        state = self._state(session_id)
        is_new = population_of(state) != population_of(before)
        return reply_of(state, self._counts(state, scope) if is_new else None)

    def state(self, session_id: str) -> MultiAgentState:
        """Return what the agents know of a session."""
        return self._state(session_id)

    def versions(self, session_id: str) -> tuple[Block, ...]:
        """Return the versions of a session's question; nothing before the first."""
        return version_blocks(self._state(session_id))

    def export(self, session_id: str) -> str:
        """Return a session as Markdown."""
        state = self._state(session_id)
        return exported(state, self._counts(state, _scope(None)), self._kept.get_graph().draw_mermaid())

    def _counts(self, state: MultiAgentState, scope: TurnScope) -> FeasibilityTable | None:
        """Return how many patients there are for the question; the clinics are asked once for each population."""
        language, population = language_of(state), population_of(state)
        if self._feasibility is None or not population:
            return None
        if population not in self._counted:
            table = self._feasibility(scope).counts(population, language)
            if table.answered < table.asked:
                return table  # who did not answer now may answer next time
            self._counted[population] = table
        return self._counted[population]

    def _run(self, update: MultiAgentState | None, session_id: str, scope: TurnScope) -> None:
        graph = build_graph(self._events, self._minds(scope), scope.turn_id, self._checkpoints.saver)
        # What people tell the desk goes to no tracing service, whatever the environment says for other programs.
        with tracing_context(enabled=False):
            graph.invoke(update, _thread(session_id), durability=self._durability)

    def _state(self, session_id: str) -> MultiAgentState:
        values = self._kept.get_state(_thread(session_id)).values
        return cast("MultiAgentState", values) if values else new_state(session_id)


def _scope(cancel: threading.Event | None) -> TurnScope:
    return TurnScope(str(uuid.uuid4()), cancel or threading.Event())


def _thread(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id}}


def _summary_of(state: MultiAgentState) -> SessionSummary:
    versions = state["hypothesis_versions"]
    judged = state["methodologist_output"]
    first = next((saying["text"] for saying in state["conversation_history"]), "")
    return SessionSummary(
        session_id=state["session_id"],
        stage=state["current_stage"],
        versions=len(versions),
        question=versions[-1]["question"] if versions else first,
        status="" if judged is None else judged["status"],
    )
