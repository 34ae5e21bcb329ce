"""Keys, tokens and certificates of the orchestrator."""

from mesh.tokens import CredentialError as CredentialError
from orchestrator.security.protection import Protection, TlsFolder
from orchestrator.security.token_keys import Credentials, KeyFolder, issuer_of
