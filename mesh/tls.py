"""TLS of a node: its own certificate, and the CA that it trusts; without TLS a node speaks on the loopback only.

Files are checked at the start (UsageError): gRPC reports a wrong key only when the first connection fails. They are
read again while the node runs, as are the keys that check tokens (`Renewed`).
"""

import ipaddress
import logging
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from mesh.errors import UsageError

_LOOK_S = 1.0  # between two looks at the files of keys and certificates, which are renewed while a node runs

_Value = TypeVar("_Value")
_log = logging.getLogger(__name__)


class Renewed(Generic[_Value]):
    """What `read` returns, read again once a second while anybody asks for it. Safe for threads.

    The object stays the same until what it holds has changed. A `read` that fails later with ValueError is logged, and
    changes nothing: files may be replaced one after another.
    """

    def __init__(self, read: Callable[[], _Value]) -> None:
        self._read = read
        self._value = read()
        self._due = time.monotonic() + _LOOK_S

    def __call__(self) -> _Value:
        """Return what the files hold, or held a second ago."""
        if (now := time.monotonic()) >= self._due:
            self._due = now + _LOOK_S
            try:
                if (value := self._read()) != self._value:
                    self._value = value
            except ValueError as error:
                _log.error("%s; what was read before still holds", error)
        return self._value


class UnprotectedAddressError(UsageError):
    """An address that other machines can reach was to be used without TLS."""


@dataclass(frozen=True, slots=True)
class CertifiedKey:
    """A private key and the certificate chain of its public part, in PEM form."""

    certificate: bytes
    key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServerTls:
    """A server's own certificate, and the CA that its callers' certificates must come from; None asks for none."""

    own: CertifiedKey
    client_ca: bytes | None = None


@dataclass(frozen=True, slots=True)
class ClientTls:
    """The CA that servers' certificates must come from, and the client's own certificate, if servers ask for one."""

    ca: bytes
    own: CertifiedKey | None = None
    # By "host:port", the certificate that is trusted there in place of the CA.
    pinned: Mapping[str, bytes] = field(default_factory=dict, hash=False)


TlsNow = Callable[[], ClientTls | None]  # return a client's TLS as its files hold it now; None for none


def is_loopback(address: str) -> bool:
    """Return whether "host:port" stays on this machine: an address of its loopback, or the name localhost."""
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_server_tls(certificate: Path, key: Path, client_ca: Path | None) -> Renewed[ServerTls]:
    """Return a server's certificate and the CA of its callers as their files hold them; raise UsageError."""
    return Renewed(
        lambda: ServerTls(read_certified_key(certificate, key), None if client_ca is None else read_ca(client_ca))
    )


def read_certified_key(certificate: Path, key: Path) -> CertifiedKey:
    """Return a certificate with its private key, or raise UsageError."""
    pair = CertifiedKey(_read(certificate), _read(key))
    try:
        # Without any password an encrypted key would ask for one at the terminal.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, ValueError, OSError):
        raise UsageError(f"{certificate} and {key}: not a certificate in PEM form and its own private key") from None
    return pair


def read_ca(path: Path) -> bytes:
    """Return the certificates of a CA, in PEM form, or raise UsageError."""
    pem = _read(path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=pem.decode("ascii"))
    except (ssl.SSLError, ValueError):
        raise UsageError(f"{path}: not a certificate in PEM form") from None
    return pem


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
