"""The JSON Schema of a tool says of its arguments what the doors take."""

from __future__ import annotations

import re
from typing import Any

import pytest

from generated.mesh.v1 import options_pb2
from mesh.arguments import object_schema
from mesh.catalogue import FORMS, arguments_of
from tests.support.library import tool


def properties(name: str) -> dict[str, Any]:
    found: dict[str, Any] = object_schema(tool(name).arguments)["properties"]
    return found


def test_the_arguments_of_a_write_are_described_as_the_contract_says() -> None:
    uuid = "UUID that makes this write safe to repeat."
    assert object_schema(tool("lend_book").arguments) == {
        "type": "object",
        "properties": {
            "title": {"description": "The book.", "type": "string"},
            "until": {"description": "Last day of the loan.", "type": "string", "format": "date"},
            "reader_name": {"description": "Who takes the book.", "type": "string"},
            "request_id": {"description": uuid, "type": "string", "format": "uuid"},
        },
        "additionalProperties": False,
        "required": ["title", "until", "reader_name"],
    }


def test_what_is_not_required_is_not_listed_as_such() -> None:
    assert object_schema(tool("find_books").arguments)["required"] == ["author", "limit"]
    assert object_schema(tool("shred_book").arguments)["required"] == ["title"]
    optional = [argument for argument in tool("find_books").arguments if not argument.required]
    assert "required" not in object_schema(optional)


SHELF = {
    "type": "object",
    "properties": {
        "floor": {"type": "integer"},
        "opened": {"type": "string", "format": "date"},
        "labels": {"type": "array", "items": {"type": "string"}},
    },
    "additionalProperties": False,
    "required": ["floor"],
}


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("lent", {"type": "boolean"}),
        ("least_rating", {"type": "number"}),
        ("weight", {"type": "number"}),
        ("pages", {"type": "integer"}),
        ("serial", {"type": ["integer", "string"]}),
        ("accession", {"type": ["integer", "string"]}),
        ("genre", {"type": "string", "enum": ["GENRE_UNSPECIFIED", "GENRE_NOVEL", "GENRE_ESSAY"]}),
        ("subjects", {"type": "array", "items": {"type": "string", "maxLength": 40}, "maxItems": 20}),
        ("guest", {"type": "string", "maxLength": 40}),
        ("editions", {"type": "array", "items": {"type": "integer"}}),
        ("printed_on", {"type": "array", "items": {"type": "string", "format": "date"}}),
        ("nearest", SHELF),
        ("shelves", {"type": "array", "items": SHELF}),
        ("weights", {"type": "object", "additionalProperties": {"type": "integer"}}),
        ("extra", {"type": "object"}),
    ],
)
def test_a_field_has_the_schema_of_its_type(name: str, schema: dict[str, Any]) -> None:
    assert properties("find_books")[name] == schema


def test_every_argument_is_described_in_the_contracts_order() -> None:
    assert list(properties("find_books")) == [argument.name for argument in tool("find_books").arguments]


def test_a_result_is_described_like_the_arguments() -> None:
    schema = object_schema(arguments_of(tool("find_books").method.output_type))
    assert schema["properties"]["titles"] == {
        "description": "Titles in order.",
        "type": "array",
        "items": {"type": "string"},
    }
    assert schema["properties"]["asked"]["required"] == ["author", "limit"]


@pytest.mark.parametrize(
    ("form", "text"), [(options_pb2.FORMAT_TIME, "23:59"), (options_pb2.FORMAT_CPF, "123.456.789-00")]
)
def test_the_pattern_of_a_form_accepts_what_the_form_accepts(form: int, text: str) -> None:
    pattern = FORMS[form].schema["pattern"]
    assert re.search(pattern, text)
    assert not re.search(pattern, f"{text}0")
    assert not re.search(pattern, f"0{text}")
