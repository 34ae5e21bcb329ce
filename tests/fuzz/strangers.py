"""What strangers send, and what they may be answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import grpc
from google.protobuf import struct_pb2
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from hypothesis import settings
from hypothesis import strategies as st

from generated.clinic.v1 import clinic_service_pb2, error_reason_pb2
from generated.mesh.v1.tool_service_pb2 import CallParams, CallRequest, CallResponse
from mesh.catalogue import Argument, Catalogue
from mesh.reasons import Reasons
from tests.support.form import tries

DEADLINE_S = 30.0
MARKS = ("987.654.321-09", "98765432109", "Fulana Secreta")
"""Values that nobody may be told of, nor find in a log."""

SERVICE = clinic_service_pb2.DESCRIPTOR.services_by_name["ClinicService"]
TOOLS = Catalogue(SERVICE)
ENVELOPE_PATH = "/mesh.v1.ToolService/Call"

_OWN_FAULTS = frozenset({"INTERNAL", "UNREACHABLE", "TIMED_OUT"})
_REASONS = Reasons(error_reason_pb2.ErrorReason.DESCRIPTOR)
REFUSALS: Mapping[str, int] = {
    name: reason.json_rpc_code for name, reason in _REASONS.items() if name not in _OWN_FAULTS
}
"""What a stranger may be refused with: the contract's reasons, without the faults of the agent and of the way there."""


def fixed(examples: int) -> settings:
    """Return settings under which each run tries the same: so many examples in a siege, fewer else."""
    return settings(derandomize=True, max_examples=tries(examples), deadline=None)


TEXTS = st.one_of(
    st.sampled_from(MARKS),
    st.sampled_from(
        ["", " ", "\0", "\u2028", "\u202e", "2025-07-21", "09:00", "Dr. Ricardo Lopes", "\U0010ffff" * 2000]
    ),
    st.text(max_size=12),
)
NUMBERS = st.one_of(st.floats(), st.sampled_from([2.0**53, -(2.0**53), 2.0**53 + 2, 7.0]))


def _struct(fields: Mapping[str, struct_pb2.Value]) -> struct_pb2.Struct:
    return struct_pb2.Struct(fields=fields)


SCALARS = st.one_of(
    st.just(struct_pb2.Value()),  # of no kind, which JSON cannot say
    st.just(struct_pb2.Value(null_value=struct_pb2.NULL_VALUE)),
    TEXTS.map(lambda text: struct_pb2.Value(string_value=text)),
    NUMBERS.map(lambda number: struct_pb2.Value(number_value=number)),
    st.booleans().map(lambda flag: struct_pb2.Value(bool_value=flag)),
)
VALUES = st.recursive(
    SCALARS,
    lambda parts: st.one_of(
        st.lists(parts, max_size=3).map(lambda items: struct_pb2.Value(list_value=struct_pb2.ListValue(values=items))),
        st.dictionaries(st.text(max_size=8), parts, max_size=3).map(
            lambda fields: struct_pb2.Value(struct_value=_struct(fields))
        ),
    ),
    max_leaves=8,
)

_GOOD: dict[str, str | bool | list[str]] = {
    "doctor": "Dr. Ricardo Lopes",
    "date": "2025-07-21",
    "time": "09:00",
    "original_date": "2025-07-21",
    "original_time": "09:00",
    "new_date": "2025-07-21",
    "new_time": "10:30",
    "patient_name": MARKS[2],
    "cpf": MARKS[0],
    "request_id": "550e8400-e29b-41d4-a716-446655440000",
    "patient_id": "A001",
    "query": "hipertensão",
    "include_past": True,
    "times": ["08:00", "08:30"],
    "dates": ["2025-07-21"],
    "weekdays": ["WEEKDAY_MONDAY"],
    "first_date": "2025-07-21",
    "last_date": "2025-07-21",
    "first_time": "08:00",
    "last_time": "18:00",
    "reason": "CLOSING_REASON_ILLNESS",
}


def good(argument: Argument) -> str | bool | list[str]:
    """Return a value that an argument takes."""
    return _GOOD[argument.name]


def _value(value: str | bool | list[str]) -> struct_pb2.Value:
    if isinstance(value, list):
        return struct_pb2.Value(list_value=struct_pb2.ListValue(values=map(_value, value)))
    return struct_pb2.Value(bool_value=value) if isinstance(value, bool) else struct_pb2.Value(string_value=value)


def _arguments(tool: str) -> st.SearchStrategy[struct_pb2.Struct]:
    """Mostly good arguments of a tool, some of them spoiled, and strange ones among them."""
    known = TOOLS[tool].arguments if tool in TOOLS else ()
    near = st.fixed_dictionaries({}, optional={one.name: st.just(_value(good(one))) | VALUES for one in known})
    strange = st.dictionaries(st.text(max_size=8), VALUES, max_size=2)
    return st.builds(lambda one, other: _struct({**other, **one}), near, st.just({}) | strange)


NAMES = st.sampled_from([*TOOLS, "no_such_tool", "", MARKS[0]])
PARAMS = NAMES.flatmap(
    lambda name: st.builds(CallParams, name=st.just(name), arguments=st.none() | _arguments(name), meta=st.none())
)
ENVELOPES = st.builds(
    CallRequest,
    jsonrpc=st.sampled_from(["2.0", "2.0", "2.0", "2.0", "1.0", "", MARKS[0]]),
    id=st.just(struct_pb2.Value(string_value="1")) | VALUES,
    method=st.sampled_from(["tools/call"] * 6 + ["tools/list", "initialize", "", MARKS[0]]),
    params=st.none() | PARAMS | PARAMS | PARAMS,
)


def check_body(answer: CallResponse) -> str:
    """Hold an answer of the envelope door against the contract; return its reason, empty for a result."""
    assert answer.jsonrpc == "2.0"
    outcome = answer.WhichOneof("outcome")
    assert outcome in {"result", "error"}
    if outcome == "result":
        return ""
    reason = answer.error.data.fields["reason"].string_value
    assert REFUSALS[reason] == answer.error.code
    assert answer.error.message
    _check_silence(answer.error.SerializeToString())
    return reason


def check_status(error: grpc.RpcError) -> str:
    """Hold a refusal of the typed door against the contract; return its reason."""
    status = rpc_status.from_call(cast("grpc.Call", error))
    assert status is not None, cast("grpc.Call", error).details()
    info = error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in status.details)
    assert info.reason in REFUSALS
    assert _REASONS[info.reason].status is cast("grpc.Call", error).code()
    _check_silence(status.SerializeToString())
    return str(info.reason)


def _check_silence(said: bytes) -> None:
    assert not [mark for mark in MARKS if mark.encode() in said]
