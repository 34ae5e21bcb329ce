"""The gateway over real HTTP with the tokens of an OAuth issuer of one's own, which serves over real HTTP as well."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client

from orchestrator.gateway.mcp_http import HttpAddress, OwnIssuer
from orchestrator.security.token_keys import KeyFolder
from orchestrator.settings import SettingsError
from tests.support.clinics import Clinics
from tests.support.mcp_gateway import ERAS, JOANA, MODERN, TOLD, Gateway, Host, talk_http
from tests.support.oauth_issuer import OAUTH, OauthIssuer, open_issuer
from tests.support.talk import CARLOS
from tests.support.tokens import raw_token, token_for

SUBJECT = "auth0|5f7c8ec7c33c6c004bbafe82"
BOOKING = {"clinic": "clinic_c", "doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPT = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


@dataclass
class Clock:
    """Seconds that go forward when a test says so."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Served:
    """A gateway that takes the tokens of an issuer, for Carlos by his subject and for Joana by our own alone."""

    address: HttpAddress
    issuer: OauthIssuer
    clock: Clock

    def status(self, token: str) -> int:
        """What the gateway answers to a listing with a token."""
        headers = {**ACCEPT, "Authorization": f"Bearer {token}"}
        return httpx2.post(self.address.url, json=LIST, headers=headers, timeout=30).status_code

    def token(self, subject: str = SUBJECT, **changed: Any) -> str:
        return self.issuer.token(subject, **{"audience": self.address.url, **changed})


@pytest.fixture
def issuer() -> Iterator[OauthIssuer]:
    with open_issuer() as opened:
        yield opened


@pytest.fixture
def served(gateway: Gateway, issuer: OauthIssuer, caplog: pytest.LogCaptureFixture) -> Iterator[Served]:
    clock = Clock()
    own = OwnIssuer(issuer.url, None, clock)
    with gateway.over_http([CARLOS, JOANA], own, {CARLOS: SUBJECT}) as address:
        yield Served(address, issuer, clock)
    assert not [text for text in (*TOLD, SUBJECT) if text in caplog.text]


@pytest.mark.long(but=1)
@pytest.mark.parametrize("era", ERAS)
def test_a_token_of_the_issuer_speaks_for_the_person_of_its_subject(served: Served, clinics: Clinics, era: str) -> None:
    async def talk(client: Client) -> Any:
        await client.list_tools()
        return (await client.call_tool("book_appointment", BOOKING)).structured_content

    booked = talk_http(served.address.url, served.token(), era, Host(), talk)
    assert booked["status"] == ("done" if era == MODERN else "proposed")
    assert {cpf for *_, cpf in clinics.taken()} == ({CARLOS.cpf} if era == MODERN else set())


def test_the_metadata_of_the_gateway_name_the_issuer_and_the_scopes(served: Served) -> None:
    described = f"http://{served.address.host}/.well-known/oauth-protected-resource/mcp"
    metadata = httpx2.get(described).json()
    assert metadata["authorization_servers"] == [served.issuer.url]
    assert (metadata["resource"], metadata["scopes_supported"]) == (served.address.url, ["read", "write"])


def test_tokens_of_the_gateways_own_keys_hold_besides(served: Served, keys: KeyFolder) -> None:
    assert served.status(token_for(keys, JOANA.cpf, audience=served.address.url)) == 200
    assert served.status(served.token(alg="RS256")) == 200
    assert served.status(served.token(audience=["https://other.example", served.address.url])) == 200


def test_a_token_that_lacks_anything_is_refused(served: Served) -> None:
    bad: list[dict[str, Any]] = [
        {"iss": "https://evil.example"},
        {"iss": f"{served.issuer.url}/"},
        {"iss": None},
        {"audience": "https://other.example/mcp"},
        {"audience": "clinic_c"},
        {"aud": None},
        {"exp": int(time.time()) - 60},
        {"exp": None},
        {"nbf": int(time.time()) + 600},
        {"sub": None},
        {"sub": "auth0|somebody-else"},
        {"sub": ""},
        {"sub": JOANA.cpf},
        {"kid": "unknown"},
        {"kid": "shared"},
    ]
    scopes: list[Any] = [None, "openid records", "read", "write", ["read", "write"]]
    assert [changed for changed in bad if served.status(served.token(**changed)) != 401] == []
    assert [scope for scope in scopes if served.status(served.token(scope=scope)) != 403] == []
    assert served.status(served.token()) == 200


def test_a_token_cannot_make_an_operator(served: Served) -> None:
    headers = {**ACCEPT, "Authorization": f"Bearer {served.token(role='operator', scope='read write records')}"}
    listed = httpx2.post(served.address.url, json=LIST, headers=headers, timeout=30).text
    assert '"book_appointment"' in listed
    assert '"list_patients"' not in listed


def signed_with_hmac(issuer: OauthIssuer, alg: str, kid: str, claims: dict[str, Any], secret: bytes) -> str:
    unsigned = raw_token({"alg": alg, "typ": "JWT", "kid": kid}, claims, None).rpartition(".")[0]
    signature = hmac.new(secret, unsigned.encode(), hashlib.sha256).digest()
    return f"{unsigned}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


