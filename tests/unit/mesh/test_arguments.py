"""JSON arguments become a typed request or a refusal that names each fault and repeats no value."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from mesh.arguments import Json, json_of, request_of
from mesh.errors import DomainError, Violation
from tests.support.library import message, tool

GOOD: dict[str, Json] = {"author": "Clarice Lispector", "limit": 3}
# It stands where a value is, never where a name is: no error text may hold it.
CANARY = "canary-123.456.789-00"


def refusal(arguments: dict[str, Any]) -> DomainError:
    with pytest.raises(DomainError) as refused:
        request_of(tool("find_books"), arguments)
    assert refused.value.reason == "INVALID_ARGUMENTS"
    assert refused.value.metadata == {"tool": "find_books"}
    return refused.value


def faults(**arguments: Any) -> dict[str, str]:
    return {fault.field: fault.description for fault in refusal({**GOOD, **arguments}).violations}


def accepted(**arguments: Any) -> Any:
    return request_of(tool("find_books"), {**GOOD, **arguments})


def test_arguments_of_every_type_become_the_typed_request() -> None:
    assert accepted(
        lent=True,
        least_rating=4.5,
        weight=0.5,
        pages=2**32 - 1,
        serial=-7,
        accession=2**53,
        genre="GENRE_NOVEL",
        subjects=["ficção", "conto"],
        editions=[1, 2],
        nearest={"floor": 1, "labels": ["A-C"]},
        shelves=[{"floor": 2}, {"floor": -1, "opened": "1977-12-09"}],
        weights={"first": 1},
        extra={"anything": [None, True, {"deep": "text"}]},
        card="17",
    ) == message(
        "FindBooksRequest",
        author="Clarice Lispector",
        limit=3,
        lent=True,
        least_rating=4.5,
        weight=0.5,
        pages=2**32 - 1,
        serial=-7,
        accession=2**53,
        genre=1,
        subjects=["ficção", "conto"],
        editions=[1, 2],
        nearest=message("Shelf", floor=1, labels=["A-C"]),
        shelves=[message("Shelf", floor=2), message("Shelf", floor=-1, opened="1977-12-09")],
        weights={"first": 1},
        extra={"anything": [None, True, {"deep": "text"}]},
        card="17",
    )


def test_a_whole_number_may_be_written_as_a_struct_writes_it() -> None:
    assert accepted(limit=3.0).limit == 3


def test_an_optional_argument_that_is_left_out_is_absent() -> None:
    request = accepted()
    assert not request.HasField("lent")
    assert not request.HasField("nearest")


def test_an_optional_argument_at_its_default_is_present() -> None:
    request = accepted(lent=False, pages=0, nearest={"floor": 0})
    assert request.HasField("lent")
    assert request.HasField("pages")
    assert request.HasField("nearest")


def test_an_empty_object_is_told_from_an_absent_one() -> None:
    assert accepted(written={}).HasField("written")
    assert not accepted().HasField("written")
    assert faults(nearest={}) == {"nearest.floor": "required"}


@pytest.mark.parametrize("value", ["1", None])
def test_entries_with_the_same_fault_are_one_fault(value: Json) -> None:
    said = refusal({**GOOD, "weights": {"first": value, "second": 2, "third": value}})
    assert [fault.field for fault in said.violations] == ["weights"]


def test_an_unknown_argument_is_refused_and_the_known_ones_are_named() -> None:
    said = faults(publisher=CANARY)
    assert said.keys() == {"publisher"}
    assert said["publisher"].startswith("unknown; the arguments are: author, limit, lent, ")


def test_every_missing_argument_is_named() -> None:
    assert refusal({}).violations == (
        Violation("author", "required", "REQUIRED"),
        Violation("limit", "required", "REQUIRED"),
    )


def test_every_fault_is_named_at_once() -> None:
    said = refusal({"author": 7, "colour": "red", "lent": None, "shelves": [{"floor": 0}, {"level": 1}]})
    assert [fault.field for fault in said.violations] == [
        *("colour", "author", "limit", "lent", "shelves[1].level", "shelves[1].floor")
    ]
    assert all(fault.field in said.message for fault in said.violations)


def test_the_wire_name_of_an_argument_is_its_only_name() -> None:
    assert faults(leastRating=1.0).keys() == {"leastRating"}


@pytest.mark.parametrize("name", ["author", "limit", "lent", "genre", "subjects", "nearest", "weights", "extra"])
def test_null_is_not_a_value(name: str) -> None:
    assert faults(**{name: None}) == {name: "null is not a value; leave the argument out"}


@pytest.mark.parametrize("items", [[None], ["a", None]])
def test_null_is_not_an_item(items: list[str | None]) -> None:
    assert faults(subjects=items) == {f"subjects[{len(items) - 1}]": "expected a text"}


HUGE = 10**400
INT32 = "expected a whole number from -2147483648 to 2147483647"
GENRES = "expected one of: GENRE_UNSPECIFIED, GENRE_NOVEL, GENRE_ESSAY"
NOT_FINITE = (math.nan, math.inf, -math.inf)
MISTYPED: list[tuple[str, str, Sequence[Json]]] = [
    ("author", "expected a text", [7, 7.5, True, ["a"], {"a": "b"}, "\ud800", "a\udfffb"]),
    ("limit", INT32, ["7", "", 7.5, True, False, [7], {}, 2**31, -(2**31) - 1, 1e300, 1e400, HUGE, *NOT_FINITE]),
    ("pages", "expected a whole number from 0 to 4294967295", [-1, 2**32, "1", 0.5]),
    ("lent", "expected true or false", ["true", "", 1, 0, 1.0, [True], {}]),
    ("least_rating", "expected a number", ["4.5", True, [4.5], {}, HUGE, -HUGE, 1e400, *NOT_FINITE]),
    ("weight", "expected a number", [1e39, -1e39, 3.4028235e38, HUGE, "1", *NOT_FINITE]),
    ("genre", GENRES, ["NOVEL", "genre_novel", "", 1, 1.0, True, ["GENRE_NOVEL"]]),
    ("subjects", "expected a list", ["text", 7, True, {"0": "text"}]),
    ("nearest", "expected an object", ["text", 7, True, [], [{"floor": 1}]]),
    ("shelves", "expected a list", ["text", 7, {"floor": 1}]),
]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        pytest.param(name, value, expected, id=f"{name} {index}")
        for name, expected, values in MISTYPED
        for index, value in enumerate(values)
    ],
)
def test_a_mistyped_argument_is_refused_with_what_was_expected(name: str, value: Json, expected: str) -> None:
    assert faults(**{name: value}) == {name: expected}


def shown(value: object) -> str:
    return ascii(value)[:20]


@pytest.mark.parametrize("name", ["serial", "accession"])
@pytest.mark.parametrize(
    "value",
    [2**53 + 2, 2**64, -(2**53) - 2, 1.5, True, "x", "1.5", "", math.inf, HUGE, str(2**64), str(HUGE), "٧"],
    ids=shown,
)
def test_a_long_number_that_would_not_arrive_exactly_is_refused(name: str, value: Json) -> None:
    assert faults(**{name: value}).keys() == {name}


@pytest.mark.parametrize(
    ("name", "value", "path"),
    [
        ("nearest", {"floor": "1"}, "nearest.floor"),
        ("nearest", {"floor": 1, "opened": 1977}, "nearest.opened"),
        ("nearest", {"floor": 1, "labels": ["a", 2]}, "nearest.labels[1]"),
        ("nearest", {"floor": 1, "room": "a"}, "nearest.room"),
        ("shelves", [{"floor": 1}, 2], "shelves[1]"),
        ("shelves", [{"floor": 1}, {"floor": None}], "shelves[1].floor"),
        ("shelves", [{"floor": 1, "labels": [[]]}], "shelves[0].labels[0]"),
        ("editions", [1, "2"], "editions[1]"),
        ("weights", {"first": "1"}, "weights"),
        ("weights", {"first": None}, "weights"),
        ("weights", {"first": True}, "weights"),
        ("weights", {"first": 2**31}, "weights"),
        ("weights", {"\ud800": 1}, "weights"),
        ("weights", ["first"], "weights"),
        ("weights", 1, "weights"),
        ("extra", "text", "extra"),
        ("extra", {"deep": [math.nan]}, "extra"),
        ("extra", {"deep": {"deeper": HUGE}}, "extra"),
        ("extra", {"deep": "\ud800"}, "extra"),
        ("extra", {"deep": [{"\ud800": 1}]}, "extra"),
        ("cover", "AAEC", "cover"),
    ],
)
def test_a_fault_inside_an_argument_is_named_by_its_path(name: str, value: Json, path: str) -> None:
    assert faults(**{name: value}).keys() == {path}


def test_two_of_a_kind_that_exclude_each_other_are_refused() -> None:
    assert faults(card="17", guest="Ana").keys() == {"guest"}


def test_an_unknown_name_is_repeated_only_as_far_as_it_can_be_shown() -> None:
    (fault,) = refusal({**GOOD, "a\nb\x1b[31m\ud800" + "c" * 100: 1}).violations
    assert fault.field == "ab[31m" + "c" * 58


@pytest.mark.parametrize(
    "value",
    [CANARY, [CANARY], {"floor": CANARY}, {CANARY: "1"}, [{"floor": CANARY}], [[CANARY]]],
    ids=["text", "list", "object", "key", "list of objects", "list of lists"],
)
@pytest.mark.parametrize(
    "name", ["limit", "lent", "least_rating", "serial", "genre", "editions", "weights", "cover", "unknown"]
)
def test_no_value_is_repeated_in_a_refusal(name: str, value: Json) -> None:
    said = refusal({**GOOD, name: value})
    told = [said.message, str(said), repr(said), *said.metadata.values()]
    told += [f"{fault.field} {fault.description}" for fault in said.violations]
    assert all(CANARY not in text for text in told)
    assert said.__context__ is None
    assert said.__cause__ is None


def test_every_value_of_an_answer_is_given_and_absent_ones_are_left_out() -> None:
    assert json_of(message("FindBooksResponse")) == {"titles": [], "complete": False, "total": "0"}
    assert json_of(message("Shelf", floor=2)) == {"floor": 2, "labels": []}


def json_values() -> st.SearchStrategy[Any]:
    numbers = st.integers() | st.floats() | st.sampled_from([HUGE, 2**31, 2**53 + 1, 3.0])
    # Surrogates are in: a str of Python may hold them.
    scalars = st.none() | st.booleans() | numbers | st.text(st.characters(), max_size=8)
    names = st.sampled_from([argument.name for argument in tool("find_books").arguments] + ["floor", "labels"])
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(names | st.text(st.characters(), max_size=4), inner, max_size=4)
        ),
        max_leaves=12,
    )


def outcome(arguments: dict[str, Any]) -> Message | DomainError:
    try:
        return request_of(tool("find_books"), {**GOOD, **arguments})
    except DomainError as refused:
        return refused


@given(st.data())
def test_whatever_json_says_gives_a_request_or_a_refusal(data: st.DataObject) -> None:
    values = json_values()
    names = st.sampled_from([argument.name for argument in tool("find_books").arguments])
    arguments = data.draw(st.dictionaries(names | st.text(max_size=4), values, max_size=6))
    match outcome(arguments):
        case DomainError() as refused:
            assert refused.reason == "INVALID_ARGUMENTS"
            assert refused.violations
        case request:
            assert type(request) is tool("find_books").request_class


texts = st.text(max_size=8)
shelf = st.fixed_dictionaries(
    {"floor": st.integers(-(2**31), 2**31 - 1)}, optional={"opened": texts, "labels": st.lists(texts, max_size=2)}
)
good_arguments = st.fixed_dictionaries(
    {"author": texts, "limit": st.integers(-(2**31), 2**31 - 1)},
    optional={
        "lent": st.booleans(),
        "least_rating": st.floats(allow_nan=False, allow_infinity=False),
        # Below the largest, whose JSON protobuf rounds up to more than its parser takes.
        "weight": st.floats(-(2.0**127), 2.0**127, width=32),
        "pages": st.integers(0, 2**32 - 1),
        "serial": st.integers(-(2**53), 2**53) | st.integers(-(2**63), 2**63 - 1).map(str),
        "accession": st.integers(0, 2**53) | st.integers(0, 2**64 - 1).map(str),
        "genre": st.sampled_from(["GENRE_UNSPECIFIED", "GENRE_ESSAY"]),
        "subjects": st.lists(texts, max_size=3),
        "editions": st.lists(st.integers(0, 9), max_size=3),
        "nearest": shelf,
        "shelves": st.lists(shelf, max_size=2),
        "weights": st.dictionaries(texts, st.integers(0, 9), max_size=2),
        "extra": st.dictionaries(texts, st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)),
    },
)


@given(good_arguments)
def test_a_request_written_as_json_is_read_as_the_same_request(arguments: dict[str, Json]) -> None:
    request = request_of(tool("find_books"), arguments)
    # Through text: what stands in a Struct or on a wire is JSON, not Python.
    written = json.loads(json.dumps(json_of(request)))
    assert request_of(tool("find_books"), written) == request
