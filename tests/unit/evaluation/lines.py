"""Log lines and queries in few words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.agents.registry import Agent, Registry
from orchestrator.evaluation.suite import Query
from orchestrator.evaluation.turn_log import LoggedTurn

REGISTRY = Registry(
    {
        clinic: Agent(clinic, specialty, f"127.0.0.1:{port}")
        for clinic, specialty, port in (
            ("clinic_a", "Cardiology", 8001),
            ("clinic_b", "Dermatology", 8002),
            ("clinic_c", "Cardiology", 8003),
        )
    }
)

LIST = "list_available_slots"
BOOK = "book_appointment"
ON_18_AT_10: Mapping[str, str] = {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}

Call = tuple[str, str, Mapping[str, str]]
"""Clinic, tool, parameters."""


def lists(*clinics: str) -> list[Call]:
    return [(clinic, LIST, {}) for clinic in clinics]


def books(clinic: str = "clinic_c", **parameters: str) -> list[Call]:
    return [(clinic, BOOK, {**ON_18_AT_10, **parameters})]


def line(
    calls: Sequence[Call] = (),
    *,
    kind: str = "steps",
    statuses: Mapping[int, str] | None = None,
    rule: str | None = None,
    draft_rule: str | None = None,
    proposed: Sequence[Call] | None = None,
    used: bool = True,
    model_calls: Sequence[Mapping[str, Any]] = (),
    session_id: str = "s",
    turn_id: str = "t",
    elapsed_ms: Mapping[str, float] | None = None,
    at: str = "2026-01-02T03:04:05.006+00:00",
    **more: Any,
) -> LoggedTurn:
    """A turn as it is read from the log; every step is done unless `statuses` says otherwise, "" for not asked.

    `more` are fields of the line as they are to be.
    """
    ended = statuses or {}
    content: dict[str, Any] = {
        "schema": "clinic-mesh.log/1",
        "at": at,
        "session_id": session_id,
        "turn_id": turn_id,
        "plan": {
            "kind": kind,
            "language": "pt",
            "topic": None if kind == "steps" else "ask_request",
            "steps": _steps(calls),
            "proposed": None if proposed is None else {"used": used, "notes": [], "steps": _steps(proposed)},
        },
        "results": [
            {
                "step_id": number,
                "clinic": clinic,
                "action": action,
                "status": ended.get(number, "done"),
                "reason": None,
                "items": None,
                "elapsed_ms": 2.0 * number,
            }
            for number, (clinic, action, _) in enumerate(calls, 1)
            if ended.get(number, "done")
        ],
        "verdicts": [*([_verdict("draft", draft_rule)] if draft_rule else []), _verdict("reply", rule)],
        "model_calls": list(model_calls),
        "outcome": "ok",
        "reply": "",
        "elapsed_ms": elapsed_ms or {"plan": 1.0, "verify_data": 0.5, "verify_reply": 1.0, "turn": 10.0},
    }
    return LoggedTurn.model_validate({**content, **more})


def _steps(calls: Sequence[Call]) -> list[dict[str, Any]]:
    return [
        {"step_id": number, "clinic": clinic, "action": action, "parameters": dict(parameters)}
        for number, (clinic, action, parameters) in enumerate(calls, 1)
    ]


def _verdict(subject: str, rule: str | None) -> dict[str, Any]:
    note = "OK" if rule is None else f"{rule}: for a test"
    return {"subject": subject, "safe": rule is None, "rule": rule, "note": note}


def query(*turns: Mapping[str, Any], **fields: Any) -> Query:
    """A query of these turns."""
    return Query.model_validate({"id": "q", "language": "pt", "category": "normal", "turns": list(turns), **fields})


def listing(*clinics: str, **fields: Any) -> Mapping[str, Any]:
    """A turn in which these clinics must be asked for openings."""
    return {"say": "quero um horário", "steps": [{"clinic": clinic, "action": LIST} for clinic in clinics], **fields}


def booking(clinic: str = "clinic_c", **fields: Any) -> Mapping[str, Any]:
    """A turn in which the slot of the 18th at 10 must be booked."""
    return {"say": "pode ser", "steps": [{"clinic": clinic, "action": BOOK, "parameters": ON_18_AT_10}], **fields}


def talking(*kinds: str, **fields: Any) -> Mapping[str, Any]:
    """A turn in which no clinic must be called."""
    return {"say": "oi", "kinds": list(kinds), "topic": "greeting", **fields}
