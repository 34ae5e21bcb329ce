"""The desk as a graph of LangGraph's: state, agents, sessions. Only who opens the desk loads this room."""

from orchestrator.research.graph.checkpoints import open_checkpoints
from orchestrator.research.graph.desk import Desk
from orchestrator.research.graph.mesh_feasibility import MeshFeasibility
from orchestrator.research.graph.model_answers import PLACEHOLDERS
from orchestrator.research.graph.model_opinion import ModelOpinion
from orchestrator.research.graph.model_provocation import ModelProvocation
from orchestrator.research.graph.model_reader import ModelReader
from orchestrator.research.graph.reader import RuleReader
from orchestrator.research.graph.reasoners import Minds, MindsOfTurn, rules_only
from orchestrator.research.graph.reflection import RuleProvocation

__all__ = [
    "PLACEHOLDERS",
    "Desk",
    "MeshFeasibility",
    "Minds",
    "MindsOfTurn",
    "ModelOpinion",
    "ModelProvocation",
    "ModelReader",
    "RuleProvocation",
    "RuleReader",
    "open_checkpoints",
    "rules_only",
]
