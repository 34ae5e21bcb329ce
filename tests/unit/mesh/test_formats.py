"""What each textual form accepts, and which faults a typed message is refused for."""

import unicodedata
from typing import Any

import pytest

from generated.mesh.v1 import options_pb2
from mesh import catalogue
from mesh.catalogue import FORMS, faults_of
from mesh.errors import Violation
from tests.support.library import message, tool

DATE, TIME = options_pb2.FORMAT_DATE, options_pb2.FORMAT_TIME
CPF, UUID = options_pb2.FORMAT_CPF, options_pb2.FORMAT_UUID


@pytest.mark.parametrize(
    ("form", "text"),
    [
        *((DATE, text) for text in ("2025-07-18", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31")),
        *((TIME, text) for text in ("00:00", "09:05", "10:30", "19:59", "20:00", "23:59")),
        *((CPF, text) for text in ("12345678900", "123.456.789-00", "111.111.111-11", "123456789-00")),
        (UUID, "550e8400-e29b-41d4-a716-446655440000"),
        (UUID, "550E8400-E29B-41D4-A716-446655440000"),
        (UUID, "00000000-0000-0000-0000-000000000000"),
    ],
)
def test_a_text_of_the_form_is_accepted(form: int, text: str) -> None:
    assert FORMS[form].accepts(text)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        *(
            (DATE, text)
            for text in ("2025-02-29", "1900-02-29", "2025-04-31", "2025-13-01", "2025-00-10", "2025-01-00")
        ),
        *((DATE, text) for text in ("0000-01-01", "20250718", "2025-W29-5", "2025-7-18", "18/07/2025", "25-07-18")),
        *(
            (DATE, text)
            for text in ("2025-07-18 ", " 2025-07-18", "2025-07-18\n", "2025-07-18T09:00", "２０２５-07-18")
        ),
        *((TIME, text) for text in ("24:00", "23:60", "9:00", "09:0", "0900", "09:00:00", "09h00", "-1:00", "99:99")),
        *((TIME, text) for text in ("09:00\n", " 09:00", "٠٩:٠٠", "")),
        *((CPF, text) for text in ("1234567890", "123456789000", "123 456 789 00", "123.456.789/00", "abc.def.ghi-jk")),
        *((CPF, text) for text in ("123.456.789-00\n", "１２３45678900", "123..456.789-00", "")),
        *((UUID, text) for text in ("550e8400e29b41d4a716446655440000", "{550e8400-e29b-41d4-a716-446655440000}")),
        *(
            (UUID, text)
            for text in ("550e8400-e29b-41d4-a716-44665544000", "g50e8400-e29b-41d4-a716-446655440000", "1")
        ),
        (UUID, "550e8400-e29b-41d4-a716-446655440000\n"),
    ],
)
def test_a_text_of_another_form_is_refused(form: int, text: str) -> None:
    assert not FORMS[form].accepts(text)


def test_every_form_of_the_contract_is_checked() -> None:
    assert FORMS.keys() == set(options_pb2.Format.values()) - {options_pb2.FORMAT_UNSPECIFIED}


def faults(name: str, request: Any) -> tuple[Violation, ...]:
    return faults_of(tool(name).arguments, request)


def find(**fields: Any) -> tuple[Violation, ...]:
    return faults("find_books", message("FindBooksRequest", **{"author": "Clarice Lispector", **fields}))


def test_a_message_as_the_contract_wants_it_has_no_faults() -> None:
    assert find() == ()
    assert (
        find(
            author="Conceição d'Ávila-Nuñez",
            since="2024-02-29",
            at="00:00",
            subjects=["ficção", ""],
            printed_on=["1977-12-09"],
            nearest=message("Shelf", opened="1977-12-09"),
            extra={"free": "\x00"},
            weights={"\x00": 1},
            card="",
        )
        == ()
    )


