"""All tools: what a clinic answers is the same through both doors, and so is what it keeps."""

from pathlib import Path
from typing import Any
from unittest.mock import ANY

import grpc
import pytest
from google.protobuf import json_format

from clinics.program import serve
from generated.mesh.v1 import tool_service_pb2 as envelope
from generated.mesh.v1 import tool_service_pb2_grpc as envelope_grpc
from tests.wire.parity.doors import CARLOS, CATALOGUE, DEADLINE_S, NOW, Doors, Json

RICARDO = "Dr. Ricardo Lopes"
REQUEST_ID = "c7a1f1f0-3d0b-4a59-9d0e-6a1c2f1b7a10"
OTHER_ID = "0b8d7c3e-95f4-4f0e-8f5f-6d2f6a4f3c21"

BOOK = ("book_appointment", {"doctor": RICARDO, "date": "2025-07-21", "time": "10:30", **CARLOS})
MOVE_AWAY = {"original_date": "2025-07-21", "original_time": "10:30", "new_date": "2025-07-23", "new_time": "08:00"}
MOVE = ("reschedule_appointment", {"doctor": RICARDO, **MOVE_AWAY, **CARLOS})
CANCEL = ("cancel_appointment", {"doctor": RICARDO, "date": "2025-07-23", "time": "08:00", **CARLOS})

READS = [
    ("list_available_slots", {}),
    ("list_available_slots", {"doctor": "ricardo lopes"}),
    ("list_available_slots", {"doctor": "Dra. Ninguém"}),
    ("list_patients", {}),
    ("get_patient", {"patient_id": "CARD-001"}),
    ("query", {"query": "hipertensão"}),
    ("query", {"query": "nada disso"}),
    ("list_agenda", {"date": "2025-07-21", "doctor": RICARDO}),
]
WRITES: list[tuple[str, dict[str, Any]]] = [
    BOOK,
    MOVE,
    CANCEL,
    ("book_appointment", {**BOOK[1], "doctor": "ricardo lopes", "request_id": REQUEST_ID}),
    ("book_appointment", {**BOOK[1], "doctor": "ricardo lopes", "request_id": REQUEST_ID}),
    ("reschedule_appointment", {**MOVE[1], "request_id": OTHER_ID}),
    ("open_slots", {"doctor": RICARDO, "dates": ["2025-07-28"], "times": ["08:00", "08:30"]}),
    ("close_slots", {"doctor": RICARDO, "date": "2025-07-24", "reason": "CLOSING_REASON_ILLNESS"}),
    ("list_agenda", {"date": "2025-07-24"}),
]

ADDED = ("duration_min", "appointment_id", "revision", "specialty_code")  # to what the blueprint shows

BLUEPRINT_REQUEST = """
{
    "jsonrpc": "2.0",
    "id": "550e8400-e29b-41d4-a716-446655440000",
    "method": "tools/call",
    "params": {
        "name": "book_appointment",
        "arguments": {
            "doctor": "Dr. Ricardo Lopes",
            "date": "2025-07-21",
            "time": "09:00",
            "patient_name": "Carlos Teste",
            "cpf": "123.456.789-00"
        }
    }
}
"""


def call(folder: Path, request: str) -> Json:
    """Send an envelope to a clinic of its own and return the answer, both as JSON."""
    with (
        serve("clinic_a", "127.0.0.1:0", folder / "silo", "blueprint", NOW) as clinic,
        grpc.insecure_channel(clinic.address) as channel,
    ):
        parsed = json_format.Parse(request, envelope.CallRequest())
        answer = envelope_grpc.ToolServiceStub(channel).Call(parsed, timeout=DEADLINE_S)
    return json_format.MessageToDict(answer)


def test_the_calls_below_name_every_tool_of_the_contract() -> None:
    # Whose appointments are meant only a token says: tests/wire/identity.
    assert {tool for tool, _ in (*READS, *WRITES)} | {"list_appointments"} == set(CATALOGUE)


@pytest.mark.parametrize(("tool", "arguments"), READS)
def test_a_read_is_answered_alike(doors: Doors, tool: str, arguments: dict[str, str]) -> None:
    assert isinstance(doors.ask(tool, arguments), dict)


def test_writes_are_answered_and_kept_alike(doors: Doors) -> None:
    for tool, arguments in WRITES:
        answer = doors.ask(tool, arguments)
        assert isinstance(answer, dict), answer
        assert doors.typed.slots == doors.enveloped.slots
        assert doors.ask("list_available_slots", {}) == doors.ask("list_available_slots", {})
    held = [slot["time"] for slot in doors.typed.slots if slot["cpf"] == CARLOS["cpf"]]
    assert held == ["09:00", "08:00"]


def test_a_repeat_through_the_other_door_is_the_same_write(doors: Doors) -> None:
    arguments = {**BOOK[1], "request_id": REQUEST_ID}
    first = doors.typed.door.ask("book_appointment", arguments)
    assert doors.ask("book_appointment", arguments) == first


def test_the_blueprints_request_pasted_unchanged_books_and_is_answered_as_the_blueprint_says(tmp_path: Path) -> None:
    answer = call(tmp_path, BLUEPRINT_REQUEST)
    added = {name: answer["result"]["appointment"].pop(name) for name in ADDED}
    assert added == {"duration_min": 30, "appointment_id": ANY, "revision": 0, "specialty_code": "Cardiology"}
    assert answer == {
        "jsonrpc": "2.0",
        "id": "550e8400-e29b-41d4-a716-446655440000",
        "result": {
            "status": "confirmed",
            "appointment": {
                "doctor": "Dr. Ricardo Lopes",
                "date": "2025-07-21",
                "time": "09:00",
                "patient_name": "Carlos Teste",
                "cpf": "123.456.789-00",
                "specialty": "Cardiology",
            },
            "message": "Consulta agendada com sucesso.",
        },
    }


def test_a_clinic_lists_the_seven_tools_of_the_blueprint_first_and_each_with_its_schemas(tmp_path: Path) -> None:
    tools = call(tmp_path, '{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}')["result"]["tools"]
    assert [tool["name"] for tool in tools] == [
        "list_available_slots",
        "book_appointment",
        "reschedule_appointment",
        "cancel_appointment",
        "list_patients",
        "get_patient",
        "query",
        "list_appointments",
        *("open_slots", "close_slots", "list_agenda"),
    ]
    for tool in tools:
        described = CATALOGUE[tool["name"]]
        assert tool["description"] == described.options.description
        required = {argument.name for argument in described.arguments if argument.required}
        assert set(tool["inputSchema"]["properties"]) == {argument.name for argument in described.arguments}
        assert set(tool["inputSchema"].get("required", [])) == required
        assert set(tool["outputSchema"]["properties"]) == set(described.method.output_type.fields_by_name)


def test_what_is_at_its_default_is_printed_too(doors: Doors) -> None:
    assert doors.ask("query", {"query": "nada disso"}) == {
        "specialty": "Cardiology",
        "specialty_code": "Cardiology",
        "query": "nada disso",
        "matches": [],
    }
