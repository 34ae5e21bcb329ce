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
    people = _given_people(settings, identity_file, identity_fd)
    if len(people) != 1:
        raise IdentityError(f"{people[0].source}: two lines are expected, the full name and the CPF")
    return people[0]


def people_of(settings: Settings, identity_file: Path | None, identity_fd: int | None) -> list[Identity]:
    """Return those whom a file or descriptor names, two lines each, else who the settings say speaks."""
    return [identity_of(given) for given in _given_people(settings, identity_file, identity_fd)]


def identity_of(given: Given) -> Identity:
    """Return the identity that was given; raise IdentityError, which names the source, if it cannot be used."""
    if given.name is None or given.cpf is None:
        raise IdentityError(f"who is speaking? Set {given.source}, or give --identity-file or --identity-fd")
    try:
        return Identity.of(given.name, given.cpf)
    except IdentityError as error:
        raise IdentityError(f"{given.source}: {error}") from None


def _given_people(settings: Settings, identity_file: Path | None, identity_fd: int | None) -> list[Given]:
    if identity_file is not None:
        return _of_lines(_content_of(identity_file), str(identity_file))
    if identity_fd is not None:
        source = f"descriptor {identity_fd}"
        return _of_lines(_read(identity_fd, source), source)
    return [Given(settings.name, settings.cpf, f"{variable('name')} and {variable('cpf')}")]


def _content_of(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        is_shared = private_file.is_shared(path)
    except OSError as error:
        raise IdentityError(f"{path}: cannot be read: {error.strerror}") from None
    if is_shared:
        complain(f"{path}: other users can read it; run chmod 600 on it")
    return content


def _read(number: int, source: str) -> bytes:
    try:
        with open(number, "rb") as stream:  # which closes it: nothing that is started later may read it
            if stream.isatty():
                raise IdentityError(f"{source}: it is a terminal, which would show what is typed; give a file or pipe")
            return stream.read(_LONGEST)
    except OSError as error:
        raise IdentityError(f"{source}: cannot be read: {error.strerror}") from None


def _of_lines(content: bytes, source: str) -> list[Given]:
    try:
        lines = [line.strip() for line in content.decode().splitlines() if line.strip()]
    except UnicodeDecodeError:
        raise IdentityError(f"{source}: cannot be read: it is not UTF-8 text") from None
    if not lines or len(lines) % 2:
        raise IdentityError(f"{source}: two lines are expected, the full name and the CPF")
    return [Given(name, cpf, source) for name, cpf in zip(lines[::2], lines[1::2], strict=True)]
