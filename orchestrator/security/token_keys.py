"""The key folder: what tokens are signed with, made at the first start, and the public parts for the clinics.

`orchestrator.pem` signs for patients, `operator.pem` for operators; an administrator keeps the latter from others.
"""

from __future__ import annotations

import hmac
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mesh import private_file
from mesh.keys import KeyFileError, read_public_keys
from mesh.token_scope import GRANTS

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class CredentialError(ValueError):
    """A key cannot be made or used; the message says which, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class KeyFolder:
    """A folder of keys, 0700, its private ones 0600."""

    path: Path  # absolute

    @property
    def public(self) -> Path:
        """The folder of the public keys: all that a clinic is told."""
        return self.path / "public"

    @property
    def fingerprints(self) -> frozenset[str]:
        """The names of the public keys, none before the first start; raise CredentialError when they cannot be read."""
        if not self.path.is_dir():
            return frozenset()
        try:
            return frozenset(key.fingerprint for key in read_public_keys(self.public))
        except KeyFileError as error:
            raise CredentialError(str(error)) from None

    def prepare(self) -> None:
        """Make the keys if the folder is not there, once among several starts; raise CredentialError on failure."""
        if self.path.is_dir():
            return
        try:
            private_file.make_folder(self.path.parent)
            beside = Path(tempfile.mkdtemp(prefix=f".{self.path.name}-", dir=self.path.parent))
        except OSError as error:
            raise CredentialError(f"{self.path}: cannot be made ({error.strerror})") from error
        try:
            _make_keys(beside)
            # A folder takes the place of none or of an empty one: whoever comes second is told so.
            beside.rename(self.path)
        except OSError as error:
            if not self.path.is_dir():
                raise CredentialError(f"{self.path}: cannot be made ({error.strerror})") from error
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def check(self, issuer: str) -> Path:
        """Return an issuer's private key file; raise CredentialError if it is missing or others may read it."""
        path = self.path / f"{issuer}.pem"
        try:
            mode = path.stat().st_mode
        except OSError as error:
            raise CredentialError(
                f"{path}: the key of the {issuer} cannot be read ({error.strerror}); "
                "ask an administrator of the clinics for it, or take another role"
            ) from None
        if mode & _OTHERS:
            raise CredentialError(f"{path}: other users can use this key; run chmod 600 on it")
        return path

    def derived(self, issuer: str, purpose: str) -> bytes:
        """Return a secret for one purpose from an issuer's key; raise CredentialError without a private key."""
        path = self.check(issuer)
        try:
            return hmac.digest(path.read_bytes(), f"clinic-mesh {purpose}".encode(), "sha256")
        except OSError as error:
            raise CredentialError(f"{path}: cannot be read ({error.strerror})") from error

    def private_key(self, issuer: str) -> Ed25519PrivateKey:
        """Return an issuer's private key; raise CredentialError when it is missing, not private or no such key."""
        from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - the first token pays, no start
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 - as above
        from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415 - as above

        path = self.check(issuer)
        try:
            key = load_pem_private_key(path.read_bytes(), password=None)
        except OSError as error:
            raise CredentialError(f"{path}: cannot be read ({error.strerror})") from error
        except (ValueError, TypeError, UnsupportedAlgorithm):
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise CredentialError(f"{path}: not an Ed25519 private key in PEM form")
        return key


def _make_keys(folder: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 - once in a life
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat  # noqa: PLC0415 - as above

    public = folder / "public"
    private_file.make_folder(public)
    for issuer in GRANTS:
        key = Ed25519PrivateKey.generate()
        private_pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        public_pem = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        private_file.create(folder / f"{issuer}.pem", private_pem)
        private_file.create(public / f"{issuer}.pem", public_pem)
