"""Keys, tokens and certificates of the orchestrator."""

from mesh.tokens import CredentialError as CredentialError
from orchestrator.security.token_keys import Credentials, KeyFolder, Protection, TlsFolder, issuer_of
