"""A language model as tests need one: a script for `chat_server` that plans as told, clears, and writes around parts.

It reads its prompts as a model does: what is asked from the form of the answer, the turn from the fenced data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.support.chat_server import Answer, Body, Reply

Call = tuple[str, str, Mapping[str, str]]
"""Clinic, tool, parameters in the contract's names."""

Turn = Mapping[str, Any]
"""A turn as the planner's prompt tells it."""

Plans = Mapping[str, Sequence[Call] | Callable[[Turn], Sequence[Call]]]
"""By utterance, what is planned."""

SAFE = json.dumps({"safe": True, "note": "OK"})

_FENCE = re.compile(r"<(data-[0-9a-f]+)>\n(.*)\n</\1>", re.DOTALL)
_PREFIXES = ("", "original_", "new_")


def purpose_of(body: Body) -> str:
    """Return what a request is for: "plan", "repair", "audit", "write" or "check"."""
    form = body.get("response_format", {}).get("json_schema", {})
    return str(form.get("name", "write"))


def data_of(body: Body) -> dict[str, Any]:
    """Return the fenced data of a request."""
    texts = [str(message["content"]) for message in body["messages"] if message["role"] == "user"]
    fence = next(match for text in texts if (match := _FENCE.search(text)))
    data: dict[str, Any] = json.loads(fence[2])
    return data


class PlayedModel:
    """Answers every request as a model that is good at its work.

    Args:
        plans: What is planned; an utterance that is not there is not understood.
        reasons: What it reasons first; None for a model that is not asked to.
    """

    def __init__(self, plans: Plans, reasons: Sequence[str] | None = None) -> None:
        self._plans = plans
        self._reasons = reasons

    def __call__(self, body: Body) -> Reply:
        """Return the answer to a request."""
        match purpose_of(body):
            case "plan" | "repair":
                return Answer(self.plan(data_of(body)))
            case "audit":
                return Answer(SAFE)
            case _:
                return Answer(text_around_parts(data_of(body)))

    def plan(self, turn: Turn) -> str:
        """Return the plan for a turn as JSON; slots by handle where the turn has one."""
        planned = self._plans.get(turn["utterance"])
        calls = planned(turn) if callable(planned) else planned
        reasoning = {} if self._reasons is None else {"reasoning": list(self._reasons)}
        if calls is None:
            return json.dumps({**reasoning, "kind": "clarify", "topic": "ask_request", "steps": []})
        steps = [
            {"step_id": number, "clinic": clinic, "action": action, "parameters": with_handles(turn, clinic, given)}
            for number, (clinic, action, given) in enumerate(calls, 1)
        ]
        return json.dumps({**reasoning, "kind": "steps", "topic": None, "steps": steps}, ensure_ascii=False)


def with_handles(turn: Turn, clinic: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return parameters with each doctor, date and time that is a slot of the turn as its handle."""
    slots = {**turn["named"], **turn["openings"], **turn["appointments"]}
    handles = {(slot["clinic"], slot["doctor"], slot["date"], slot["time"]): handle for handle, slot in slots.items()}
    taken = {
        f"{prefix}slot": handles.get((clinic, given.get("doctor"), given[f"{prefix}date"], given[f"{prefix}time"]))
        for prefix in _PREFIXES
        if f"{prefix}date" in given
    }
    known = {name: handle for name, handle in taken.items() if handle is not None}
    return known if known and len(known) == len(taken) else dict(given)


def text_around_parts(brief: Mapping[str, Any]) -> str:
    """Return a reply in the language that is asked for, with every part on a line of its own."""
    is_portuguese = "Portuguese" in brief["language"]
    opening = (
        "Olá, {patient}! Veja o que as clínicas responderam:" if is_portuguese else "Hello, {patient}! Here it is:"
    )
    closing = "É só me dizer se precisar de mais alguma coisa." if is_portuguese else "Just tell me what else you need."
    return "\n\n".join((opening, *brief["parts"], closing))
