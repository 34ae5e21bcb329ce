"""How words get into the state, and how what all agents speak of is worded."""

from collections.abc import Iterable
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from orchestrator.research.graph.state import Agent, MultiAgentState, Saying
from orchestrator.research.rules import Aspect
from orchestrator.texts import Texts


def said(state: MultiAgentState, speaker: Agent, text: str) -> dict[str, Any]:
    """Return the part of an update by which an agent says something."""
    return _with(state, Saying(speaker=speaker, text=text), AIMessage(text, name=speaker))


def heard(state: MultiAgentState, text: str) -> dict[str, Any]:
    """Return the update for a person's words; the first of a session stay its `user_input`."""
    return {
        "user_input": state.user_input or text,
        **_with(state, Saying(speaker="researcher", text=text), HumanMessage(text)),
    }


def _with(state: MultiAgentState, saying: Saying, message: AnyMessage) -> dict[str, Any]:
    return {"conversation_history": (*state.conversation_history, saying), "messages": [message]}


def listed(aspects: Iterable[Aspect], texts: Texts) -> str:
    """Return some aspects as a person reads them, each once."""
    return ", ".join(dict.fromkeys(texts.text(f"research.aspects.{aspect}") for aspect in aspects))
