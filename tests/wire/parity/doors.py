"""Two equal clinics, one called through the typed door and one through the envelope door, step by step alike."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1 import error_reason_pb2
from generated.mesh.v1 import tool_service_pb2 as envelope
from generated.mesh.v1 import tool_service_pb2_grpc as envelope_grpc
from mesh.arguments import json_of
from mesh.caller import TRACE_KEY
from mesh.catalogue import Catalogue, rpc_path
from mesh.private_file import Disk
from mesh.reasons import Reasons

CATALOGUE = Catalogue(pb.DESCRIPTOR.services_by_name["ClinicService"])
REASONS = Reasons(error_reason_pb2.ErrorReason.DESCRIPTOR)
NOW = "2025-07-15T08:00-03:00"
DEADLINE_S = 20.0
Metadata = tuple[tuple[str, str], ...]
TRACE: Metadata = ((TRACE_KEY, "0d9f3c5e-8f0a-4f7e-9d43-2f1f7c0a6b08"),)

Json = dict[str, Any]
"""A JSON object, as a test writes it down."""

CARLOS = {"patient_name": "Carlos Teste", "cpf": "123.456.789-00"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """What both doors say of a refusal, in the words of either."""

    reason: str
    domain: str
    message: str
    metadata: Json
    violations: list[Json]
    details: list[Json]


Answer = Json | Refusal


class Door(Protocol):
    """A way to call a tool."""

    def ask(self, tool: str, arguments: Mapping[str, Any]) -> Answer: ...


class TypedDoor:
    """Calls the RPC of a tool; a refusal's status must be the contract's."""

    def __init__(self, channel: grpc.Channel, metadata: Metadata = TRACE) -> None:
        self._channel = channel
        self._metadata = metadata

    @staticmethod
    def has_room_for(tool: str, arguments: Mapping[str, Any]) -> bool:
        """Return whether a message of the tool has all these fields."""
        return set(arguments) <= set(CATALOGUE[tool].request_class.DESCRIPTOR.fields_by_name.keys())

    def ask(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        described = CATALOGUE[tool]
        call: grpc.UnaryUnaryMultiCallable[Message, Message] = self._channel.unary_unary(
            rpc_path(described.method),
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=described.response_class.FromString,
        )
        try:
            return json_of(call(described.request_class(**arguments), timeout=DEADLINE_S, metadata=self._metadata))
        except grpc.RpcError as error:
            return _refusal_of_status(error)


class EnvelopeDoor:
    """Calls tools/call; a refusal's code must be the contract's."""

    def __init__(self, channel: grpc.Channel, metadata: Metadata = TRACE) -> None:
        self._stub = envelope_grpc.ToolServiceStub(channel)
        self._metadata = metadata

    def ask(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        request = envelope.CallRequest(jsonrpc="2.0", method="tools/call", params=envelope.CallParams(name=tool))
        request.id.number_value = 1
        request.params.arguments.update(arguments)
        response = self._stub.Call(request, timeout=DEADLINE_S, metadata=self._metadata)
        if response.WhichOneof("outcome") == "result":
            return json_format.MessageToDict(response.result)
        data = json_format.MessageToDict(response.error.data)
        assert response.error.code == REASONS[data["reason"]].json_rpc_code
        return Refusal(message=response.error.message, **data)


def _refusal_of_status(error: grpc.RpcError) -> Refusal:
    status = rpc_status.from_call(error)
    assert status is not None, error
    info, bad_request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    details: list[Json] = []
    known: tuple[Message, ...] = (pb.SlotAlternatives(), error_details_pb2.RetryInfo())
    for packed in status.details:
        if not packed.Unpack(info) and not packed.Unpack(bad_request):
            (detail,) = (message for message in known if packed.Unpack(message))
            details.append({"@type": packed.type_url, **json_of(detail)})
    assert status.code == REASONS[info.reason].status.value[0]
    return Refusal(
        reason=info.reason,
        domain=info.domain,
        message=status.message,
        metadata=dict(info.metadata),
        violations=[
            {"field": fault.field, "description": fault.description, "reason": fault.reason}
            for fault in bad_request.field_violations
        ],
        details=details,
    )


Hook = Callable[[], None]


def nothing() -> None:
    """Let the disk work."""


@dataclass
class HookedDisk(Disk):
    """A real disk that a test can break or hold up.

    Attributes:
        before_write: Called before a file is written.
        before_folder_sync: Called before a new name is made durable.
    """

    before_write: Hook = nothing
    before_folder_sync: Hook = nothing

    def write(self, descriptor: int, data: bytes) -> None:
        self.before_write()
        super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            self.before_folder_sync()
        super().sync(descriptor)


@dataclass(frozen=True, slots=True)
class Side:
    """One clinic and the door that it is called through."""

    door: Door
    disk: HookedDisk
    database: Path
    another_connection: Callable[[], Door]

    @property
    def slots(self) -> list[Json]:
        """The slots as they are on the disk."""
        slots: list[Json] = json.loads(self.database.read_text("utf-8"))["slots"]
        return slots


@dataclass(frozen=True, slots=True)
class Doors:
    """Both sides."""

    typed: Side
    enveloped: Side

    def hook(self, before_write: Hook, before_folder_sync: Hook = nothing) -> None:
        """Break both disks, or hold them up."""
        for side in (self.typed, self.enveloped):
            side.disk.before_write, side.disk.before_folder_sync = before_write, before_folder_sync

    def ask(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool through both doors and return the answer that both must give, but for ids of appointments."""
        answer = self.typed.door.ask(tool, arguments)
        assert _without_ids(self.enveloped.door.ask(tool, arguments)) == _without_ids(answer)
        return answer


def _without_ids(answer: Answer) -> Answer:
    # Each clinic draws its own.
    if isinstance(answer, Refusal):
        return answer
    parts = {name: part for name, part in answer.items() if isinstance(part, dict)}
    return answer | {name: {**part, "appointment_id": bool(part.get("appointment_id"))} for name, part in parts.items()}


@contextmanager
def open_doors(folder: Path, slots: Sequence[Json] = ()) -> Iterator[Doors]:
    """Yield two clinics a with the blueprint's agenda.

    Args:
        folder: Where their silos are made.
        slots: What is in both agendas besides, in the form of db.json.
    """
    with ExitStack() as parts:

        def side(name: str, door: Callable[[grpc.Channel], Door]) -> Side:
            silo = folder / name
            silo.mkdir()
            database = silo / "db.json"
            database.write_text(json.dumps({"slots": slots}), "utf-8")
            disk = HookedDisk()
            clinic = parts.enter_context(serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW, disk=disk))

            def connect() -> Door:
                # Channels to one address share a connection unless they are told not to.
                options = (("grpc.use_local_subchannel_pool", 1),)
                return door(parts.enter_context(grpc.insecure_channel(clinic.address, options)))

            return Side(connect(), disk, database, connect)

        yield Doors(side("typed", TypedDoor), side("enveloped", EnvelopeDoor))
