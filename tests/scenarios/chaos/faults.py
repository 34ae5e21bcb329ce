"""What may befall a call between the orchestrator and a clinic, by name: on the way, and to its token."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import NoReturn

import grpc
from grpc_status import rpc_status

from mesh.caller import TOKEN_KEY
from mesh.errors import DomainError
from mesh.reasons import to_status
from mesh.tokens import LEEWAY_S
from orchestrator.security.token_keys import KeyFolder
from orchestrator.turn.step_actions import REASONS
from tests.support.relay import Fault, Passage
from tests.support.tokens import JOANA_CPF, key_id_of, payload_of, raw_token, resigned, token_for

_TTL_S = 60


def _fails(code: grpc.StatusCode, passage: Passage) -> bytes:
    passage.end(code)


def _answer_is_lost(code: grpc.StatusCode, passage: Passage) -> bytes:
    passage.forward()
    passage.end(code)


def _refuses(error: DomainError, passage: Passage) -> NoReturn:
    status = rpc_status.to_status(to_status(error, REASONS))
    passage.end(status.code, status.details, status.trailing_metadata)


def _of_a_later_contract(passage: Passage) -> bytes:
    status = to_status(DomainError("SLOT_UNAVAILABLE", "said in a way of its own"), REASONS)
    (packed,) = status.details
    packed.value = packed.value.replace(b"SLOT_UNAVAILABLE", b"TOO_MANY_COFFEES")
    sent = rpc_status.to_status(status)
    passage.end(sent.code, sent.details, sent.trailing_metadata)


def _garbled(passage: Passage) -> bytes:
    passage.forward()
    return b"\xff\xff\xff"


def _doubled(passage: Passage) -> bytes:
    passage.forward()
    return passage.forward()


def in_turn(*faults: Fault) -> Fault:
    """Return what lets one fault after the other befall a call."""
    following = iter(faults)

    def befall(passage: Passage) -> bytes:
        return next(following)(passage)

    return befall


ON_THE_WAY: Mapping[str, Fault] = {
    "never arrives": partial(_fails, grpc.StatusCode.UNAVAILABLE),
    "never arrives in time": partial(_fails, grpc.StatusCode.DEADLINE_EXCEEDED),
    "is turned away for its load": partial(_fails, grpc.StatusCode.RESOURCE_EXHAUSTED),
    "is turned away by a gateway": partial(_fails, grpc.StatusCode.PERMISSION_DENIED),
    "finds something else there": partial(_fails, grpc.StatusCode.UNIMPLEMENTED),
    "loses its answer": partial(_answer_is_lost, grpc.StatusCode.UNAVAILABLE),
    "is answered too late": partial(_answer_is_lost, grpc.StatusCode.DEADLINE_EXCEEDED),
    "breaks once it is done": partial(_answer_is_lost, grpc.StatusCode.INTERNAL),
    "is turned away once it is done": partial(_answer_is_lost, grpc.StatusCode.UNKNOWN),
    "is limited": partial(_refuses, DomainError("RATE_LIMITED", "too often")),
    "is refused in unknown words": _of_a_later_contract,
    "is answered with garbage": _garbled,
    "arrives twice": _doubled,
}

KEPT_FROM_CALLERS: Mapping[str, Fault] = {
    name: ON_THE_WAY[name] for name in ("loses its answer", "is answered too late", "breaks once it is done")
}
"""A write is made and its caller does not learn of it."""

Forgery = Callable[[KeyFolder, str], str]
"""Makes a token that must not hold, with the mesh's keys for a clinic."""


def _expired(keys: KeyFolder, clinic: str) -> str:
    return token_for(keys, audience=clinic, now=time.time() - _TTL_S - LEEWAY_S - 1)


def _early(keys: KeyFolder, clinic: str) -> str:
    return token_for(keys, audience=clinic, now=time.time() + LEEWAY_S + 30)


def _forged(keys: KeyFolder, clinic: str) -> str:
    header, payload, signature = token_for(keys, audience=clinic).split(".")
    return f"{header}.{payload}.{signature[:-8]}AAAAAAAA"


def _unsigned(keys: KeyFolder, clinic: str) -> str:
    header = {"alg": "none", "kid": key_id_of(keys.private_key("orchestrator"))}
    return raw_token(header, payload_of(token_for(keys, audience=clinic)), None)


def _of_another_key(keys: KeyFolder, clinic: str) -> str:
    header = {"alg": "EdDSA", "typ": "JWT", "kid": "0" * 16}
    return raw_token(header, payload_of(token_for(keys, audience=clinic)), keys.private_key("orchestrator"))


def _for_another_clinic(keys: KeyFolder, clinic: str) -> str:
    return token_for(keys, audience="clinic_b" if clinic == "clinic_a" else "clinic_a")


def _promoted(keys: KeyFolder, clinic: str) -> str:
    return resigned(keys, token_for(keys, audience=clinic), role="operator", scope="read write records")


def _of_another_person(keys: KeyFolder, clinic: str) -> str:
    return token_for(keys, JOANA_CPF, audience=clinic)


FORGERIES: Mapping[str, Forgery] = {
    "expired": _expired,
    "not yet valid": _early,
    "forged": _forged,
    "unsigned": _unsigned,
    "of another key": _of_another_key,
    "for another clinic": _for_another_clinic,
    "promoted": _promoted,
    "of another person": _of_another_person,
}


def with_token(token: str | None) -> Fault:
    """Return what passes calls on with another token, or with none."""

    def pass_on(passage: Passage) -> bytes:
        others = tuple(pair for pair in passage.metadata if pair[0] != TOKEN_KEY)
        return passage.forward(others if token is None else (*others, (TOKEN_KEY, f"Bearer {token}")))

    return pass_on
