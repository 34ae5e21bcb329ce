"""The desk as a graph of LangGraph's: state, agents, sessions. Only who opens the desk loads this room."""

from orchestrator.research.graph.desk import Desk, open_checkpoints
from orchestrator.research.graph.feasibility import Feasibility, FeasibilityTable, count_patients
from orchestrator.research.graph.reasoners import ModelReasoners, ReasonersOfTurn, desk_prompts
