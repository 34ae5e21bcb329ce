"""Write what is remembered of a person to a file or take it from one (`memory`), a memory a line of JSON, strictly."""

import json
import re
import sys
from collections.abc import Iterable
from datetime import date, datetime
from functools import partial
from pathlib import Path

from mesh import private_file
from mesh.clock import ZONE
from mesh.strict_document import DocumentError, Item, members_once
from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.converse import prepare_folders
from orchestrator.cli.exit_code import ExitCode, complain
from orchestrator.cli.speaker import given_identity, identity_of
from orchestrator.composition import LazyMemory
from orchestrator.memory import StoreError
from orchestrator.settings import Settings, SettingsError
from orchestrator.turn import Memory, MemoryKind, Source

_LARGEST = 1024 * 1024  # bytes of a file: 200 memories of the longest fit

_FIELDS = ("id", "kind", "content", "created_at", "updated_at", "expires_on")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_INSTANT_EXPECTED = "an ISO 8601 instant with an offset is expected"


def run(arguments: Arguments, settings: Settings, _: Registry) -> ExitCode:
    """Run the command and return its exit code."""
    prepare_folders(settings)
    speaker = identity_of(given_identity(settings, arguments.identity_file, arguments.identity_fd))
    path = arguments.file
    if not settings.memory or (path is None and arguments.action == "import"):
        raise SettingsError("memory import: FILE is required" if settings.memory else "the memory is off")
    with LazyMemory(settings, settings.role) as memory:
        try:
            if arguments.action == "import" and path is not None:
                lines = enumerate(_content_of(path).split(b"\n"), 1)
                given = {number: _memory(line, f"line {number}") for number, line in lines if line.strip()}
                added = memory.handler.take(speaker, given)
                complain(f"{path}: {added} noted, {len(given) - added} known already or over")
            else:
                text = _written(memory.handler.memories(speaker))
                sys.stdout.write(text) if path is None else private_file.create(path, text.encode())
        except (OSError, DocumentError, StoreError) as error:
            fault = error.strerror if isinstance(error, OSError) else error
            raise SettingsError(f"{path or 'memory'}: {fault}; nothing was noted or written") from None
    return ExitCode.OK


def _content_of(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise DocumentError(f"it is larger than {_LARGEST} bytes")
    if private_file.is_shared(path):
        complain(f"{path}: other users can read it; run chmod 600 on it")
    return content


def _written(memories: Iterable[Memory]) -> str:
    kept = [{name: getattr(one, name) for name in _FIELDS if getattr(one, name)} for one in memories]
    lines = (json.dumps(one, ensure_ascii=False, default=lambda day: day.isoformat()) for one in reversed(kept))
    return "".join(f"{line}\n" for line in lines)


def _memory(line: bytes, place: str) -> Memory:
    try:
        item = Item(json.loads(line.decode(), object_pairs_hook=members_once), place)
    except (ValueError, RecursionError):
        raise DocumentError(f"{place}: an object of JSON is expected, with each name once") from None
    return item.read(
        partial(Memory, source=Source.IMPORT, conversation=""),
        {"expires_on": lambda item: date.fromisoformat(item.date())},
        id=lambda item: item.text(_ID, "a UUID in small letters is expected"),
        kind=lambda item: item.choice(MemoryKind),
        content=Item.text,
        created_at=_instant,
        updated_at=_instant,
    )


def _instant(item: Item) -> datetime:
    text = item.text(_INSTANT, _INSTANT_EXPECTED)
    try:
        return datetime.fromisoformat(text).astimezone(ZONE)
    except (ValueError, OverflowError):
        item.fail(_INSTANT_EXPECTED)
