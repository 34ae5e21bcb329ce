"""What comes from another node is one clean line a text, within the contract's lengths and counts."""

import unicodedata
from typing import Any

import pytest
from google.protobuf import struct_pb2
from hypothesis import given
from hypothesis import strategies as st

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.sanitizer import Sanitized, clean_text, sanitized
from tests.support.library import message


def slot(**fields: Any) -> pb.Slot:
    return pb.Slot(**{"doctor": "Dra. Ana", "date": "2025-07-15", "time": "09:00", "available": True, **fields})


@given(st.text())
def test_a_clean_text_is_one_printable_line_and_cleaning_it_again_changes_nothing(text: str) -> None:
    cleaned = clean_text(text)
    assert not {unicodedata.category(char) for char in cleaned} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert cleaned.isprintable()
    assert "  " not in cleaned
    assert clean_text(cleaned) == cleaned


def test_what_can_be_printed_stays_and_a_line_end_is_a_space() -> None:
    assert clean_text("Dra. Ana\u2028 D'Ávila\r\n\x1b[2J\u202e\u200bConsulta\tmarcada") == (
        "Dra. Ana D'Ávila [2JConsulta marcada"
    )


@pytest.mark.parametrize(
    ("fields", "dropped"),
    [
        ({}, 0),
        ({"author": ""}, 0),
        ({"subjects": ["", "a\x00b"]}, 0),
        ({"since": "2025-02-30"}, 1),
        ({"at": ""}, 1),
        ({"genre": 99}, 1),
        ({"printed_on": ["1977-12-09", "never"]}, 1),
        ({"nearest": message("Shelf", opened="yesterday")}, 1),
        ({"shelves": [message("Shelf"), message("Shelf", opened="9h")]}, 1),
    ],
)
def test_a_faulty_entry_and_a_faulty_optional_field_are_left_out(fields: dict[str, Any], dropped: int) -> None:
    answer = sanitized(message("FindBooksRequest", **{"author": "Clarice Lispector", **fields}))
    assert answer is not None
    assert answer.dropped == dropped


@pytest.mark.parametrize("fields", [{"name": "x" * 121}, {"today": "2025-02-30"}, {"agenda": 99}])
def test_another_faulty_field_makes_a_message_unusable(fields: dict[str, Any]) -> None:
    assert sanitized(pb.GetClinicResponse(**{"today": "2025-07-15", **fields})) is None


def test_an_optional_field_that_breaks_the_contract_costs_no_more_than_itself() -> None:
    said = pb.GetClinicResponse(clinic_id="clinic_a", today="2025-07-15", details=pb.ClinicDetails(address="x" * 201))
    assert sanitized(said) == Sanitized(pb.GetClinicResponse(clinic_id="clinic_a", today="2025-07-15"), 1)


def test_a_message_that_keeps_the_contract_is_not_changed() -> None:
    listing = pb.ListAvailableSlotsResponse(specialty="Cardiology", available_slots=[slot(), slot(time="09:30")])
    before = listing.SerializeToString()
    assert sanitized(listing) == Sanitized(listing)
    assert listing.SerializeToString() == before


def test_of_a_listing_only_the_odd_entries_are_left_out() -> None:
    odd = [slot(date="never"), slot(doctor="x" * 121), slot(time="24:00")]
    listing = pb.ListAvailableSlotsResponse(available_slots=[slot(), *odd, slot(doctor="Dra.\x1b Ana\n")])
    answer = sanitized(listing)
    assert answer == Sanitized(pb.ListAvailableSlotsResponse(available_slots=[slot(), slot()]), 3)


def test_a_list_ends_where_the_contract_says() -> None:
    answer = sanitized(pb.ListAvailableSlotsResponse(available_slots=[slot()] * 2001))
    assert answer is not None
    assert isinstance(answer.message, pb.ListAvailableSlotsResponse)
    assert (len(answer.message.available_slots), answer.dropped) == (2000, 1)


def test_lists_of_lists_are_cleaned_at_any_depth() -> None:
    def listing(text: str) -> struct_pb2.ListValue:
        inner = struct_pb2.ListValue(values=[struct_pb2.Value(string_value=text)])
        return struct_pb2.ListValue(values=[struct_pb2.Value(list_value=inner)])

    assert sanitized(listing("list\x1b_slots\n")) == Sanitized(listing("list_slots"))


def test_a_note_that_is_too_long_makes_the_answer_unusable() -> None:
    assert sanitized(pb.ListAvailableSlotsResponse(note="x" * 501)) is None


def test_a_required_part_that_is_missing_makes_the_answer_unusable() -> None:
    assert sanitized(pb.BookAppointmentResponse(status="confirmed")) is None
