"""Decisions: from an understanding and the session to a plan."""

from orchestrator.planner.dialogue.appointments_held import shown_appointments
from orchestrator.planner.dialogue.plan_builders import ask, call, choice, say
from orchestrator.planner.dialogue.several_bookings import slot_named
from orchestrator.planner.dialogue.situation import Situation
