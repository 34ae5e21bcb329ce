"""Faults that keep a clinic from starting, said in one line to the person who started it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mesh.errors import UsageError
from mesh.strict_document import DocumentError, Item, read_json


class StartupError(UsageError):
    """A clinic cannot start; the message says what is wrong and what to do. `usage` blames the command line."""

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage


@contextmanager
def usable(what: Path, fault: str, advice: str) -> Iterator[None]:
    """Make a fault of the file system in the block a StartupError that says what is wrong, why, and what to do."""
    try:
        yield
    except OSError as error:
        raise StartupError(f"{what}: {fault} ({error.strerror}). {advice}") from error


@contextmanager
def reading(path: Path, advice: str) -> Iterator[Item]:
    """Yield the root of a JSON file; its faults become a StartupError that ends with `advice`."""
    try:
        yield read_json(path)
    except DocumentError as error:
        raise StartupError(f"{path}: {error}. {advice}") from error
