"""Steps from texts, as a test writes them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time

from orchestrator.turn.plan import Step
from orchestrator.turn.step_actions import BOOK, CANCEL, LIST, MOVE, Action, Book, Cancel, ListOpenings, Move, ToolCall

NO_PARAMETERS: Mapping[str, str] = {}


def action_of(name: str, given: Mapping[str, str]) -> Action:
    """Return the typed action of a tool's arguments; a call by name where it has none, or they lack a day."""
    doctor = given.get("doctor", "")
    if name == LIST and not given.keys() - {"doctor"}:
        return ListOpenings(given.get("doctor"))
    if name in {BOOK, CANCEL} and given.keys() == {"doctor", "date", "time"}:
        return (Book if name == BOOK else Cancel)(doctor, *_moment(given, ""))
    if name == MOVE and len(given) == 5:
        return Move(doctor, *_moment(given, "original_"), *_moment(given, "new_"))
    return ToolCall(name, given)


def _moment(given: Mapping[str, str], prefix: str) -> tuple[date, time]:
    return date.fromisoformat(given[f"{prefix}date"]), time.fromisoformat(given[f"{prefix}time"])


def step_of(
    step_id: int,
    clinic: str,
    action: str,
    parameters: Mapping[str, str] = NO_PARAMETERS,
    request_id: str | None = None,
    after: int | None = None,
) -> Step:
    """Return the step that calls a tool with these arguments."""
    return Step(step_id, clinic, action_of(action, parameters), request_id, after)
