"""What every contract of ours keeps, whatever its tools are."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor

from generated.clinic.v1 import clinic_service_pb2
from generated.clinic.v1 import error_reason_pb2 as clinic_reasons
from generated.memory.v1 import error_reason_pb2 as memory_reasons
from generated.mesh.v1 import error_reason_pb2 as mesh_reasons
from generated.mesh.v1 import options_pb2
from mesh.catalogue import Argument, Catalogue, Tool, arguments_of
from mesh.reasons import Reasons

ROOT = Path(__file__).parents[2]
NODES = ("mesh", "clinics", "orchestrator")
RESERVED = range(-32768, -32000 + 1)  # JSON-RPC 2.0, section 5.1
TOOLS = Catalogue(clinic_service_pb2.DESCRIPTOR.services_by_name["ClinicService"])
AGENDA = [tool for tool in TOOLS.values() if tool.options.access == options_pb2.ACCESS_AGENDA]
WRITES = [tool for tool in TOOLS.values() if not tool.read_only and tool not in AGENDA]
REASONS = Reasons(clinic_reasons.ErrorReason.DESCRIPTOR, memory_reasons.ErrorReason.DESCRIPTOR)


def files() -> Iterator[FileDescriptor]:
    for path in sorted((ROOT / "protos").rglob("*.proto")):
        module = path.relative_to(ROOT / "protos").with_suffix("").as_posix().replace("/", ".")
        yield importlib.import_module(f"generated.{module}_pb2").DESCRIPTOR


def messages() -> list[Descriptor]:
    return [message for file in files() for message in file.message_types_by_name.values()]


def fields() -> list[FieldDescriptor]:
    return [field for message in messages() for field in message.fields]


def tree(message: Descriptor) -> Iterator[Argument]:
    """Yield the fields of a message and of the messages in it."""
    for argument in arguments_of(message):
        yield argument
        if argument.field.message_type is not None:
            yield from tree(argument.field.message_type)


def test_the_contract_has_the_tools_of_the_blueprint_first() -> None:
    assert list(TOOLS) == [
        *("list_available_slots", "book_appointment", "reschedule_appointment", "cancel_appointment"),
        *("list_patients", "get_patient", "query"),
        "list_appointments",
        *("open_slots", "close_slots", "list_agenda"),
    ]


def test_a_field_of_several_words_is_called_in_json_as_in_the_contract() -> None:
    several = [field for field in fields() if "_" in field.name]
    assert several
    own = [field.full_name for field in several if field.json_name != field.name]
    assert own == ["mesh.v1.CallParams.protocol_version", "mesh.v1.CallParams.client_info"]  # MCP's names


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_tool_is_named_after_its_rpc(tool: Tool) -> None:
    assert tool.name == re.sub(r"(?<!^)(?=[A-Z])", "_", tool.method.name).lower()


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_every_field_that_a_tool_takes_or_gives_is_described(tool: Tool) -> None:
    described = [*tree(tool.method.input_type), *tree(tool.method.output_type)]
    assert [each.field.full_name for each in described if not each.options.description] == []


@pytest.mark.parametrize("tool", WRITES, ids=lambda tool: tool.name)
def test_a_write_may_be_repeated_under_its_request_id(tool: Tool) -> None:
    assert tool.request_id == "request_id"
    (request_id,) = (each for each in tool.arguments if each.name == "request_id")
    assert not request_id.required
    assert request_id.options.format == options_pb2.FORMAT_UUID
    assert tool.options.idempotent


@pytest.mark.parametrize("tool", WRITES, ids=lambda tool: tool.name)
def test_a_write_is_made_in_the_name_of_who_speaks(tool: Tool) -> None:
    by_kind = {each.options.injected: each for each in tool.arguments if each.options.injected}
    for kind in (options_pb2.INJECTED_PATIENT_NAME, options_pb2.INJECTED_CPF):
        assert by_kind[kind].required
        assert by_kind[kind].options.phi


@pytest.mark.parametrize("tool", AGENDA, ids=lambda tool: tool.name)
def test_who_keeps_the_agenda_speaks_for_nobody_and_may_repeat(tool: Tool) -> None:
    assert [each.name for each in tool.arguments if each.options.injected] == []
    assert tool.options.idempotent


@pytest.mark.parametrize("tool", [tool for tool in TOOLS.values() if tool.read_only], ids=lambda tool: tool.name)
def test_a_read_takes_nothing_from_the_orchestrator_and_destroys_nothing(tool: Tool) -> None:
    assert [each.name for each in tool.arguments if each.options.injected] == []
    assert not tool.options.destructive
    assert tool.options.idempotent


def test_every_tool_says_what_its_caller_must_be_allowed() -> None:
    access = {
        name: options_pb2.Access.Name(tool.options.access).removeprefix("ACCESS_") for name, tool in TOOLS.items()
    }
    assert access == {
        "list_available_slots": "READ",
        "book_appointment": "WRITE",
        "reschedule_appointment": "WRITE",
        "cancel_appointment": "WRITE",
        "list_patients": "RECORDS",
        "get_patient": "RECORD",
        "query": "RECORDS",
        "list_appointments": "RECORD",
        "open_slots": "AGENDA",
        "close_slots": "AGENDA",
        "list_agenda": "AGENDA",
    }


@pytest.mark.parametrize("tool", WRITES, ids=lambda tool: tool.name)
def test_a_write_names_the_person_whom_its_token_is_held_to(tool: Tool) -> None:
    assert list(tool.injected(options_pb2.INJECTED_CPF)) == ["cpf"]


def test_a_persons_name_and_cpf_are_protected_wherever_they_stand() -> None:
    # A doctor's name and all that a clinic says of itself are public; what is a patient's stands in these.
    personal = [
        argument
        for message in messages()
        if message.name != "ClinicDetails"
        for argument in arguments_of(message)
        if argument.name in {"patient_name", "cpf", "birth_date", "address", "phone"}
        or argument.field.full_name == "clinic.v1.Patient.name"
    ]
    assert len(personal) > 8
    assert [each.field.full_name for each in personal if not each.options.phi] == []


def test_a_cpf_a_date_and_a_time_have_their_forms() -> None:
    forms = {"cpf": options_pb2.FORMAT_CPF, "date": options_pb2.FORMAT_DATE, "time": options_pb2.FORMAT_TIME}
    for tool in TOOLS.values():
        for each in tree(tool.method.input_type):
            form = forms.get(each.name.rpartition("_")[2])
            assert form is None or each.options.format == form, each.field.full_name


def test_every_text_that_a_caller_may_send_has_a_greatest_length() -> None:
    texts = [
        each
        for tool in TOOLS.values()
        for each in tree(tool.method.input_type)
        if each.field.type == FieldDescriptor.TYPE_STRING
    ]
    assert texts
    unbounded = [each.field.full_name for each in texts if not (each.options.max_length or each.options.format)]
    assert unbounded == []


@pytest.mark.parametrize("name", REASONS)
def test_a_reason_is_an_error_at_both_doors(name: str) -> None:
    reason = REASONS[name]
    assert reason.status is not grpc.StatusCode.OK
    assert (reason.json_rpc_code in RESERVED) == (reason.domain == "mesh.v1")


def test_a_business_code_means_one_reason() -> None:
    codes = [reason.json_rpc_code for reason in REASONS.values() if reason.domain != "mesh.v1"]
    assert len(set(codes)) == len(codes)


def test_a_status_of_the_contract_has_grpcs_own_name_and_number() -> None:
    codes = {code.name: code.value[0] for code in grpc.StatusCode}
    for name, number in options_pb2.Status.items():
        assert number == 0 or codes[name.removeprefix("STATUS_")] == number


def raised() -> list[tuple[str, str]]:
    """Return where our code makes a domain error, and its reason where it stands there as a literal."""
    found = []
    for node in NODES:
        for path in sorted((ROOT / node).rglob("*.py")):
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match call:
                    case ast.Call(func=ast.Name(id="DomainError"), args=[ast.Constant(value=str(reason)), *_]):
                        found.append((f"{path.relative_to(ROOT)}:{call.lineno}", reason))
                    case _:
                        pass
    return found


def test_every_reason_that_our_code_gives_is_in_the_contract() -> None:
    given = raised()
    assert {where.partition("/")[0] for where, _ in given} == set(NODES)
    assert [(where, reason) for where, reason in given if reason not in REASONS] == []


def test_every_reason_of_the_contract_says_when_it_is_given() -> None:
    for enum, package in ((mesh_reasons, "mesh"), (clinic_reasons, "clinic"), (memory_reasons, "memory")):
        text = (ROOT / "protos" / package / "v1" / "error_reason.proto").read_text(encoding="utf-8")
        for name in enum.ErrorReason.keys()[1:]:
            assert f'"reason": "{name.removeprefix("ERROR_REASON_")}", "domain": "{package}.v1"' in text
