"""What the clinics returned in one turn, as the JSON that a model reads (blueprint 2.3.3).

`{"user_query", "clinic_data": [{"clinic", "action", "result", "error"}]}`, valid JSON in clear UTF-8 (2.3.2). A result
has the contract's snake_case names and prints fields at their default; an error has JSON-RPC's `code` and `message`,
and `data` where the clinic sent typed details. The payload lives for one turn and goes to no file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from google.protobuf.message import Message

from mesh.arguments import Json, json_of
from mesh.errors import DomainError
from orchestrator.turn.result import NOT_ATTEMPTED, StepResult
from orchestrator.turn.tools import REASONS


def payload_of(utterance: str, results: Iterable[StepResult]) -> str:
    """Return the payload of a turn.

    Args:
        utterance: What the person said, as it may be shown to a model.
        results: One entry of `clinic_data` each, in this order.
    """
    clinic_data: list[Json] = [_entry(result) for result in results]
    return json.dumps({"user_query": utterance, "clinic_data": clinic_data}, ensure_ascii=False)


def _entry(result: StepResult) -> dict[str, Json]:
    entry: dict[str, Json] = {"clinic": result.step.clinic, "action": result.step.action}
    if result.response is not None:
        return {**entry, "result": json_of(result.response), "error": None}
    return {**entry, "result": None, "error": _error(result.error or NOT_ATTEMPTED)}


def _error(error: DomainError) -> dict[str, Json]:
    # A node of a later contract may say what this one does not list.
    reason = REASONS.get(error.reason, REASONS["INTERNAL"])
    body: dict[str, Json] = {"code": reason.json_rpc_code, "message": error.message}
    details: list[Json] = [json_of(detail) for detail in error.details if isinstance(detail, Message)]
    return {**body, "data": {"details": details}} if details else body
