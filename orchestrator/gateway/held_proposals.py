"""Writes that wait for the person's yes in a terminal: sealed files, each made once within a quarter of an hour."""

import base64
import json
import re
import secrets
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from mesh import private_file
from mesh.arguments import Json
from orchestrator.security import KeyFolder, issuer_of
from orchestrator.turn import Identity, Role

LIFE_S = 900  # seconds that a proposal waits

_is_id = re.compile(r"[0-9a-f]{12}").fullmatch


class ProposalError(ValueError):
    """There is no such proposal of this person, or it is over."""


@dataclass(frozen=True, slots=True)
class HeldProposal:
    """One write of one person."""

    tool: str  # as the gateway names it
    agent: str  # id
    arguments: Mapping[str, Json]  # as the client gave them
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))


class ProposalFolder:
    """The proposals of all people, in a folder for their owner alone."""

    def __init__(self, folder: Path, keys: KeyFolder, role: Role, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock
        self._secret = keys.derived(issuer_of(role), "proposals of the gateway")

    def keep(self, proposal: HeldProposal, identity: Identity) -> str:
        """Seal a proposal for a person and return its id."""
        private_file.make_folder(self._folder)
        for path in self._folder.glob("*"):
            if self._clock() - path.stat().st_mtime > LIFE_S:
                path.unlink(missing_ok=True)
        proposal_id = secrets.token_hex(6)
        sealed = self._seal_of(identity).encrypt_at_time(json.dumps(asdict(proposal)).encode(), int(self._clock()))
        private_file.create(self._folder / proposal_id, sealed)
        return proposal_id

    def look(self, proposal_id: str, identity: Identity) -> HeldProposal:
        """Return a person's proposal, which stays; raise ProposalError."""
        try:
            sealed = (self._folder / proposal_id).read_bytes() if _is_id(proposal_id) else b""
            opened = self._seal_of(identity).decrypt_at_time(sealed, LIFE_S, int(self._clock()))
            return HeldProposal(**json.loads(opened))
        except (OSError, InvalidToken):
            raise ProposalError from None

    def take(self, proposal_id: str, identity: Identity) -> HeldProposal:
        """Return a person's proposal, which nobody can take again; raise ProposalError."""
        proposal = self.look(proposal_id, identity)
        try:
            (self._folder / proposal_id).unlink()
        except OSError:
            raise ProposalError from None  # it was made a moment ago
        return proposal

    def _seal_of(self, identity: Identity) -> Fernet:
        # Another person has another key: a proposal opens for nobody else.
        return Fernet(base64.urlsafe_b64encode(bytes.fromhex(identity.digest(self._secret))))
