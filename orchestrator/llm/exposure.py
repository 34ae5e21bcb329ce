"""What a model may see of the conversation and of what the clinics returned.

Fields marked `phi` or `injected` are hidden, unknown ones left out; other texts go through the session's pseudonyms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from mesh.arguments import Json, json_of
from mesh.catalogue import arguments_of
from mesh.errors import DomainError
from orchestrator import turn
from orchestrator.privacy import PersonalKind, PersonalText, Redactor, name_words, telling_words

HIDDEN = "[HIDDEN]"  # stands for a value that no model may see
NOT_SHOWN = "[not shown]"  # stands for a reply that no model may read
_MAX_CHARACTERS = 300  # of one text: the gist of a reply
_TOKENS_AROUND = 12  # an estimate for the names and brackets around a turn

PATIENT = "[PATIENT]"  # stands for the speaker's name
_KINDS = "|".join(PersonalKind.__members__)
TOKEN = re.compile(rf"\[(?:PATIENT|(?:{_KINDS})-[0-9]+)\]", re.IGNORECASE)  # known or not

_TOLD_BY_DIGITS = frozenset({PersonalKind.CPF, PersonalKind.PHONE, PersonalKind.DOCUMENT})


def exposed(answers: turn.Answers, pseudonyms: Pseudonyms) -> dict[str, Json]:
    """Return the utterance and the clinics' answers, as `{"user_query", "clinic_data": [...]}` (blueprint 2.3.3)."""
    entries: list[Json] = [_entry(result, pseudonyms) for result in answers.results]
    return {"user_query": pseudonyms.hide(answers.utterance), "clinic_data": entries}


def _entry(result: turn.StepResult, pseudonyms: Pseudonyms) -> Json:
    step, response = result.step, result.response
    told: dict[str, Json] = {"clinic": pseudonyms.hide(step.clinic), "action": pseudonyms.hide(step.action)}
    if response is None:
        return {**told, "result": None, "error": _error(result.error or turn.NOT_ATTEMPTED, pseudonyms)}
    is_known = step.action in turn.CATALOGUE and response.DESCRIPTOR is turn.CATALOGUE[step.action].method.output_type
    return {**told, "result": _message(response, pseudonyms) if is_known else HIDDEN, "error": None}


def _error(error: DomainError, pseudonyms: Pseudonyms) -> Json:
    # A node of a later contract may say what this one does not list.
    reason = turn.REASONS.get(error.reason, turn.REASONS["INTERNAL"])
    told: dict[str, Json] = {"code": reason.json_rpc_code, "message": pseudonyms.hide(error.message)}
    details: list[Json] = [
        _message(detail, pseudonyms) if isinstance(detail, turn.REFUSAL_DETAILS) else HIDDEN for detail in error.details
    ]
    return {**told, "data": {"details": details}} if details else told


def _message(message: Message, pseudonyms: Pseudonyms) -> Json:
    return _fields(json_of(message), cast("Descriptor", message.DESCRIPTOR), pseudonyms)


def _fields(values: Mapping[str, Json], kind: Descriptor, pseudonyms: Pseudonyms) -> Json:
    return {
        argument.name: HIDDEN
        if argument.options.phi or argument.options.injected
        else _value(values[argument.name], argument.field.message_type, pseudonyms)
        for argument in arguments_of(kind)
        if argument.name in values
    }


def _value(value: Json, kind: Descriptor | None, pseudonyms: Pseudonyms) -> Json:
    if isinstance(value, list):
        return [_value(one, kind, pseudonyms) for one in value]
    if isinstance(value, dict):
        return HIDDEN if kind is None else _fields(value, kind, pseudonyms)
    return pseudonyms.hide(value) if isinstance(value, str) else value


def recollect(session: turn.Session, pseudonyms: Pseudonyms, max_tokens: int) -> list[Json]:
    """Return the latest turns as `{"user", "assistant"}`, oldest first, within an estimate of `max_tokens`."""
    latest = (_shown(exchange, pseudonyms) for exchange in reversed(session.history))
    turns = [*turn.within_budget(latest, max_tokens, lambda one: sum(map(turn.estimated_tokens, one)) + _TOKENS_AROUND)]
    return [{"user": user, "assistant": assistant} for user, assistant in reversed(turns)]


def _shown(exchange: turn.Exchange, pseudonyms: Pseudonyms) -> tuple[str, str]:
    user = _cut(pseudonyms.hide(exchange.utterance))  # hidden first, cut then: half a number would not be known for one
    # What tables and cards hold is told apart from the history.
    shown = [one for one in exchange.blocks if not (one.private or isinstance(one, turn.Table))]
    reply = " ".join(one.title if isinstance(one, turn.Card) else one.text for one in shown)
    if not exchange.blocks:
        reply = "" if exchange.private else exchange.reply
    return user, _cut(pseudonyms.hide(reply)) if reply else NOT_SHOWN


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else text[: _MAX_CHARACTERS - 1] + "…"


class Pseudonyms:
    """The tokens of one session; made anew for each turn with `Pseudonyms.of`."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._tokens: dict[tuple[PersonalKind, str], str] = {}
        self._counts = dict.fromkeys(PersonalKind, 0)

    @classmethod
    def of(cls, session: turn.Session, clinics: Sequence[turn.Clinic]) -> Pseudonyms:
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
        return self._redactor.replaced(text, self._token, lambda rest: TOKEN.sub(lambda it: f"({it[0][1:-1]})", rest))

    def _token(self, found: PersonalText, text: str) -> str:
        if found.kind is PersonalKind.NAME:
            return PATIENT
        key = (found.kind, found.digits if found.kind in _TOLD_BY_DIGITS else " ".join(text.casefold().split()))
        if key not in self._tokens:
            self._counts[found.kind] += 1
            self._tokens[key] = f"[{found.kind.name}-{self._counts[found.kind]}]"
        return self._tokens[key]
