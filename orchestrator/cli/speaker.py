"""Who speaks when nobody is there to ask: from a file or from the settings, never from an argument.

Questions at a terminal are `orchestrator.terminal.questions`.
"""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.identity import Identity, IdentityError
from orchestrator.settings import Settings, variable

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Given:
    """Name and CPF as they were given; None for what was not.

    Attributes:
        name: The name as given.
        cpf: The CPF as given.
        source: Where they come from, for messages.
        warning: What the person should know about the source; empty when nothing.
    """

    name: str | None = field(repr=False)
    cpf: str | None = field(repr=False)
    source: str
    warning: str = ""


def given_identity(settings: Settings, identity_file: Path | None) -> Given:
    """Return what was given: of the file if there is one, else of the settings.

    Args:
        settings: Name and CPF from the environment or .env.
        identity_file: A file of two lines, the full name and the CPF.

    Raises:
        IdentityError: The file cannot be read or has not two lines.
    """
    if identity_file is not None:
        return _from_file(identity_file)
    return Given(settings.name, settings.cpf, f"{variable('name')} and {variable('cpf')}")


def identity_of(given: Given) -> Identity:
    """Return the identity that was given.

    Raises:
        IdentityError: Name or CPF is missing or cannot be used; the message names the source.
    """
    if given.name is None or given.cpf is None:
        raise IdentityError(f"who is speaking? Set {given.source}, or give --identity-file")
    try:
        return Identity.of(given.name, given.cpf)
    except IdentityError as error:
        raise IdentityError(f"{given.source}: {error}") from None


def _from_file(path: Path) -> Given:
    try:
        text = path.read_text("utf-8")
        shared = path.stat().st_mode & _OTHERS
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise IdentityError(f"{path}: cannot be read: {reason}") from None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) != 2:
        raise IdentityError(f"{path}: two lines are expected, the full name and the CPF")
    warning = f"{path}: other users can read it; run chmod 600 on it" if shared else ""
    return Given(lines[0], lines[1], str(path), warning)
