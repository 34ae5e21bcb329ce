"""A language model as tests need one: a script for `chat_server` that plans as told and clears everything.

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
"""By utterance, what is planned, in the blueprint's own form."""

SAFE = json.dumps({"safe": True, "note": "OK"})
NO_MORE = json.dumps({"steps": []})

_FENCE = re.compile(r"<(data-[0-9a-f]+)>\n(.*)\n</\1>", re.DOTALL)


def purpose_of(body: Body) -> str:
    """Return what a request is for: "plan", "audit", "write" or "check"."""
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
            case "plan":
                return Answer(self.plan(data_of(body)))
            case "audit":
                return Answer(SAFE)
            case _:
                return Answer(NO_MORE)

    def plan(self, turn: Turn) -> str:
        """Return the plan for a turn as JSON."""
        planned = self._plans.get(turn["utterance"])
        calls = planned(turn) if callable(planned) else planned
        reasoning = {} if self._reasons is None else {"reasoning": list(self._reasons)}
        if calls is None:
            return json.dumps({**reasoning, "steps": [{"do": "answer", "topic": "ask_request"}]})
        steps = [
            {"step_id": number, "clinic": clinic, "action": action, "parameters": dict(given)}
            for number, (clinic, action, given) in enumerate(calls, 1)
        ]
        return json.dumps({**reasoning, "steps": steps}, ensure_ascii=False)
