"""Keys, tokens and certificates of the orchestrator."""

from orchestrator.security.protection import UNPROTECTED, Protection, TlsFolder
from orchestrator.security.token_keys import CredentialError, Credentials, KeyFolder, issuer_of
