"""The desk as a graph of LangGraph's: state, agents, sessions. Only who opens the desk loads this room."""

from orchestrator.research.graph.checkpoints import open_checkpoints
from orchestrator.research.graph.desk import Desk
from orchestrator.research.graph.feasibility import Feasibility, FeasibilityOfTurn
from orchestrator.research.graph.mesh_feasibility import MeshFeasibility
from orchestrator.research.graph.model_agents import ModelOpinion, ModelProvocation, ModelReader, PLACEHOLDERS
from orchestrator.research.graph.reasoners import Reasoners, ReasonersOfTurn, RuleProvocation, RuleReader, rules_only

__all__ = [
    "Desk",
    "Feasibility",
    "FeasibilityOfTurn",
    "MeshFeasibility",
    "ModelOpinion",
    "ModelProvocation",
    "ModelReader",
    "PLACEHOLDERS",
    "Reasoners",
    "ReasonersOfTurn",
    "RuleProvocation",
    "RuleReader",
    "open_checkpoints",
    "rules_only",
]
