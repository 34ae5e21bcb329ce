"""What a clinic answers depends on the token, the same at both doors; what is public needs none."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1 import clinic_service_pb2_grpc
from generated.mesh.v1 import tool_service_pb2 as envelope
from generated.mesh.v1 import tool_service_pb2_grpc as envelope_grpc
from mesh.tokens import LEEWAY_S, read_public_keys
from orchestrator.security.token_keys import KeyFolder
from tests.support.clinics import NOW
from tests.support.tokens import CARLOS_CPF, JOANA_CPF, key_id_of, make_keys, payload_of, raw_token, resigned, token_for
from tests.wire.identity.conftest import DOORS, Guarded
from tests.wire.parity.doors import DEADLINE_S, Answer, EnvelopeDoor, Refusal, TypedDoor

Kind = type[TypedDoor | EnvelopeDoor]

SLOT_DAY = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-22"}
SLOT = {**SLOT_DAY, "date": "2025-07-21", "time": "09:00"}
BOOKING = {**SLOT, "patient_name": "Carlos Teste", "cpf": CARLOS_CPF}
AGENDA_CALLS: Mapping[str, Mapping[str, Any]] = {
    "open_slots": {"doctor": "Dr. Ricardo Lopes", "dates": ["2025-07-28"], "times": ["08:00", "08:30"]},
    "close_slots": {**SLOT_DAY, "reason": "CLOSING_REASON_ILLNESS"},
    "list_agenda": {},
}
CALLS: Mapping[str, Mapping[str, Any]] = {
    "list_available_slots": {},
    "book_appointment": BOOKING,
    "reschedule_appointment": {
        "doctor": "Dr. Ricardo Lopes",
        "original_date": "2025-07-21",
        "original_time": "09:00",
        "new_date": "2025-07-21",
        "new_time": "10:30",
        "patient_name": "Carlos Teste",
        "cpf": CARLOS_CPF,
    },
    "cancel_appointment": BOOKING,
    "list_patients": {},
    "get_patient": {"patient_id": "CARD-001"},
    "query": {"query": "hipertensão"},
    "list_appointments": {},
    **AGENDA_CALLS,
}


def reason(answer: Answer) -> str:
    assert isinstance(answer, Refusal), "the call was answered"
    return answer.reason


def expired(keys: KeyFolder) -> str:
    return token_for(keys, now=time.time() - 60 - LEEWAY_S - 1)


def early(keys: KeyFolder) -> str:
    return token_for(keys, now=time.time() + LEEWAY_S + 30)


def unsigned(keys: KeyFolder) -> str:
    good = token_for(keys)
    return raw_token({"alg": "none", "kid": key_id_of(keys.private_key("orchestrator"))}, payload_of(good), None)


def forged(keys: KeyFolder) -> str:
    header, payload, signature = token_for(keys).split(".")
    return f"{header}.{payload}.{signature[:-8]}AAAAAAAA"


def promoted(keys: KeyFolder) -> str:
    return resigned(keys, token_for(keys), scope="read write records", role="operator")


def for_another_clinic(keys: KeyFolder) -> str:
    return token_for(keys, audience="clinic_b")


BAD: list[Callable[[KeyFolder], str]] = [expired, early, unsigned, forged, promoted, for_another_clinic]


@pytest.mark.parametrize("tool", CALLS)
def test_no_tool_is_for_a_caller_without_a_token(guarded: Guarded, kind: Kind, tool: str) -> None:
    before = guarded.database("clinic_a")
    answer = guarded.door(kind, None).ask(tool, CALLS[tool])
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.domain, answer.metadata) == ("UNAUTHENTICATED", "mesh.v1", {"agent": "clinic_a"})
    assert "clinic-mesh token --clinic clinic_a" in answer.message
    assert guarded.database("clinic_a") == before


@pytest.mark.parametrize("bad", BAD)
def test_a_token_that_does_not_hold_here_opens_nothing(
    guarded: Guarded, keys: KeyFolder, kind: Kind, bad: Callable[[KeyFolder], str]
) -> None:
    before, token = guarded.database("clinic_a"), bad(keys)
    for tool, arguments in CALLS.items():
        answer = guarded.door(kind, token).ask(tool, arguments)
        assert isinstance(answer, Refusal)
        assert answer.reason == "UNAUTHENTICATED"
        assert token not in answer.message
        assert "clinic-mesh token --clinic clinic_a" in answer.message
    assert guarded.database("clinic_a") == before


def test_a_token_of_another_mesh_opens_nothing(guarded: Guarded, kind: Kind, tmp_path: Path) -> None:
    answer = guarded.door(kind, token_for(make_keys(tmp_path))).ask("list_available_slots", {})
    assert isinstance(answer, Refusal)
    assert "signed with a key that is not known here" in answer.message


@pytest.mark.parametrize("header", ["{}", "Basic {}", "Bearer", "Bearer ", "bearer x{}", "Bearer {} {}", "Token {}"])
def test_what_is_no_bearer_token_is_none(guarded: Guarded, keys: KeyFolder, kind: Kind, header: str) -> None:
    metadata = (("authorization", header.format(*[token_for(keys)] * 2)),)
    assert reason(guarded.door(kind, None, metadata=metadata).ask("list_available_slots", {})) == "UNAUTHENTICATED"


def test_two_tokens_are_none(guarded: Guarded, keys: KeyFolder, kind: Kind) -> None:
    metadata = (("authorization", f"Bearer {token_for(keys)}"),) * 2
    assert reason(guarded.door(kind, None, metadata=metadata).ask("list_available_slots", {})) == "UNAUTHENTICATED"


@pytest.mark.parametrize("tool", ["list_patients", "book_appointment"])
@pytest.mark.parametrize("is_known", [False, True])
def test_both_doors_refuse_in_the_same_words(guarded: Guarded, keys: KeyFolder, tool: str, is_known: bool) -> None:
    token = token_for(keys, JOANA_CPF) if is_known else None
    typed, wrapped = (guarded.door(kind, token).ask(tool, CALLS[tool]) for kind in DOORS)
    assert reason(typed) == ("PERMISSION_DENIED" if is_known else "UNAUTHENTICATED")
    assert typed == wrapped


def test_a_patient_reads_openings_books_moves_and_cancels(guarded: Guarded, keys: KeyFolder, kind: Kind) -> None:
    door = guarded.door(kind, token_for(keys))
    for tool in ("list_available_slots", "book_appointment", "reschedule_appointment"):
        assert not isinstance(door.ask(tool, CALLS[tool]), Refusal)
    moved = {**BOOKING, "time": "10:30", "cpf": "12345678900"}
    assert not isinstance(door.ask("cancel_appointment", moved), Refusal)


@pytest.mark.parametrize("tool", ["list_patients", "query"])
def test_lists_of_patients_are_not_for_patients(guarded: Guarded, keys: KeyFolder, kind: Kind, tool: str) -> None:
    answer = guarded.door(kind, token_for(keys)).ask(tool, CALLS[tool])
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.metadata) == (
        "PERMISSION_DENIED",
        {"tool": tool, "scope": "records", "given": "read write"},
    )


@pytest.mark.parametrize("tool", AGENDA_CALLS)
def test_the_agenda_is_not_for_patients(guarded: Guarded, keys: KeyFolder, kind: Kind, tool: str) -> None:
    before = guarded.database("clinic_a")
    for token in (token_for(keys), resigned(keys, token_for(keys), scope="read write")):
        answer = guarded.door(kind, token).ask(tool, AGENDA_CALLS[tool])
        assert isinstance(answer, Refusal)
        assert (answer.reason, answer.metadata) == ("PERMISSION_DENIED", {"tool": tool})
    assert guarded.database("clinic_a") == before


@pytest.mark.parametrize("tool", ["open_slots", "close_slots"])
def test_an_operators_token_that_reads_only_changes_no_agenda(
    guarded: Guarded, keys: KeyFolder, kind: Kind, tool: str
) -> None:
    token = resigned(keys, token_for(keys, issuer="operator"), issuer="operator", scope="read records")
    answer = guarded.door(kind, token).ask(tool, AGENDA_CALLS[tool])
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.metadata) == (
        "PERMISSION_DENIED",
        {"tool": tool, "scope": "write", "given": "read records"},
    )


def test_a_token_that_reads_only_writes_nothing(guarded: Guarded, keys: KeyFolder, kind: Kind) -> None:
    door = guarded.door(kind, resigned(keys, token_for(keys), scope="read"))
    assert not isinstance(door.ask("list_available_slots", {}), Refusal)
    answer = door.ask("book_appointment", BOOKING)
    assert isinstance(answer, Refusal)
    denied = {"tool": "book_appointment", "scope": "write", "given": "read"}
    assert (answer.reason, answer.metadata) == ("PERMISSION_DENIED", denied)


def test_a_write_in_the_name_of_another_is_refused_and_repeats_nothing_of_them(
    guarded: Guarded, keys: KeyFolder, kind: Kind
) -> None:
    answer = guarded.door(kind, token_for(keys)).ask("book_appointment", {**BOOKING, "cpf": JOANA_CPF})
    assert isinstance(answer, Refusal)
    assert answer.reason == "PERMISSION_DENIED"
    assert JOANA_CPF not in str(answer)


def test_a_patient_reads_their_own_record_and_no_other_is_there_for_them(
    guarded: Guarded, keys: KeyFolder, kind: Kind
) -> None:
    staff = guarded.door(kind, token_for(keys, issuer="operator"))
    record = staff.ask("get_patient", CALLS["get_patient"])
    assert not isinstance(record, Refusal)
    own = guarded.door(kind, token_for(keys, record["patient"]["cpf"]))
    assert own.ask("get_patient", CALLS["get_patient"]) == record
    assert own.ask("get_patient", {"patient_id": "CARD-002"}) == own.ask("get_patient", {"patient_id": "CARD-999"})


def test_an_operator_reads_all_and_books_for_anybody(guarded: Guarded, keys: KeyFolder, kind: Kind) -> None:
    door = guarded.door(kind, token_for(keys, issuer="operator"))
    for tool, arguments in CALLS.items():
        if "cpf" not in arguments:
            assert not isinstance(door.ask(tool, arguments), Refusal)
    assert not isinstance(door.ask("book_appointment", {**BOOKING, "cpf": JOANA_CPF}), Refusal)


def test_what_is_public_needs_no_token(guarded: Guarded, keys: KeyFolder) -> None:
    channel = guarded.channels["clinic_a"]
    clinic = clinic_service_pb2_grpc.ClinicServiceStub(channel).GetClinic(pb.GetClinicRequest(), timeout=DEADLINE_S)
    assert clinic.clinic_id == "clinic_a"
    assert list(clinic.token_keys) == [key.fingerprint for key in read_public_keys(keys.public)]
    check = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=DEADLINE_S)
    assert check.status == health_pb2.HealthCheckResponse.SERVING
    ask = reflection_pb2.ServerReflectionRequest(list_services="")
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    (listed,) = stub.ServerReflectionInfo(iter([ask]), timeout=DEADLINE_S)
    assert listed.list_services_response.service
    request = envelope.CallRequest(jsonrpc="2.0", method="tools/list")
    request.id.number_value = 1
    tools = MessageToDict(envelope_grpc.ToolServiceStub(channel).Call(request, timeout=DEADLINE_S))["result"]["tools"]
    assert {tool["name"] for tool in tools} == set(CALLS)


def test_a_clinic_without_keys_asks_for_no_token(tmp_path: Path) -> None:
    with (
        serve("clinic_a", "127.0.0.1:0", tmp_path, "blueprint", NOW) as clinic,
        grpc.insecure_channel(clinic.address) as channel,
    ):
        assert not isinstance(TypedDoor(channel).ask("list_patients", {}), Refusal)
