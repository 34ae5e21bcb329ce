"""Read who speaks from a file, an open descriptor or the settings, never from an argument."""

from dataclasses import dataclass, field
from pathlib import Path

from mesh import private_file
from orchestrator.cli.exit_code import complain
from orchestrator.settings import Settings, variable
from orchestrator.turn import Identity, IdentityError

_LONGEST = 4096  # bytes of two lines, with room to spare: whatever an open descriptor leads to, no more is read


@dataclass(frozen=True, slots=True)
class Given:
    """Name and CPF as they were given; None for what was not."""

    name: str | None = field(repr=False)
    cpf: str | None = field(repr=False)
    source: str  # where they come from, for messages


def given_identity(settings: Settings, identity_file: Path | None = None, identity_fd: int | None = None) -> Given:
    """Return name and CPF from two lines of a file or descriptor (else raise IdentityError), or from the settings."""
    if identity_file is not None:
        return _from_file(identity_file)
    if identity_fd is not None:
        return _from_descriptor(identity_fd)
    return Given(settings.name, settings.cpf, f"{variable('name')} and {variable('cpf')}")


def identity_of(given: Given) -> Identity:
    """Return the identity that was given; raise IdentityError, which names the source, if it cannot be used."""
    if given.name is None or given.cpf is None:
        raise IdentityError(f"who is speaking? Set {given.source}, or give --identity-file or --identity-fd")
    try:
        return Identity.of(given.name, given.cpf)
    except IdentityError as error:
        raise IdentityError(f"{given.source}: {error}") from None


def _from_file(path: Path) -> Given:
    try:
        content = path.read_bytes()
        is_shared = private_file.is_shared(path)
    except OSError as error:
        raise IdentityError(f"{path}: cannot be read: {error.strerror}") from None
    if is_shared:
        complain(f"{path}: other users can read it; run chmod 600 on it")
    return _of_lines(content, str(path))


def _from_descriptor(number: int) -> Given:
    source = f"descriptor {number}"
    try:
        with open(number, "rb") as stream:  # which closes it: nothing that is started later may read it
            if stream.isatty():
                raise IdentityError(f"{source}: it is a terminal, which would show what is typed; give a file or pipe")
            content = stream.read(_LONGEST)
    except OSError as error:
        raise IdentityError(f"{source}: cannot be read: {error.strerror}") from None
    return _of_lines(content, source)


def _of_lines(content: bytes, source: str) -> Given:
    try:
        lines = [line.strip() for line in content.decode().splitlines() if line.strip()]
    except UnicodeDecodeError:
        raise IdentityError(f"{source}: cannot be read: it is not UTF-8 text") from None
    if len(lines) != 2:
        raise IdentityError(f"{source}: two lines are expected, the full name and the CPF")
    return Given(lines[0], lines[1], source)
