"""An OAuth issuer on a free port of this machine: its metadata, its keys, and the tokens that it signs."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

OIDC, OAUTH = "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"


class OauthIssuer:
    """What the issuer says, which a test may change; `asked` counts the requests for its keys."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.metadata = {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        self.described_at = OIDC
        self.redirects_to: str | None = None
        self.is_up = True
        self.asked = 0
        self._keys: dict[str, Any] = {}
        self._published: dict[str, dict[str, Any]] = {}
        self.rotate("first")

    def rotate(self, kid: str) -> None:
        """Sign with another pair of keys from now on, and publish these alone: one of RSA, one of a curve."""
        curve, rsa_key = ec.generate_private_key(ec.SECP256R1()), _rsa_key(kid)
        self._keys = {"ES256": curve, "RS256": rsa_key}
        named = {
            "ES256": ECAlgorithm.to_jwk(curve.public_key(), as_dict=True),
            "RS256": RSAAlgorithm.to_jwk(rsa_key.public_key(), as_dict=True),
        }
        self._published = {alg: {**jwk, "kid": f"{kid} {alg}"} for alg, jwk in named.items()}

    @property
    def jwks(self) -> dict[str, Any]:
        return {"keys": [*self._published.values(), {"kty": "oct", "k": "c2VjcmV0" * 8, "kid": "shared"}]}

    def kid(self, alg: str) -> str:
        return str(self._published[alg]["kid"])

    def public_pem(self, alg: str) -> bytes:
        public: bytes = self._keys[alg].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return public

    def claims(self, subject: str, audience: str, **changed: Any) -> dict[str, Any]:
        """What a token says; a claim that is changed to None is left out."""
        said = {
            "iss": self.url,
            "aud": audience,
            "sub": subject,
            "exp": int(time.time()) + 60,
            "scope": "openid read write",
            **changed,
        }
        return {name: value for name, value in said.items() if value is not None}

    def token(self, subject: str, audience: str, alg: str = "ES256", kid: str | None = None, **changed: Any) -> str:
        """Return a token that it signs with its key for `alg`."""
        headers = {"kid": self.kid(alg) if kid is None else kid}
        return jwt.encode(self.claims(subject, audience, **changed), self._keys[alg], algorithm=alg, headers=headers)


@cache
def _rsa_key(kid: str) -> rsa.RSAPrivateKey:
    """Return a key that all issuers of a run have by this name: looking for its primes takes long."""
    return rsa.generate_private_key(65537, 2048)


@contextmanager
def open_issuer() -> Iterator[OauthIssuer]:
    """Yield an issuer that serves, and stop it afterwards."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            issuer.asked += self.path == "/keys"
            pages = {issuer.described_at: issuer.metadata, "/keys": issuer.jwks}
            if issuer.redirects_to is not None and self.path == "/keys":
                self.send_response(302)
                self.send_header("Location", issuer.redirects_to)
                self.end_headers()
                return
            page = pages.get(self.path) if issuer.is_up else None
            body = json.dumps(page).encode()
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = OauthIssuer(http.server_port)
    thread = threading.Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield issuer
    finally:
        http.shutdown()
        thread.join()
        http.server_close()
