"""The contract of a registered service: from a descriptor set that the registry names, or as the agent reflects it.

A descriptor set is the word of who runs the mesh; what an agent reflects is its own, such as that a tool only reads.
Who loads this loads server reflection.
"""

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
from google.protobuf.descriptor_database import DescriptorDatabase
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from generated.mesh.v1 import options_pb2
from mesh.catalogue import Catalogue
from mesh.errors import UsageError
from mesh.reasons import Reasons
from mesh.reflection import SERVICES
from orchestrator.agents.registry import REFLECTED, Agent
from orchestrator.turn import CATALOGUE, REASONS

LARGEST = 4 * 1024 * 1024  # bytes of a contract with all that it imports

_MOST_FILES = 100
_TIMEOUT_S = 5.0  # for all questions to one agent together


class ContractError(UsageError):
    """An agent's contract cannot be had or used; the message says why and names the agent."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What an agent's contract says to those who call it."""

    tools: Catalogue
    reasons: Reasons  # why it may refuse


def contract_of(agent: Agent, channel: grpc.Channel | None = None) -> Contract:
    """Return the contract of an agent; raise ContractError. Only one that reflects it is asked, over `channel`."""
    if agent.contract is None:
        return Contract(CATALOGUE, REASONS)
    if agent.contract != REFLECTED:
        channel = None
    elif channel is None:
        raise ContractError(f"{agent.id} has to be asked for its contract")
    try:
        files = _read(Path(agent.contract)) if channel is None else _reflected(agent.service, channel)
        contract = _contract(files, agent.service)
    except ContractError as error:
        raise ContractError(f"{agent.id}: {error}") from error
    if missing := [intent for intent in agent.intents or () if intent not in contract.tools]:
        known = ", ".join(contract.tools) or "no tool"
        raise ContractError(f"{agent.id}: the registry expects {', '.join(missing)}; {agent.service} has {known}")
    return contract


def _contract(files: Collection[FileDescriptorProto], service: str) -> Contract:
    database = DescriptorDatabase()
    package = service.rpartition(".")[0]
    enums = [f"{package}.{enum.name}" for file in files if file.package == package for enum in file.enum_type]
    try:
        for file in files:
            database.Add(file)
        pool = DescriptorPool(database)
        found = map(pool.FindEnumTypeByName, enums)
        reasons = [
            enum for enum in found if any(one.GetOptions().HasExtension(options_pb2.error) for one in enum.values)
        ]
        return Contract(Catalogue(pool.FindServiceByName(service)), Reasons(*reasons))
    except KeyError as error:
        raise ContractError(f"its contract has no service {service}") from error
    except (TypeError, ValueError) as error:  # what protobuf says of files that do not fit, and the catalogue
        raise ContractError(f"its contract cannot be used: {error}") from error


def _read(path: Path) -> Collection[FileDescriptorProto]:
    try:
        if path.stat().st_size > LARGEST:
            raise ContractError(f"{path}: larger than {LARGEST} bytes")
        return FileDescriptorSet.FromString(path.read_bytes()).file
    except OSError as error:
        raise ContractError(f"{path}: cannot be read: {error.strerror}") from error
    except DecodeError as error:
        raise ContractError(f"{path}: no descriptor set; protoc writes one with --descriptor_set_out") from error


def _reflected(service: str, channel: grpc.Channel) -> Collection[FileDescriptorProto]:
    files: dict[str, FileDescriptorProto] = {}
    deadline = time.monotonic() + _TIMEOUT_S
    request, missing = ServerReflectionRequest(file_containing_symbol=service), ""
    while True:
        try:
            files |= {file.name: file for file in _answered(channel, request, deadline)}
        except DecodeError as error:
            raise ContractError("what it reflects cannot be read") from error
        if len(files) > _MOST_FILES or sum(file.ByteSize() for file in files.values()) > LARGEST:
            raise ContractError(f"it reflects more than {_MOST_FILES} files or {LARGEST} bytes")
        if not files or (missing and missing not in files):
            raise ContractError(f"it does not reflect {missing or service}")
        missing = next((name for file in files.values() for name in file.dependency if name not in files), "")
        if not missing:
            return files.values()
        request = ServerReflectionRequest(file_by_filename=missing)


def _answered(
    channel: grpc.Channel, request: ServerReflectionRequest, deadline: float
) -> Iterator[FileDescriptorProto]:
    for version in SERVICES:
        ask = channel.stream_stream(
            f"/{version}/ServerReflectionInfo",
            request_serializer=ServerReflectionRequest.SerializeToString,
            response_deserializer=ServerReflectionResponse.FromString,
        )
        try:
            for answer in ask(iter([request]), timeout=max(deadline - time.monotonic(), 0.0)):
                return map(FileDescriptorProto.FromString, answer.file_descriptor_response.file_descriptor_proto)
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.UNIMPLEMENTED:
                raise ContractError(f"it does not reflect its contract: {error.code().name}") from error
    raise ContractError("it does not offer reflection; name a descriptor set in the registry instead")
