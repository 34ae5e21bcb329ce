"""Memories in a file, one a line of JSON: what `memory export` writes and `memory import` reads, strictly."""

import json
import re
from collections.abc import Iterable
from datetime import date, datetime
from functools import partial

from mesh.clock import ZONE
from mesh.strict_document import DocumentError, Item, members_once
from orchestrator.turn import Memory, MemoryKind, Source

LARGEST_FILE = 1024 * 1024  # bytes of a file: 200 memories of the longest fit

_FIELDS = ("id", "kind", "content", "created_at", "updated_at", "expires_on")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_INSTANT_EXPECTED = "an ISO 8601 instant with an offset is expected"


def written(memories: Iterable[Memory]) -> str:
    """Return memories as the lines of a file, what was said first first."""
    kept = [{name: getattr(one, name) for name in _FIELDS if getattr(one, name)} for one in memories]
    return "".join(
        f"{json.dumps(one, ensure_ascii=False, default=lambda day: day.isoformat())}\n" for one in reversed(kept)
    )


def read_memories(content: bytes) -> dict[int, Memory]:
    """Return the memories of a file by the number of their lines; raise DocumentError, which names the line."""
    lines = enumerate(content.split(b"\n"), 1)
    return {number: _memory(line, f"line {number}") for number, line in lines if line.strip()}


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
