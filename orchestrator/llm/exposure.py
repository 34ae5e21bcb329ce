"""What a model may see of the conversation and of what the clinics returned.

Fields marked `phi` or `injected` are hidden, unknown ones left out; other texts go through the session's pseudonyms.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from mesh.arguments import Json
from mesh.catalogue import arguments_of
from orchestrator.llm.pseudonyms import Pseudonyms
from orchestrator.turn import CATALOGUE, REFUSAL_DETAILS

if TYPE_CHECKING:
    from pydantic import JsonValue
from orchestrator.turn import Exchange, Session, estimated_tokens

HIDDEN = "[HIDDEN]"  # stands for a value that no model may see


def exposed(payload: str, pseudonyms: Pseudonyms) -> dict[str, Json]:
    """Return a payload (`turn.payload`), its utterance hidden before, as `{"user_query", "clinic_data": [...]}`.

    Blueprint 2.3.3. Raise ValueError when it is no object with a text `user_query` and a list `clinic_data`.
    """
    body: JsonValue = json.loads(payload)
    match body:
        case {"user_query": str(utterance), "clinic_data": list(entries)}:
            query = pseudonyms.hide(utterance)
            return {"user_query": query, "clinic_data": [_entry(entry, pseudonyms) for entry in entries]}
        case _:
            raise ValueError("a payload is a JSON object with a text user_query and a list clinic_data")


def _entry(entry: JsonValue, pseudonyms: Pseudonyms) -> Json:
    if not isinstance(entry, dict):
        return HIDDEN
    return {
        "clinic": _text(entry.get("clinic"), pseudonyms),
        "action": _text(entry.get("action"), pseudonyms),
        "result": _result(entry.get("result"), entry.get("action"), pseudonyms),
        "error": _error(entry.get("error"), pseudonyms),
    }


def _result(result: JsonValue, action: JsonValue, pseudonyms: Pseudonyms) -> Json:
    if result is None:
        return None
    if not isinstance(action, str) or action not in CATALOGUE:
        return HIDDEN
    return _message(result, CATALOGUE[action].method.output_type, pseudonyms)


def _error(error: JsonValue, pseudonyms: Pseudonyms) -> Json:
    if error is None:
        return None
    if not isinstance(error, dict):
        return HIDDEN
    code = error.get("code")
    shown: dict[str, Json] = {
        "code": code if isinstance(code, int) else None,
        "message": _text(error.get("message"), pseudonyms),
    }
    match error.get("data"):
        case {"details": list(details)}:
            return {**shown, "data": {"details": [_detail(detail, pseudonyms) for detail in details]}}
        case _:
            return shown


def _detail(detail: JsonValue, pseudonyms: Pseudonyms) -> Json:
    for kind in REFUSAL_DETAILS:
        descriptor = kind().DESCRIPTOR
        if isinstance(detail, dict) and detail.keys() == set(descriptor.fields_by_name):
            return _message(detail, descriptor, pseudonyms)
    return HIDDEN


def _message(value: JsonValue, kind: Descriptor, pseudonyms: Pseudonyms) -> Json:
    return dict(_fields(value, kind, pseudonyms)) if isinstance(value, dict) else HIDDEN


def _fields(value: dict[str, JsonValue], kind: Descriptor, pseudonyms: Pseudonyms) -> Iterator[tuple[str, Json]]:
    for argument in arguments_of(kind):
        if argument.name not in value:
            continue
        if argument.options.phi or argument.options.injected:
            yield argument.name, HIDDEN
        else:
            yield argument.name, _field(value[argument.name], argument.field, pseudonyms)


def _field(value: JsonValue, field: FieldDescriptor, pseudonyms: Pseudonyms) -> Json:
    if field.is_repeated:
        return [_single(item, field, pseudonyms) for item in value] if isinstance(value, list) else HIDDEN
    return _single(value, field, pseudonyms)


def _single(value: JsonValue, field: FieldDescriptor, pseudonyms: Pseudonyms) -> Json:
    if field.message_type is not None:
        return _message(value, field.message_type, pseudonyms)
    return value if isinstance(value, bool | int | float) else _text(value, pseudonyms)


def _text(value: JsonValue, pseudonyms: Pseudonyms) -> str:
    return pseudonyms.hide(value) if isinstance(value, str) else HIDDEN


NOT_SHOWN = "[not shown]"  # stands for a reply that no model may read

_MAX_CHARACTERS = 600  # of one text: the gist of a reply, and a few of its openings

# No tokenizer is at hand, and each model has its own. English and Portuguese take about four characters a token; three
# bytes of UTF-8 overestimate both, so that the budget holds. The names and brackets around a turn take the rest.
_BYTES_PER_TOKEN = 3
_TOKENS_AROUND = 12


def recollect(session: Session, pseudonyms: Pseudonyms, max_tokens: int) -> list[Json]:
    """Return the latest turns as `{"user", "assistant"}`, oldest first, within an estimate of `max_tokens`."""
    turns: list[Json] = []
    left = max_tokens
    for exchange in reversed(session.history):
        user, assistant = _shown(exchange, pseudonyms)
        left -= estimated_tokens(user) + estimated_tokens(assistant) + _TOKENS_AROUND
        if left < 0:
            break
        turns.append({"user": user, "assistant": assistant})
    return turns[::-1]


def _shown(exchange: Exchange, pseudonyms: Pseudonyms) -> tuple[str, str]:
    # Hidden first, cut then: half a number would not be known for one.
    user = _cut(pseudonyms.hide(exchange.utterance))
    return user, NOT_SHOWN if exchange.private else _cut(pseudonyms.hide(exchange.reply))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else text[: _MAX_CHARACTERS - 1] + "…"
