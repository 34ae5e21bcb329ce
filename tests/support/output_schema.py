"""What docs/output-schema.md and docs/plan.md promise, read from their tables, to hold real output against."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"

_TYPES: Mapping[str, type] = {"string": str, "integer": int, "array": list, "object": dict, "null": type(None)}


def fields(heading: str, document: str = "output-schema.md") -> Mapping[str, tuple[type, ...]]:
    """Return the types that are documented for each field, from the first table below a heading.

    Args:
        heading: The heading's beginning, with its #s.
        document: A file of docs/.
    """
    section = (DOCS / document).read_text("utf-8").split(f"\n{heading}", 1)[1]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^\n]+ \|$", section.split("\n#", 1)[0], re.MULTILINE)
    return {name: tuple(_TYPES[kind] for kind in kinds.strip().split(" or ")) for name, kinds in rows}


def assert_documented(value: Mapping[str, object], heading: str, document: str = "output-schema.md") -> None:
    """Assert that an object has the documented fields in the documented types, and no other field."""
    promised = fields(heading, document)
    assert list(value) == list(promised), f"{heading}: {set(value) ^ set(promised)}"
    for name, types in promised.items():
        assert type(value[name]) in types, f"{heading}: {name} is {type(value[name]).__name__}"
