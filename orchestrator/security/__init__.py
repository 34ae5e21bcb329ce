"""Keys, tokens and certificates of the orchestrator."""

from orchestrator.security.credentials import Credentials, issuer_of
from orchestrator.security.protection import UNPROTECTED, Protection, ProtectionError, TlsFolder, protect
from orchestrator.security.token_keys import CredentialError, KeyFolder

__all__ = [
    "UNPROTECTED",
    "CredentialError",
    "Credentials",
    "KeyFolder",
    "Protection",
    "ProtectionError",
    "TlsFolder",
    "issuer_of",
    "protect",
]
