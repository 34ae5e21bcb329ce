"""Keys and tokens, good ones and those that somebody else would make."""

from __future__ import annotations

import atexit
import base64
import json
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from mesh.limits import OFF
from mesh.tokens import PublicKey, claims_for, sign
from orchestrator.security.token_keys import Credentials, KeyFolder, Protection

CARLOS_CPF = "123.456.789-00"
JOANA_CPF = "111.444.777-35"


def make_keys(folder: Path) -> KeyFolder:
    """Return a folder of fresh keys."""
    keys = KeyFolder(folder / "keys")
    keys.prepare()
    return keys


@cache
def any_protection() -> Protection:
    """Return what calls are protected with where keys are not the matter: keys of this process, and no limit."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Protection(make_keys(Path(folder.name)), rate=OFF)


def any_credentials() -> Credentials:
    """Return what signs who is calling where keys are not the matter; clinics that ask for no token do not look."""
    return Credentials(any_protection().keys)


def key_id_of(key: Ed25519PrivateKey) -> str:
    return PublicKey("", key.public_key().public_bytes_raw()).fingerprint


def token_for(
    keys: KeyFolder,
    cpf: str = CARLOS_CPF,
    issuer: str = "orchestrator",
    audience: str = "clinic_a",
    *,
    now: float | None = None,
    ttl_s: int = 60,
) -> str:
    """Return a token as the orchestrator makes it."""
    instant = time.time() if now is None else now
    claims = claims_for(cpf, issuer=issuer, audience=audience, now=instant, ttl_s=ttl_s)
    return sign(keys.private_key(issuer), claims)


def payload_of(token: str) -> dict[str, Any]:
    """Return what a token says, unchecked."""
    payload: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return payload


def resigned(keys: KeyFolder, token: str, issuer: str = "orchestrator", **changed: Any) -> str:
    """Return a token that says something else, properly signed; a claim that is changed to None is left out."""
    payload = {name: value for name, value in {**payload_of(token), **changed}.items() if value is not None}
    key = keys.private_key(issuer)
    return raw_token({"alg": "EdDSA", "typ": "JWT", "kid": key_id_of(key)}, payload, key)


def raw_token(header: Mapping[str, Any], payload: Any, key: Ed25519PrivateKey | None) -> str:
    """Return a token made by hand, which no library holds to anything; without a key its signature is empty."""
    signed = b".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (header, payload))
    signature = b"" if key is None else key.sign(signed)
    return (signed + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()
