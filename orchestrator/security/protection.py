"""How the clinics and the orchestrator prove themselves to each other: keys for tokens, and certificates for TLS."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mesh.tls import ClientTls, TlsNow, read_ca, read_certified_key
from orchestrator.security.token_keys import KeyFolder

CA = "ca.pem"
ORCHESTRATOR = "orchestrator"


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
