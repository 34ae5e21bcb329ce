"""Keys, tokens and certificates of the orchestrator."""

from orchestrator.security.protection import Protection, ProtectionError, TlsFolder, UNPROTECTED, protect
from orchestrator.security.token_keys import CredentialError, Credentials, KeyFolder, issuer_of

__all__ = [
    "CredentialError",
    "Credentials",
    "KeyFolder",
    "Protection",
    "ProtectionError",
    "TlsFolder",
    "UNPROTECTED",
    "issuer_of",
    "protect",
]
