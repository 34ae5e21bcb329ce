"""db.json as anybody might leave it behind: a file is read for what it says, or refused by place without a value."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clinics.database import load
from clinics.startup import StartupError
from tests.support.form import tries

MARKS = ("987.654.321-09", "98765432109", "Fulana Secreta")
ID = "550e8400-e29b-41d4-a716-446655440000"
REF = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"}
OPEN = {**REF, "specialty": "Cardiologia", "available": True, "patient_name": None, "cpf": None}
HELD = {**OPEN, "time": "10:00", "available": False, "patient_name": MARKS[2], "cpf": MARKS[0]}
RECORD = {"digest": "ab" * 32, "outcome": {"booked": REF, "released": None}, "at": "2025-07-15T11:00:00+00:00"}
WHOLE: dict[str, Any] = {"slots": [OPEN, HELD], "requests": {ID: RECORD}}

FIXED = settings(derandomize=True, max_examples=tries(300), deadline=None)
Path_ = tuple[str | int, ...]


def places(value: object, path: Path_ = ()) -> Iterator[Path_]:
    """Yield where every value of a document is."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield from places(child, (*path, key))


def written(value: object, changed: Path_, into: str, path: Path_ = ()) -> str:
    """Return a document as text, with one value replaced by any text."""
    if path == changed:
        return into
    match value:
        case dict():
            fields = (
                f"{json.dumps(key)}: {written(child, changed, into, (*path, key))}" for key, child in value.items()
            )
            return f"{{{', '.join(fields)}}}"
        case list():
            return f"[{', '.join(written(child, changed, into, (*path, at)) for at, child in enumerate(value))}]"
        case _:
            return json.dumps(value)


def at(path: Path_) -> Any:
    value: Any = WHOLE
    for key in path:
        value = value[key]
    return value


PLACES = tuple(places(WHOLE))
OBJECTS = tuple(path for path in PLACES if isinstance(at(path), dict))
NUMBERS = st.sampled_from(
    ["0", "-1", "1e5", "1e999", "-0.0", "9" * 30, "9" * 5000, "0." + "3" * 5000, "NaN", "Infinity", "01"]
)
TEXTS = st.one_of(
    st.sampled_from(MARKS),
    st.text(max_size=8),
    st.sampled_from(
        ["", " ", "2025-02-30", "24:00", "0000-00-00", "9999-12-31T23:59:59+00:00", "\u202e\u0000", "x" * 100_000]
    ),
).map(json.dumps)
JSON = st.recursive(
    st.one_of(st.sampled_from(["null", "true", "false"]), NUMBERS, TEXTS),
    lambda parts: st.one_of(
        st.lists(parts, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(st.tuples(TEXTS, parts), max_size=3).map(
            lambda items: "{" + ", ".join(f"{key}: {value}" for key, value in items) + "}"
        ),
    ),
    max_leaves=6,
)


def read(folder: Path, content: bytes) -> str:
    """Return what a file is refused with; empty if it is read, and then it is what is written again."""
    path = folder / "db.json"
    path.write_bytes(content)
    try:
        database = load(path)
    except StartupError as error:
        said = str(error)
    else:
        path.write_bytes(database.encode())
        again = load(path)
        assert (again.snapshot.slots, again.ledger) == (database.snapshot.slots, database.ledger)
        return ""
    assert said.startswith(f"{path}: ")
    assert "move it away" in said
    assert len(said.replace(str(path.parent), "")) < 500
    assert not any(mark in said for mark in MARKS)
    assert path.read_bytes() == content, "the file is left as it was"
    return said


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("silo")


def test_the_file_that_is_spoiled_here_is_a_good_one(folder: Path) -> None:
    assert read(folder, json.dumps(WHOLE).encode()) == ""
    assert read(folder, written(WHOLE, ("none",), "").encode()) == ""


@FIXED
@given(st.sampled_from(PLACES), JSON)
def test_any_value_in_any_place_is_read_or_refused(folder: Path, place: Path_, value: str) -> None:
    read(folder, written(WHOLE, place, value).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("place", [path for path in PLACES if path])
def test_a_field_that_is_missing_is_refused_and_an_item_or_record_is_just_not_there(folder: Path, place: Path_) -> None:
    *parent, name = place
    spoiled = json.loads(json.dumps(WHOLE))
    inner = spoiled
    for key in parent:
        inner = inner[key]
    del inner[name]
    is_free = isinstance(name, int) or name in {"requests", ID}
    assert bool(read(folder, json.dumps(spoiled).encode())) is not is_free


@FIXED
@given(st.sampled_from(OBJECTS), TEXTS, JSON)
def test_a_field_too_many_in_any_object_is_refused(folder: Path, place: Path_, name: str, value: str) -> None:
    fields = json.dumps(at(place))
    said = read(folder, written(WHOLE, place, f"{fields[:-1]}, {name}: {value}}}").encode("utf-8", "surrogatepass"))
    assert said


@pytest.mark.parametrize("place", [path for path in PLACES if path and isinstance(path[-1], str)])
def test_a_name_that_stands_twice_is_refused_rather_than_one_of_the_two_taken(folder: Path, place: Path_) -> None:
    *parent, name = place
    fields = json.dumps(at(tuple(parent)))
    content = written(WHOLE, tuple(parent), f"{fields[:-1]}, {json.dumps(name)}: {json.dumps(at(place))}}}")
    assert "a name stands twice" in read(folder, content.encode())


@pytest.mark.parametrize("depth", [10, 900, 990, 1000, 1020, 1025, 100_000])
@pytest.mark.parametrize(("opening", "closing"), ["[]", ('{"a":', "}")], ids=["lists", "objects"])
def test_deep_nesting_is_refused(folder: Path, depth: int, opening: str, closing: str) -> None:
    assert read(folder, written(WHOLE, ("slots", 0, "doctor"), opening * depth + "1" + closing * depth).encode())
    assert read(folder, (opening * depth).encode())


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + json.dumps(WHOLE).encode(),
        json.dumps(WHOLE).encode("utf-16"),
        json.dumps(WHOLE).encode().replace(b"Ricardo", b"Ric\xe1rdo"),
        json.dumps(WHOLE).encode().replace(b"Ricardo", b"\\ud800"),
        json.dumps(WHOLE).encode().replace(b"Fulana", b"\xed\xa0\x80"),
        b"\0" * 4096,
        json.dumps(WHOLE).encode() + b"{}",
        b"",
    ],
    ids=["BOM", "UTF-16", "Latin-1", "escaped surrogate", "encoded surrogate", "zeros", "two documents", "empty"],
)
def test_what_is_no_json_in_utf_8_is_refused(folder: Path, content: bytes) -> None:
    assert "this is not JSON" in read(folder, content)


@FIXED
@given(st.data())
def test_bytes_changed_anywhere_are_read_or_refused(folder: Path, data: st.DataObject) -> None:
    spoiled = bytearray(json.dumps(WHOLE).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(spoiled) - 1))
        spoiled[start : start + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=8))
    read(folder, bytes(spoiled))


def test_a_file_cut_off_anywhere_is_refused(folder: Path) -> None:
    content = json.dumps(WHOLE, indent=2).encode()
    for length in range(len(content)):
        assert "this is not JSON" in read(folder, content[:length])
