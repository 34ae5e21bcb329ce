"""docs/blueprint.md names what exists: each file, each name in it, each test, and each number that the code cites."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "blueprint.md"
PRODUCT = ("mesh", "clinics", "orchestrator")
COLUMNS = 5
CITED = re.compile(r"blueprint(?:'s)?,? (?:sections? )?(\d(?:\.\d+)*)", re.IGNORECASE)


def rows() -> Iterator[tuple[str, list[str]]]:
    """Yield the document and the cells of each requirement."""
    document = ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            document = line[3:6]
        elif line.startswith("| ") and not line.startswith("| number"):
            yield document, [cell.strip() for cell in line.strip("|").split("|")]


@cache
def names_of(path: Path) -> frozenset[str]:
    """Return the names that a module defines, those of methods behind their class."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        match node:
            case ast.ClassDef():
                found |= {node.name, *(f"{node.name}.{one.name}" for one in node.body if hasattr(one, "name"))}
            case ast.FunctionDef():
                found.add(node.name)
            case _:
                pass
    return frozenset(found)


def places(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def missing(place: str) -> str | None:
    """Return what a place names that does not exist."""
    path, _, name = place.replace("::", ":").partition(":")
    if not (ROOT / path).is_file():
        return path
    return place if name and name not in names_of(ROOT / path) else None


def test_each_requirement_names_its_place_and_a_test_that_shows_it() -> None:
    for document, cells in rows():
        assert len(cells) in {COLUMNS, COLUMNS - 1}, cells
        _number, requirement, where, shown = cells[:4]
        assert requirement.endswith("."), (document, cells)
        assert places(where), (document, cells)
        assert all(place.startswith("tests/") for place in places(shown)), (document, cells)
        assert places(shown), (document, cells)


@pytest.mark.parametrize("document", ["000", "001", "002", "003", "004"])
def test_each_place_that_is_named_exists(document: str) -> None:
    named = [place for of, cells in rows() if of == document for cell in cells[2:4] for place in places(cell)]
    assert named
    assert [place for place in named if missing(place)] == []


def test_no_number_of_a_document_is_there_twice() -> None:
    numbers = [(document, cells[0]) for document, cells in rows()]
    assert len(numbers) == len(set(numbers))


def test_each_number_of_the_blueprint_that_the_code_cites_is_there() -> None:
    known = {cells[0].split()[0].rstrip(",") for document, cells in rows() if document == "000"}
    cited = {
        number
        for folder in PRODUCT
        for path in (ROOT / folder).rglob("*.py")
        for number in CITED.findall(path.read_text("utf-8"))
    }
    assert cited
    assert {
        number for number in cited if not any(one == number or one.startswith(f"{number}.") for one in known)
    } == set()
