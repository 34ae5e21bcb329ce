"""Who a memory belongs to: a keyed hash of the CPF. Without the key nobody can try all CPFs against the store."""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
from pathlib import Path

from mesh import private_file
from orchestrator.security import CredentialError, KeyFolder
from orchestrator.turn import Identity

_FILE = "memory.key"
_LENGTH = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class SubjectKey:
    """The key of a folder; read, or made, when the first person is to be known."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key: bytes | None = None

    def subject_of(self, identity: Identity) -> str:
        """Return the HMAC-SHA256 of the CPF's digits in hexadecimal; raise CredentialError without key or CPF."""
        digits = re.sub(r"\D", "", identity.cpf)
        if not digits:
            raise CredentialError("who speaks is not known")
        if self._key is None:
            self._key = _key_of(self._folder)
        return hmac.new(self._key, digits.encode(), "sha256").hexdigest()


def _key_of(folder: Path) -> bytes:
    path = folder / _FILE
    try:
        if not path.exists():
            # The folder comes with the other keys or not at all: one that is there is taken to be complete.
            KeyFolder(folder).prepare()
            _make(path)
        if path.stat().st_mode & _OTHERS:
            raise CredentialError(f"{path}: other users can use this key; run chmod 600 on it")
        key = path.read_bytes()
    except OSError as error:
        raise CredentialError(f"{path}: cannot be made or read ({error.strerror})") from None
    if len(key) != _LENGTH:
        raise CredentialError(f"{path}: not a key of {_LENGTH} bytes")
    return key


def _make(path: Path) -> None:
    # In one step, so that two processes that start at once read the same whole key.
    beside = path.with_name(f".{_FILE}-{secrets.token_hex(8)}")
    private_file.create(beside, secrets.token_bytes(_LENGTH))
    try:
        os.link(beside, path)
    except FileExistsError:
        pass  # the other process was first
    finally:
        beside.unlink()
