"""The keys and certificates of a run: the key folder, made at the first start, the tokens signed with it, and TLS.

`orchestrator.pem` signs for patients, `operator.pem` for operators; an administrator keeps the latter from others.
"""

import hmac
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mesh import private_file
from mesh.tls import ClientTls, TlsNow, read_ca, read_certified_key
from mesh.tokens import GRANTS, CredentialError, claims_for, new_salt, read_public_keys, sign
from orchestrator.turn import Identity, Role

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

TTL_S = 60  # seconds that a token of the orchestrator's own calls lives
_RENEWED_S = 15  # before its expiry a token is not used any more: a call and its repeats end before
CA = "ca.pem"
ORCHESTRATOR = "orchestrator"


@dataclass(frozen=True, slots=True)
class KeyFolder:
    """A folder of keys, 0700, its private ones 0600."""

    path: Path  # absolute

    @property
    def public(self) -> Path:
        """The folder of the public keys: all that a clinic is given."""
        return self.path / "public"

    @property
    def fingerprints(self) -> frozenset[str]:
        """The names of the public keys, none before the first start; raise CredentialError when they cannot be read."""
        keys = read_public_keys(self.public) if self.path.is_dir() else ()
        return frozenset(key.fingerprint for key in keys)

    def prepare(self) -> None:
        """Make the keys if the folder is not there, once among several starts; raise CredentialError on failure."""
        if self.path.is_dir():
            return
        prefix, parent = f".{self.path.name}-", self.path.parent
        try:
            private_file.make_folder(parent)
            with TemporaryDirectory(prefix=prefix, dir=parent, ignore_cleanup_errors=True) as folder:
                _make_keys(Path(folder))
                # A folder takes the place of none or of an empty one: the second one gets an error.
                Path(folder).rename(self.path)
        except OSError as error:
            if not self.path.is_dir():
                raise CredentialError(f"{self.path}: cannot be made ({error.strerror})") from error

    def check(self, issuer: str) -> Path:
        """Return an issuer's private key file; raise CredentialError if it is missing or others may read it."""
        path = self.path / f"{issuer}.pem"
        try:
            is_shared = private_file.is_shared(path)
        except OSError as error:
            problem = f"the key of the {issuer} cannot be read ({error.strerror})"
            advice = "ask an administrator of the clinics for it, or take another role"
            raise CredentialError(f"{path}: {problem}; {advice}") from None
        if is_shared:
            raise CredentialError(f"{path}: other users can use this key; run chmod 600 on it")
        return path

    def derived(self, issuer: str, purpose: str) -> bytes:
        """Return a secret for one purpose from an issuer's key; raise CredentialError without a private key."""
        return hmac.digest(self._read(issuer), f"clinic-mesh {purpose}".encode(), "sha256")

    def private_key(self, issuer: str) -> "Ed25519PrivateKey":
        """Return an issuer's private key; raise CredentialError when it is missing, not private or no such key."""
        from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - the first token pays, no start
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 - as above
        from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415 - as above

        pem = self._read(issuer)
        try:
            key = load_pem_private_key(pem, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise CredentialError(f"{self.path / issuer}.pem: not an Ed25519 private key in PEM form")
        return key

    def _read(self, issuer: str) -> bytes:
        path = self.check(issuer)
        try:
            return path.read_bytes()
        except OSError as error:
            raise CredentialError(f"{path}: cannot be read ({error.strerror})") from error


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


class Credentials:
    """Tokens for the calls of one run; `clock` is real time in seconds since 1970, never the appointments' clock."""

    def __init__(self, keys: KeyFolder, clock: Callable[[], float] = time.time) -> None:
        self._private_key = cache(keys.private_key)
        self._clock = clock
        self._lock = threading.Lock()
        self._signed: dict[tuple[Identity, Role, str], tuple[str, int]] = {}  # tokens, and when they expire
        self._salts: dict[tuple[Identity, str], str] = {}

    def token(self, identity: Identity, role: Role, clinic: str) -> str:
        """Return a clinic's token for at least `_RENEWED_S` seconds; raise CredentialError for a bad key."""
        with self._lock:
            now = self._clock()
            token, expires_at = self._signed.get((identity, role, clinic), ("", 0))
            # One that outlives a new one was signed before the clock was set back: at a clinic it does not hold yet.
            if not _RENEWED_S <= expires_at - now <= TTL_S:
                token, expires_at = self._sign(identity, role, clinic, now)
                self._signed = {at: one for at, one in self._signed.items() if one[1] > now}
                self._signed[identity, role, clinic] = token, expires_at
            return token

    def forget(self) -> None:
        """Forget everybody that a token was signed for; who speaks again has another subject."""
        with self._lock:
            self._signed = {}
            self._salts.clear()

    def _sign(self, identity: Identity, role: Role, clinic: str, now: float) -> tuple[str, int]:
        issuer = issuer_of(role)
        salt = self._salts.setdefault((identity, clinic), new_salt())
        claims = claims_for(identity.cpf, issuer=issuer, audience=clinic, now=now, ttl_s=TTL_S, salt=salt)
        return sign(self._private_key(issuer), claims), claims.expires_at


def issuer_of(role: Role) -> str:
    """Return whose key signs for a role."""
    return next(issuer for issuer, grant in GRANTS.items() if grant.role == role)


@dataclass(frozen=True, slots=True)
class TlsFolder:
    """A folder of certificates: ca.pem, and NAME.pem with NAME.key for each clinic and the orchestrator."""

    path: Path  # absolute
    is_mutual: bool = True  # clinics ask the orchestrator for its certificate too

    def client(self, pinned: Mapping[str, Path]) -> ClientTls:
        """Return the orchestrator's TLS settings; raise UsageError when a file cannot be used.

        `pinned` is the only certificate that is trusted at an address; a relative path is in this folder.
        """
        ca = read_ca(self.path / CA)
        trusted = {address: read_ca(self.path / certificate) for address, certificate in pinned.items()}
        pair = self.path / f"{ORCHESTRATOR}.pem", self.path / f"{ORCHESTRATOR}.key"
        return ClientTls(ca, read_certified_key(*pair) if self.is_mutual else None, trusted)


@dataclass(frozen=True, slots=True)
class Protection:
    """What a run protects its calls with."""

    keys: KeyFolder
    tls_folder: TlsFolder | None = None  # None speaks in the clear, on the loopback only
    client_tls: TlsNow = lambda: None  # what the orchestrator itself needs of them now
    rate: str | None = None  # as `python -m clinics --rate` takes it; None for the clinics' default

    def clinic_arguments(self, clinic: str) -> list[str]:
        """Return the arguments for `python -m clinics`: public keys, its own certificate, and its limit."""
        arguments = ["--keys", str(self.keys.public)]
        arguments += [] if self.rate is None else ["--rate", self.rate]
        if (tls := self.tls_folder) is not None:
            arguments += ["--tls-cert", str(tls.path / f"{clinic}.pem"), "--tls-key", str(tls.path / f"{clinic}.key")]
            arguments += ["--client-ca", str(tls.path / CA)] if tls.is_mutual else []
        return arguments