@pytest.mark.long(but=1)
@pytest.mark.parametrize("signs", ["ES256", "RS256"])
def test_the_key_says_which_algorithm_it_is_for(served: Served, signs: str) -> None:
    issuer, claims = served.issuer, served.issuer.claims(SUBJECT, served.address.url)
    kid, pem = issuer.kid(signs), issuer.public_pem(signs)
    jwk = json.dumps(issuer.jwks["keys"][0]).encode()
    forged = [
        *(raw_token({"alg": alg, "typ": "JWT", "kid": kid}, claims, None) for alg in ("none", "None", "", signs)),
        *(signed_with_hmac(issuer, alg, kid, claims, key) for alg in ("HS256", signs) for key in (pem, jwk, b"")),
        signed_with_hmac(issuer, "HS256", "shared", claims, b"secret" * 8),
        issuer.token(SUBJECT, served.address.url, "RS256", issuer.kid("ES256")),
        raw_token({"alg": signs, "jwk": issuer.jwks["keys"][0], "jku": f"{issuer.url}/keys"}, claims, None),
    ]
    assert [served.status(token) for token in forged] == [401] * len(forged)
    assert served.status(served.token(alg=signs)) == 200


def test_a_new_key_is_read_when_a_token_names_it_and_not_again_at_once(served: Served) -> None:
    old = served.token()
    served.issuer.rotate("second")
    new = served.token()
    assert served.status(new) == 401  # half a minute has not passed since the keys were read
    served.clock.now += 30
    asked = served.issuer.asked
    assert (served.status(new), served.status(old)) == (200, 401)
    assert [served.status(served.token(kid=f"none {number}")) for number in range(20)] == [401] * 20
    assert served.issuer.asked == asked + 1


def test_a_key_that_the_issuer_gave_up_ends_within_five_minutes(served: Served) -> None:
    old = served.token()
    served.issuer.rotate("second")
    served.clock.now += 299
    assert served.status(old) == 200
    served.clock.now += 1
    assert served.status(old) == 401


def test_while_the_issuer_does_not_answer_its_keys_end_and_our_own_tokens_hold(served: Served, keys: KeyFolder) -> None:
    token = served.token()
    served.issuer.is_up = False
    served.clock.now += 299
    assert (served.status(served.token(kid="unknown")), served.status(token)) == (401, 200)
    served.clock.now += 30
    assert served.status(token) == 401
    assert served.status(token_for(keys, JOANA.cpf, audience=served.address.url)) == 200
    served.issuer.is_up = True
    assert served.status(token) == 401  # not asked again at once
    served.clock.now += 30
    assert served.status(token) == 200


def test_keys_are_read_from_a_file_and_again_when_it_changes(issuer: OauthIssuer, tmp_path: Path) -> None:
    file, clock = tmp_path / "jwks.json", Clock()
    file.write_text(json.dumps(issuer.jwks))
    own = OwnIssuer(issuer.url, file, clock)
    issuer.rotate("second")
    file.write_text(json.dumps(issuer.jwks))
    clock.now += 30
    claims = own.claims(issuer.token(SUBJECT, "here"), "here")
    assert claims is not None
    assert (claims.subject, claims.role, sorted(claims.scopes)) == (SUBJECT, "patient", ["read", "write"])
    assert issuer.asked == 0


def test_metadata_may_be_those_of_oauth_alone(issuer: OauthIssuer) -> None:
    issuer.described_at = OAUTH
    assert OwnIssuer(issuer.url, None).claims(issuer.token(SUBJECT, "here"), "here") is not None


@pytest.mark.long(but=2)
@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example"},
        {"jwks_uri": "http://0.0.0.0:{port}/keys"},  # leads here too, and its name does not say so
        {"jwks_uri": "http://127.0.0.1:80@0.0.0.0:{port}/keys"},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": ""},
        {"jwks_uri": "http://127.0.0.1:1/keys"},
        {"jwks_uri": None},
    ],
    ids=str,
)
def test_an_issuer_whose_keys_cannot_be_trusted_or_read_is_refused_at_the_start(
    issuer: OauthIssuer, metadata: dict[str, Any]
) -> None:
    port = issuer.url.rpartition(":")[2]
    issuer.metadata.update({name: text and text.replace("{port}", port) for name, text in metadata.items()})
    with pytest.raises(SettingsError):
        OwnIssuer(issuer.url, None)


def test_an_issuer_is_not_followed_elsewhere(issuer: OauthIssuer) -> None:
    issuer.redirects_to = f"{issuer.url}/keys?again"
    with pytest.raises(SettingsError):
        OwnIssuer(issuer.url, None)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"keys": []}', '{"keys": 1}', '{"keys": [1]}', "\x00"])
def test_a_file_without_keys_is_refused_at_the_start(tmp_path: Path, content: str) -> None:
    (tmp_path / "jwks.json").write_text(content)
    for file in ("jwks.json", "nothing.json"):
        with pytest.raises(SettingsError, match=file):
            OwnIssuer("https://login.example.com", tmp_path / file)


def test_an_issuer_beyond_this_machine_is_asked_over_https_alone() -> None:
    with pytest.raises(SettingsError, match="https"):
        OwnIssuer("http://192.0.2.7", None)
