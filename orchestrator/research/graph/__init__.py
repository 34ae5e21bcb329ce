"""The desk as a graph of LangGraph's: state, agents, sessions. Only who opens the desk loads this room."""

from orchestrator.research.graph.composition import open_desk

__all__ = ["open_desk"]
