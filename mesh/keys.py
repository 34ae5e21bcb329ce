"""The issuers of tokens: what each may grant, and the public key that checks its tokens (Ed25519, a PEM file each).

Keys are read without cryptography, which loads slowly: DER is twelve fixed bytes and the key (RFC 8410, section 4).
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

OPERATOR = "operator"  # the role of those who serve patients and keep agendas
_PEM = re.compile(r"\s*-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*")
_PREFIX = bytes.fromhex("302a300506032b6570032100")
_KEY_BYTES = 32

Scope = StrEnum("Scope", "READ WRITE RECORDS")  # what a token allows


@dataclass(frozen=True, slots=True)
class Grant:
    """What an issuer's tokens may say: on whose behalf they speak, and what they may allow at most."""

    role: str
    scopes: frozenset[Scope]


GRANTS: Mapping[str, Grant] = {
    "orchestrator": Grant("patient", frozenset({Scope.READ, Scope.WRITE})),
    "operator": Grant(OPERATOR, frozenset(Scope)),
}  # every issuer there is, by name: the name of its key's file and the `iss` of its tokens

_FILES = " and ".join(f"{issuer}.pem" for issuer in GRANTS)


class CredentialError(ValueError):
    """A key cannot be made or used; the message says which, why and what to do, and holds none of its content."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The 32 bytes of the public key of an issuer (a name of `GRANTS`)."""

    issuer: str
    raw: bytes

    @property
    def fingerprint(self) -> str:
        """The name of this key in the header of a token (`kid`): SHA-256 of its bytes, in hexadecimal."""
        return hashlib.sha256(self.raw).hexdigest()


def read_public_keys(folder: Path) -> tuple[PublicKey, ...]:
    """Return the keys of a folder, `<issuer>.pem` each, by fingerprint; CredentialError for none or a bad one."""
    paths = sorted(folder.glob("*.pem"))
    if not paths:
        advice = f"copy {_FILES} from keys/public of the orchestrator's data"
        raise CredentialError(f"{folder}: no public key is here; {advice}")
    return tuple(sorted(map(_read, paths), key=lambda key: key.fingerprint))


def _read(path: Path) -> PublicKey:
    if path.stem not in GRANTS:
        raise CredentialError(f"{path}: named after no issuer of tokens; {_FILES} are expected")
    try:
        pem = _PEM.fullmatch(path.read_text("ascii"))
        der = base64.b64decode("".join(pem[1].split()), validate=True) if pem else b""
    except OSError as error:
        raise CredentialError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError:
        der = b""
    if len(der) != len(_PREFIX) + _KEY_BYTES or not der.startswith(_PREFIX):
        raise CredentialError(f"{path}: not an Ed25519 public key in PEM form")
    return PublicKey(path.stem, der.removeprefix(_PREFIX))
