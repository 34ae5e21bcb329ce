"""What a model may see of the conversation and of what the clinics returned.

Fields marked `phi` or `injected` are hidden, unknown ones left out; other texts go through the session's pseudonyms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from mesh.arguments import Json
from mesh.catalogue import arguments_of
from orchestrator.privacy import PersonalKind, PersonalText, Redactor, name_words, telling_words
from orchestrator.turn import CATALOGUE, REFUSAL_DETAILS, Clinic, Exchange, Session, estimated_tokens

if TYPE_CHECKING:
    from pydantic import JsonValue

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

_TOKENS_AROUND = 12  # an estimate for the names and brackets around a turn


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


PATIENT = "[PATIENT]"  # stands for the speaker's name
_KINDS = "|".join(PersonalKind.__members__)
TOKEN = re.compile(rf"\[(?:PATIENT|(?:{_KINDS})-[0-9]+)\]", re.IGNORECASE)  # known or not


class Pseudonyms:
    """The tokens of one session; made anew for each turn with `Pseudonyms.of`."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._tokens: dict[tuple[PersonalKind, str], str] = {}
        self._counts = dict.fromkeys(PersonalKind, 0)

    @classmethod
    def of(cls, session: Session, clinics: Sequence[Clinic]) -> Pseudonyms:
        """Return the tokens of a session, numbered as they first appear in its history; [CPF-1] is the speaker's."""
        identity = session.identity
        public = {
            *(clinic.name for clinic in clinics),
            *(doctor for clinic in clinics for doctor in clinic.doctors),
            *(offer.doctor for offer in session.offers),
        }
        shared = {word for name in public for word in name_words(name)}
        own = [word for word in telling_words(identity.name) if word not in shared]
        pseudonyms = cls(Redactor(identity, own, public))
        pseudonyms.hide(identity.cpf)
        for exchange in session.history:
            pseudonyms.hide(exchange.utterance)
            if not exchange.private:
                pseudonyms.hide(exchange.reply)
        return pseudonyms

    def __repr__(self) -> str:
        return f"Pseudonyms({len(self._tokens)} tokens)"

    def hide(self, text: str) -> str:
        """Return a text with tokens in place of what identifies people; what looks like one loses its brackets."""
        parts: list[str] = []
        end = 0
        for found in self._redactor.find(text):
            parts += (_without_tokens(text[end : found.start]), self._token(found, text[found.start : found.end]))
            end = found.end
        return "".join((*parts, _without_tokens(text[end:])))

    def _token(self, found: PersonalText, text: str) -> str:
        if found.kind is PersonalKind.NAME:
            return PATIENT
        key = (found.kind, found.digits if found.kind in _NUMBERS else " ".join(text.casefold().split()))
        if key not in self._tokens:
            self._counts[found.kind] += 1
            self._tokens[key] = f"[{found.kind.name}-{self._counts[found.kind]}]"
        return self._tokens[key]


_NUMBERS = frozenset({PersonalKind.CPF, PersonalKind.PHONE, PersonalKind.DOCUMENT})


def _without_tokens(text: str) -> str:
    return TOKEN.sub(lambda match: f"({match[0][1:-1]})", text)
