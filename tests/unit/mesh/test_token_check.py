"""A token holds for one agent, for a while, by a known key, and for no more than its issuer may grant."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from mesh.errors import DomainError
from mesh.tokens import (
    LEEWAY_S,
    LONGEST_S,
    REMEMBERED,
    PublicKey,
    Scope,
    TokenCheck,
    claims_for,
    read_public_keys,
    subject_of,
)
from orchestrator.security.token_keys import KeyFolder
from tests.support.tokens import CARLOS_CPF, JOANA_CPF, key_id_of, make_keys, payload_of, raw_token, resigned, token_for

NOW = 1_800_000_000.0
ADVICE = "get another"


@dataclass
class Watch:
    """A clock that is set by hand."""

    at: float = NOW

    def __call__(self) -> float:
        return self.at


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFolder:
    return make_keys(tmp_path_factory.mktemp("home"))


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def verifier(keys: KeyFolder, watch: Watch) -> TokenCheck:
    return TokenCheck(read_public_keys(keys.public), "clinic_a", ADVICE, watch)


def good(keys: KeyFolder, issuer: str = "orchestrator", ttl_s: int = 60) -> str:
    return token_for(keys, issuer=issuer, now=NOW, ttl_s=ttl_s)


def refusal(verifier: TokenCheck, token: str | None) -> str:
    with pytest.raises(DomainError) as refused:
        verifier.verify(token)
    assert refused.value.reason == "UNAUTHENTICATED"
    assert refused.value.metadata == {"agent": "clinic_a"}
    assert ADVICE in refused.value.message
    assert token is None or len(token) < 8 or token not in refused.value.message
    assert refused.value.__cause__ is None
    return refused.value.message


def test_a_patients_token_reads_and_writes_for_one_person(keys: KeyFolder, verifier: TokenCheck) -> None:
    claims = verifier.verify(good(keys))
    assert (claims.issuer, claims.audience, claims.role) == ("orchestrator", "clinic_a", "patient")
    assert claims.scopes == {Scope.READ, Scope.WRITE}
    assert claims.expires_at - claims.issued_at == 60
    assert claims.covers(CARLOS_CPF)
    assert claims.covers("12345678900")
    assert not claims.covers(JOANA_CPF)
    assert not claims.covers("")


def test_an_operators_token_speaks_for_anybody(keys: KeyFolder, verifier: TokenCheck) -> None:
    claims = verifier.verify(good(keys, "operator"))
    assert (claims.role, claims.scopes) == ("operator", frozenset(Scope))
    assert claims.covers(JOANA_CPF)


def test_a_token_holds_no_cpf_and_no_two_have_one_subject(keys: KeyFolder) -> None:
    first, second = payload_of(good(keys)), payload_of(good(keys))
    assert first["sub"] != second["sub"]
    assert first["sub"] == hashlib.sha256(f"{first['salt']}12345678900".encode()).hexdigest()
    assert "12345678900" not in json.dumps(first)


def test_claims_do_not_show_whom_they_are_about() -> None:
    claims = claims_for(CARLOS_CPF, issuer="orchestrator", audience="clinic_a", now=NOW, ttl_s=60)
    assert claims.subject not in repr(claims)
    assert claims.salt not in repr(claims)


@pytest.mark.parametrize("ttl_s", [0, -1, LONGEST_S + 1])
def test_no_token_is_made_that_lives_too_long_or_not_at_all(ttl_s: int) -> None:
    with pytest.raises(ValueError, match=f"1 to {LONGEST_S} seconds"):
        claims_for(CARLOS_CPF, issuer="orchestrator", audience="clinic_a", now=NOW, ttl_s=ttl_s)


def test_a_call_without_a_token_is_told_what_to_do(verifier: TokenCheck) -> None:
    assert refusal(verifier, None) == f"this call brings no token; {ADVICE}"


@pytest.mark.parametrize("late_s", [0, 59, 60 + LEEWAY_S - 0.5])
def test_a_token_holds_until_it_expires_and_the_clocks_may_differ_a_little(
    keys: KeyFolder, verifier: TokenCheck, watch: Watch, late_s: float
) -> None:
    watch.at = NOW + late_s
    verifier.verify(good(keys))


def test_an_expired_token_is_refused_whether_it_was_seen_before_or_not(
    keys: KeyFolder, verifier: TokenCheck, watch: Watch
) -> None:
    seen, new = good(keys), good(keys)
    verifier.verify(seen)
    watch.at = NOW + 60 + LEEWAY_S
    assert "expired" in refusal(verifier, seen)
    assert "expired" in refusal(verifier, new)


def test_a_token_from_the_future_is_refused_beyond_the_difference_of_two_clocks(
    keys: KeyFolder, verifier: TokenCheck, watch: Watch
) -> None:
    token = good(keys)
    watch.at = NOW - LEEWAY_S
    verifier.verify(token)
    watch.at = NOW - LEEWAY_S - 1
    assert "does not hold yet" in refusal(verifier, token)


def test_a_token_for_another_agent_is_refused(keys: KeyFolder, verifier: TokenCheck) -> None:
    assert "another agent" in refusal(verifier, token_for(keys, audience="clinic_b", now=NOW))


def test_a_key_that_is_not_known_here_is_named_as_the_problem(
    keys: KeyFolder, verifier: TokenCheck, tmp_path: Path
) -> None:
    assert "a key that is not known here" in refusal(verifier, good(make_keys(tmp_path)))


def test_one_key_cannot_sign_under_the_name_of_another(keys: KeyFolder, verifier: TokenCheck) -> None:
    stranger = Ed25519PrivateKey.generate()
    known = key_id_of(keys.private_key("orchestrator"))
    forged = raw_token({"alg": "EdDSA", "kid": known}, payload_of(good(keys)), stranger)
    assert "not a token" in refusal(verifier, forged)


def test_the_orchestrators_key_makes_no_operator(keys: KeyFolder, verifier: TokenCheck) -> None:
    operator = good(keys, "operator")
    for changed in ({}, {"iss": "orchestrator"}, {"iss": "orchestrator", "role": "patient"}):
        assert "not a token" in refusal(verifier, resigned(keys, operator, "orchestrator", **changed))


def test_a_token_that_is_not_signed_is_none(keys: KeyFolder, verifier: TokenCheck) -> None:
    known = key_id_of(keys.private_key("orchestrator"))
    for algorithm in ("none", "None", "EdDSA"):
        token = raw_token({"alg": algorithm, "typ": "JWT", "kid": known}, payload_of(good(keys)), None)
        assert "not a token" in refusal(verifier, token)


@pytest.mark.parametrize("secret_of", [lambda key: key.raw, lambda key: key.raw.hex().encode()], ids=["raw", "hex"])
def test_the_public_key_is_no_secret_to_sign_with(
    keys: KeyFolder, verifier: TokenCheck, secret_of: Callable[[PublicKey], bytes]
) -> None:
    public = next(key for key in read_public_keys(keys.public) if key.issuer == "orchestrator")
    header = {"alg": "HS256", "typ": "JWT", "kid": public.fingerprint}
    signed = raw_token(header, payload_of(good(keys)), None).removesuffix(".")
    mac = hmac.digest(secret_of(public), signed.encode(), "sha256")
    token = f"{signed}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
    assert "not a token" in refusal(verifier, token)


WRONG: list[dict[str, Any]] = [
    *({name: None} for name in ("iss", "sub", "salt", "role", "scope", "iat", "exp")),
    {"aud": ["clinic_a"]},
    {"aud": ["clinic_a", "clinic_b"]},
    {"aud": None},
    {"iss": "operator"},
    {"iss": "somebody"},
    {"iss": ["orchestrator"]},
    {"sub": 7},
    {"sub": "12345678900"},
    {"sub": "A" * 64},
    {"salt": "00"},
    {"salt": "z" * 32},
    {"role": "operator"},
    {"role": "admin"},
    {"scope": "read write records"},
    {"scope": "records"},
    {"scope": "everything"},
    {"scope": ["read", "write"]},
    {"exp": str(int(NOW) + 60)},
    {"exp": NOW + 60.5},
    {"exp": True},
    {"exp": 10**400},
    {"exp": int(NOW) + LONGEST_S + 1},
    {"exp": int(NOW)},
    {"iat": float("nan")},
    {"iat": int(NOW) + 61},
    {"nbf": int(NOW) + 30},
    {"padding": "x" * 2048},
]


@pytest.mark.parametrize(
    "changed", WRONG, ids=lambda changed: "-".join(f"{k}={str(v)[:20]}" for k, v in changed.items())
)
def test_a_claim_that_is_missing_or_not_as_it_should_be_makes_no_token(
    keys: KeyFolder, verifier: TokenCheck, changed: dict[str, Any]
) -> None:
    verifier.verify(resigned(keys, good(keys)))
    refusal(verifier, resigned(keys, good(keys), **changed))


def test_fewer_scopes_than_the_issuer_may_grant_are_kept_to(keys: KeyFolder, verifier: TokenCheck) -> None:
    assert verifier.verify(resigned(keys, good(keys), scope="read")).scopes == {Scope.READ}
    assert verifier.verify(resigned(keys, good(keys), scope="")).scopes == frozenset()


GARBAGE = [
    "",
    " ",
    ".",
    "..",
    "...",
    "a.b.c",
    "Bearer",
    "é" * 40,
    "\x00" * 40,
    "x" * 100_000,
    raw_token({}, {}, None),
    raw_token({"alg": "EdDSA", "kid": ["x"]}, {}, None),
    raw_token({"alg": "EdDSA", "kid": None, "crit": ["b64"], "b64": False}, {}, None),
    f"{base64.urlsafe_b64encode(b'[' * 1400).decode()}.e30.",
]


@pytest.mark.parametrize("token", GARBAGE, ids=range(len(GARBAGE)))
def test_what_is_no_token_is_refused_like_any_other(verifier: TokenCheck, token: str) -> None:
    refusal(verifier, token)


def test_deeply_nested_claims_are_refused_and_break_nothing(keys: KeyFolder, verifier: TokenCheck) -> None:
    key = keys.private_key("orchestrator")
    header = json.dumps({"alg": "EdDSA", "kid": key_id_of(key)}).encode()
    for payload in (b"[" * 1200, b"[" * 600 + b"]" * 600, b'{"iss":' + b"[" * 1200):
        signed = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in (header, payload))
        signature = base64.urlsafe_b64encode(key.sign(signed)).rstrip(b"=")
        refusal(verifier, b".".join((signed, signature)).decode())


@given(place=st.integers(0, 2000), letter=st.characters())
def test_a_token_with_any_letter_changed_is_refused_or_still_says_the_same(
    keys: KeyFolder, place: int, letter: str
) -> None:
    verifier = TokenCheck(read_public_keys(keys.public), "clinic_a", ADVICE, Watch())
    token = good(keys)
    place %= len(token)
    changed = token[:place] + letter + token[place + 1 :]
    try:
        claims = verifier.verify(changed)
    except DomainError:
        refusal(verifier, changed)
    else:
        assert claims == verifier.verify(token)


def test_a_token_that_was_checked_is_remembered_and_only_so_many_are(
    keys: KeyFolder, verifier: TokenCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = good(keys)
    first = verifier.verify(token)
    assert verifier.verify(token) is first
    for _ in range(REMEMBERED):
        verifier.verify(good(keys))
    again = verifier.verify(token)
    assert again == first
    assert again is not first


def test_a_refused_token_is_not_remembered(keys: KeyFolder, verifier: TokenCheck, watch: Watch) -> None:
    early = token_for(keys, now=NOW + 100)
    refusal(verifier, early)
    watch.at = NOW + 100
    verifier.verify(early)


def test_a_subject_does_not_depend_on_how_a_cpf_is_written() -> None:
    assert subject_of("123.456.789-00", "ab" * 16) == subject_of("12345678900", "ab" * 16)
    assert subject_of("123.456.789-00", "ab" * 16) != subject_of("123.456.789-00", "cd" * 16)
