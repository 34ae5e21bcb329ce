"""The desk: its sessions, the file that keeps them, and the graph of agents that takes a turn.

A turn runs the graph to its end; the next runs it over the saved state. A session killed within a turn has a next node.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Durability
from langsmith.run_helpers import tracing_context

from mesh import private_file
from mesh.errors import UsageError
from orchestrator.journal import AgentStarted, EventChannel, QuestionJudged, TurnFinished, TurnStarted
from orchestrator.privacy import Redactor
from orchestrator.research.graph.agents import examine, orchestrate, reflect, structure
from orchestrator.research.graph.feasibility import Feasibility, FeasibilityTable
from orchestrator.research.graph.reasoners import Reasoners, ReasonersOfTurn
from orchestrator.research.graph.replies import exported, reply_of, version_blocks
from orchestrator.research.graph.state import FieldWriter, MultiAgentState, Update, checked
from orchestrator.research.ports import SessionSummary
from orchestrator.turn import NOBODY, Block, Identity, Reply, Role, TurnScope

FILE = "sessions.sqlite"
_WAIT_S = 5.0  # for another process's write
_Graph = CompiledStateGraph[MultiAgentState, None, MultiAgentState, MultiAgentState]


class Checkpoints(SqliteSaver):
    """The checkpointer of the graph, and the sessions that it holds."""

    def session_ids(self) -> tuple[str, ...]:
        """Return the ids of all sessions, the most recently used first."""
        with self.cursor(transaction=False) as cursor:
            query = "SELECT thread_id FROM checkpoints GROUP BY thread_id ORDER BY MAX(checkpoint_id) DESC"
            rows = cursor.execute(query).fetchall()
        return tuple(str(session_id) for (session_id,) in rows)

    def keep_last(self, session_id: str) -> None:
        """Delete all checkpoints of a session but the last, of which alone it is resumed."""
        with self.cursor() as cursor:
            for table in ("checkpoints", "writes"):
                cursor.execute(
                    f"DELETE FROM {table} WHERE thread_id = :id AND checkpoint_id <"  # noqa: S608 - two fixed names
                    " (SELECT MAX(checkpoint_id) FROM checkpoints WHERE thread_id = :id)",
                    {"id": session_id},
                )

    def delete_thread(self, thread_id: str) -> None:
        """Delete a session, in the write-ahead log too."""
        super().delete_thread(thread_id)
        with self.cursor(transaction=False) as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@contextmanager
def open_checkpoints(folder: Path) -> Iterator[Checkpoints]:
    """Yield the sessions of a folder, made for this user only; raise `UsageError` if it cannot be used."""
    path = folder / FILE
    try:
        private_file.make_folder(path.parent)
        path.parent.chmod(private_file.FOLDER_MODE)
        private_file.ensure(path)  # made before SQLite opens it: the files beside it, -wal and -shm, take its mode
        path.chmod(private_file.FILE_MODE)
    except OSError as error:
        raise UsageError(f"{path}: cannot be used: {error.strerror}") from error
    try:
        # The graph's nodes run in threads of LangGraph's, one at a time; the saver has a lock.
        with closing(sqlite3.connect(path, check_same_thread=False, timeout=_WAIT_S)) as connection:
            connection.execute("PRAGMA secure_delete=ON").fetchall()
            # Strict: a manipulated file can create no objects but those that a conversation consists of.
            checkpoints = Checkpoints(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
            checkpoints.setup()
            yield checkpoints
    except sqlite3.DatabaseError as error:  # and no other fault of who uses the sessions, a closed pipe's say
        raise UsageError(f"{path}: cannot be used: {type(error).__name__}") from error


@dataclass
class Desk:
    """The desk of one person; by rules without `reasoners`, without counts without `feasibility`."""

    checkpoints: Checkpoints
    events: EventChannel
    reasoners: ReasonersOfTurn | None = None
    feasibility: Feasibility | None = None
    speaker: Identity = NOBODY
    durability: Durability = "sync"  # docs/research.md has the figures behind the choice

    def __post_init__(self) -> None:
        self._redactor = Redactor(self.speaker, patient_ids=True)
        self._kept = _build_graph(EventChannel(), Reasoners(), self.checkpoints)
        self._counted: dict[str, FeasibilityTable] = {}

    def sessions(self) -> tuple[SessionSummary, ...]:
        """Return all sessions, the most recently used first."""
        return tuple(map(self.summary, self.checkpoints.session_ids()))

    def summary(self, session_id: str) -> SessionSummary:
        """Return what a list says of a session."""
        state = self.state(session_id)
        return SessionSummary(
            session_id=session_id,
            stage=state.current_stage,
            versions=len(state.hypothesis_versions),
            question=state.user_input if state.last is None else state.last.question,
            status="" if state.methodologist_output is None else state.methodologist_output.status,
            gaps=() if state.last is None else tuple(each.aspect for each in state.last.feedback.improvements),
            intent=state.intent,
        )

    def find(self, session_id: str) -> str:
        """Return the full id of the one session that begins so; raise `UsageError` for none or several."""
        found = [each for each in self.checkpoints.session_ids() if each.startswith(session_id)]
        if len(found) != 1 or not session_id:
            raise UsageError("there is no such session, or several whose ids begin so; --list shows them")
        return found[0]

    def delete(self, session_id: str) -> None:
        """Delete the one session that begins so; raise `UsageError` for none or several."""
        self.checkpoints.delete_thread(self.find(session_id))

    def resume(self, session_id: str) -> Reply | None:
        """Finish an interrupted turn and return the session's last answer; None if nothing was said yet."""
        if self._kept.get_state(_thread(session_id)).next:
            self._run(None, session_id, TurnScope())
        state = self.state(session_id)
        return reply_of(state, None) if state.conversation_history else None

    def answer(self, session_id: str, utterance: str, cancel: threading.Event | None = None) -> Reply:
        """Take a turn and return what the agents say; what identifies anybody is removed from the utterance first.

        Setting `cancel` stops waiting for a model or a clinic.
        """
        scope, started = TurnScope(cancel=cancel or threading.Event()), time.monotonic()
        self.events.publish(TurnStarted(session_id, scope.turn_id))
        before, said = self.state(session_id), self._redactor.redact(utterance)
        update = checked("desk", {"user_input": before.user_input or said, **before.saying("researcher", said)})
        if not before.conversation_history:
            update = {**before.model_dump(mode="json"), **update}
        self._run(cast("MultiAgentState", update), session_id, scope)
        state = self.state(session_id)
        reply = reply_of(state, self._counts(state, scope) if state.population != before.population else None)
        summary = self.summary(session_id)
        self.events.publish(QuestionJudged(summary.versions, summary.status or None, summary.gaps))
        # The log holds no words of this turn: they may describe people, and the reply counts patients.
        self.events.publish(TurnFinished(reply.outcome, "", time.monotonic() - started))
        return reply

    def state(self, session_id: str) -> MultiAgentState:
        """Return the state of a session."""
        kept = self._kept.get_state(_thread(session_id)).values
        return MultiAgentState.model_validate({"session_id": session_id, **kept})

    def versions(self, session_id: str) -> tuple[Block, ...]:
        """Return the versions of a session's question; empty before the first."""
        return version_blocks(self.state(session_id))

    def export(self, session_id: str) -> str:
        """Return a session as Markdown."""
        state = self.state(session_id)
        return exported(state, self._counts(state, TurnScope()))

    def _counts(self, state: MultiAgentState, scope: TurnScope) -> FeasibilityTable | None:
        # The clinics are asked once for each population; a review has studies, and no patients.
        population = state.population
        if self.feasibility is None or not population or state.intent == "review_literature":
            return None
        if population not in self._counted:
            # Listing patients takes the operator's key; what leaves the count is no patient's (docs/feasibility.md).
            of_operator = replace(scope, identity=self.speaker, role=Role.OPERATOR)
            table = self.feasibility(of_operator, population, state.language)
            if table.total.answered < table.total.clinics:
                return table  # a clinic that did not answer now may answer next time
            self._counted[population] = table
        return self._counted[population]

    def _run(self, update: MultiAgentState | None, session_id: str, scope: TurnScope) -> None:
        reasoners = Reasoners() if self.reasoners is None else self.reasoners(scope)
        graph = _build_graph(self.events, reasoners, self.checkpoints)
        # No tracing service receives what people tell the desk, whatever the environment says.
        with tracing_context(enabled=False):
            graph.invoke(update, _thread(session_id), durability=self.durability)
        self.checkpoints.keep_last(session_id)


def _thread(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id}}


def _build_graph(events: EventChannel, reasoners: Reasoners, checkpoints: Checkpoints) -> _Graph:
    graph = StateGraph(MultiAgentState)

    def add(node: str, writer: FieldWriter, agent: Callable[[Reasoners, MultiAgentState], Update]) -> None:
        def run(state: MultiAgentState) -> dict[str, Any]:
            events.publish(AgentStarted(writer))
            return checked(writer, agent(reasoners, state))

        graph.add_node(node, run)

    add("orchestrator", "orchestrator", orchestrate)
    add("structurer", "structurer", structure)
    add("methodologist", "methodologist", examine)
    add("reflection", "orchestrator", reflect)
    graph.add_edge(START, "orchestrator")
    graph.add_conditional_edges(
        "orchestrator",
        lambda state: getattr(state.agent_suggestion, "agent", END),
        ["structurer", "methodologist", END],
    )
    graph.add_edge("structurer", "methodologist")
    graph.add_edge("methodologist", "reflection")
    graph.add_edge("reflection", END)
    return graph.compile(checkpointer=checkpoints)