def test_every_fault_is_named_in_the_contracts_order() -> None:
    request = message("LendBookRequest", until="2025-02-30", request_id="1")
    assert faults("lend_book", request) == (
        Violation("title", "required: the text is empty", "REQUIRED"),
        Violation("until", "expected a date that exists, YYYY-MM-DD", "WRONG_FORMAT"),
        Violation("reader_name", "required: the text is empty", "REQUIRED"),
        Violation("request_id", "expected a UUID of 36 characters", "WRONG_FORMAT"),
    )


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u00a0"])
def test_a_required_text_is_not_blank(blank: str) -> None:
    assert find(author=blank) == (Violation("author", "required: the text is empty", "REQUIRED"),)


def test_an_optional_text_with_a_form_is_absent_or_of_the_form() -> None:
    assert find(since="") == (Violation("since", "required: the text is empty", "REQUIRED"),)
    assert find(at="24:00") == (Violation("at", "expected a time of day, HH:MM", "WRONG_FORMAT"),)


@pytest.mark.parametrize("control", ["\x00", "\t", "\n", "\r", "\x1b", "\x7f", "\x85"])
@pytest.mark.parametrize(
    ("field", "path"),
    [("author", "author"), ("guest", "guest"), ("subjects", "subjects[1]"), ("shelves", "shelves[0].labels[0]")],
)
def test_text_holds_no_control_characters(control: str, field: str, path: str) -> None:
    text = f"a{control}b"
    value = {"subjects": ["fine", text, text], "shelves": [message("Shelf", labels=[text])]}.get(field, text)
    assert find(**{field: value}) == (Violation(path, "expected text without control characters", "CONTROL_CHARACTER"),)


TOO_LONG = "expected at most 40 characters"


@pytest.mark.parametrize("text", ["x" * 40, "é" * 40, "e\u0301" * 20, "\N{HANGUL SYLLABLE GAG}" * 13])
def test_a_text_as_long_as_the_contract_allows_is_accepted(text: str) -> None:
    assert find(guest=text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "x" * 41,
        "e\u0301" * 21,
        "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 3,
        "ß" * 21,
        "\N{LATIN SMALL LIGATURE FFI}" * 14,
        "\x00" * 41,
        " " * 41,
    ],
)
def test_a_text_that_is_too_long_or_becomes_so_in_plain_letters_is_refused_before_anything_else(text: str) -> None:
    assert find(guest=text) == (Violation("guest", TOO_LONG, "TOO_LONG"),)
    assert find(subjects=["fine", text]) == (Violation("subjects[1]", TOO_LONG, "TOO_LONG"),)


def test_a_list_of_more_entries_than_the_contract_allows_is_refused() -> None:
    assert find(subjects=["ficção"] * 20) == ()
    assert find(subjects=["\x00"] * 21) == (Violation("subjects", "expected at most 20 entries", "TOO_MANY_ENTRIES"),)


@pytest.mark.parametrize("text", ["x" * 60_000, "\x85" * 30_000, "\u202e" * 20_000, "\ufdfa" * 20_000, " " * 60_000])
def test_the_longest_text_that_a_message_can_hold_is_refused_before_its_letters_are_looked_at(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []
    monkeypatch.setattr(catalogue, "fold", looked_at.append)
    monkeypatch.setattr(unicodedata, "category", looked_at.append)
    assert find(guest=text) == (Violation("guest", TOO_LONG, "TOO_LONG"),)
    assert looked_at == []


def test_the_fields_of_a_nested_message_are_checked_by_their_path() -> None:
    expected = "expected a date that exists, YYYY-MM-DD"
    wrong = message("Shelf", opened="yesterday")
    assert find(nearest=wrong) == (Violation("nearest.opened", expected, "WRONG_FORMAT"),)
    assert find(shelves=[message("Shelf"), wrong]) == (Violation("shelves[1].opened", expected, "WRONG_FORMAT"),)


def test_a_long_list_of_faults_is_refused_for_its_first() -> None:
    assert find(printed_on=["1977-12-09", *["never"] * 10_000]) == (
        Violation("printed_on[1]", "expected a date that exists, YYYY-MM-DD", "WRONG_FORMAT"),
    )
