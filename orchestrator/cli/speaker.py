"""Read who speaks from a file, an open descriptor or the settings, never from an argument."""

from dataclasses import dataclass, field
from pathlib import Path

from mesh import private_file
from orchestrator.cli.exit_code import complain
from orchestrator.settings import Settings, variable
from orchestrator.turn import Identity, IdentityError

_LONGEST = 1 << 20  # bytes: whatever a file or an open descriptor leads to, no more is read


@dataclass(frozen=True, slots=True)
class Given:
    """Name and CPF as they were given; None for what was not."""

    name: str | None = field(repr=False)
    cpf: str | None = field(repr=False)
    source: str  # where they come from, for messages
    subject: str = field(default="", repr=False)  # by which an issuer of the gateway's tokens knows them


def given_identity(settings: Settings, identity_file: Path | None = None, identity_fd: int | None = None) -> Given:
    """Return name and CPF from two lines of a file or descriptor (else raise IdentityError), or from the settings."""
    people = _given_people(settings, identity_file, identity_fd)
    if len(people) != 1:
        raise IdentityError(f"{people[0].source}: two lines are expected, the full name and the CPF")
    return people[0]


def people_of(settings: Settings, identity_file: Path | None, identity_fd: int | None) -> dict[Identity, str]:
    """Return whom a file or descriptor names, two lines each, else who the settings say speaks, with their subjects."""
    people = _given_people(settings, identity_file, identity_fd)
    subjects = [given.subject for given in people if given.subject]
    if len(set(subjects)) < len(subjects):
        raise IdentityError(f"{people[0].source}: two people have the same subject")
    return {identity_of(given): given.subject for given in people}


def identity_of(given: Given) -> Identity:
    """Return the identity that was given; raise IdentityError, which names the source, if it cannot be used."""
    if given.name is None or given.cpf is None:
        raise IdentityError(f"who is speaking? Set {given.source}, or give --identity-file or --identity-fd")
    try:
        return Identity.of(given.name, given.cpf)
    except IdentityError as error:
        raise IdentityError(f"{given.source}: {error}") from None


def _given_people(settings: Settings, identity_file: Path | None, identity_fd: int | None) -> list[Given]:
    file = identity_fd if identity_file is None else identity_file
    if file is None:
        return [Given(settings.name, settings.cpf, f"{variable('name')} and {variable('cpf')}")]
    source = f"descriptor {file}" if isinstance(file, int) else str(file)
    try:
        # Closed, a descriptor is read by nothing that is started later.
        with open(file, "rb") as stream:  # noqa: PTH123 (a descriptor has no path)
            if stream.isatty():
                raise IdentityError(f"{source}: it is a terminal, which would show what is typed; give a file or pipe")
            if isinstance(file, Path) and private_file.is_shared(file):
                complain(f"{file}: other users can read it; run chmod 600 on it")
            lines = [line.strip() for line in stream.read(_LONGEST).decode().splitlines() if line.strip()]
    except OSError as error:
        raise IdentityError(f"{source}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise IdentityError(f"{source}: cannot be read: it is not UTF-8 text") from None
    if not lines or len(lines) % 2:
        raise IdentityError(f"{source}: two lines are expected, the full name and the CPF")
    numbers = (line.partition(" ") for line in lines[1::2])
    return [Given(name, cpf, source, rest.strip()) for name, (cpf, _, rest) in zip(lines[::2], numbers, strict=True)]
