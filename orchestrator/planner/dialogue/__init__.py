"""Decisions: from an understanding and the session to a plan."""

from orchestrator.planner.dialogue.plan_builders import ask, ask_question, call, choice, say
from orchestrator.planner.dialogue.situation import Situation, slot_of
