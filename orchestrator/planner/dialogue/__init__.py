"""Decisions: from an understanding and the session to a plan."""

from orchestrator.planner.dialogue.plan_builders import (
    BOOK,
    CANCEL,
    GET_PATIENT,
    LIST,
    LIST_PATIENTS,
    MOVE,
    QUERY,
    ask,
    booking_step,
    call,
    cancelling,
    choice,
    clock,
    moving,
    say,
)
from orchestrator.planner.dialogue.situation import Situation, slot_of

__all__ = [
    "BOOK",
    "CANCEL",
    "GET_PATIENT",
    "LIST",
    "LIST_PATIENTS",
    "MOVE",
    "QUERY",
    "Situation",
    "ask",
    "booking_step",
    "call",
    "cancelling",
    "choice",
    "clock",
    "moving",
    "say",
    "slot_of",
]
