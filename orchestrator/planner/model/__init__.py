"""The planner with a language model: it proposes, and code decides (blueprint 2.3.1)."""

from orchestrator.planner.model.model_planner import ModelPlanner
from orchestrator.planner.model.planner_prompt import PlannerPrompts
