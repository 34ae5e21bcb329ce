"""A client's channel: to a node or all its replicas, fast to reconnect, and repeating only what the contract allows."""

import json
import re
import tomllib
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message import Message

from generated.mesh.v1 import options_pb2
from mesh.caller import CONFIRMED_BY_KEY, TOKEN_KEY, TRACE_KEY
from mesh.catalogue import Tool, rpc_path
from mesh.errors import DomainError
from mesh.reasons import from_call
from mesh.sanitizer import Sanitized, received
from mesh.tls import ClientTls, UnprotectedAddressError, is_loopback

LARGEST_RESPONSE = 1024 * 1024  # bytes of a response: over 8,000 open slots
GRPC_OPTIONS = tomllib.loads(Path(__file__).with_name("grpc_options.toml").read_text("utf-8"))
# gRPC's names of several servers: what DNS knows by one name, or a list.
_REPLICAS = re.compile(r"(?:dns://[^/]*/|ipv[46]:)(.+)")

_Reader = Callable[[bytes], Sanitized | None]

if TYPE_CHECKING:
    _Stub = grpc.UnaryUnaryMultiCallable[Message, bytes]  # grpc's classes are generic in its type stubs only

_stubs: "WeakKeyDictionary[grpc.Channel, dict[str, tuple[_Stub, _Reader]]]" = WeakKeyDictionary()


def open_channel(address: str, services: Sequence[ServiceDescriptor], tls: ClientTls | None = None) -> grpc.Channel:
    """Return a channel for calls of `services`; UnprotectedAddressError off this machine without TLS.

    The address is "host:port"; or "dns:///host:port" for all the replicas that DNS knows by this name, of which those
    that say that they are well are called in turn.
    """
    replicas = _REPLICAS.fullmatch(address)
    config = service_config(services, replicated=replicas is not None)
    options = (
        ("grpc.service_config", config),
        ("grpc.max_receive_message_length", LARGEST_RESPONSE),
        *GRPC_OPTIONS["channel"].items(),
    )
    if tls is not None:
        own = (None, None) if tls.own is None else (tls.own.key, tls.own.certificate)
        credentials = grpc.ssl_channel_credentials(tls.pinned.get(address, tls.ca), *own)
        return grpc.secure_channel(address, credentials, options=options)
    if not all(map(is_loopback, replicas[1].split(",") if replicas else [address])):
        raise UnprotectedAddressError(f"{address} is on another machine, which takes TLS")
    return grpc.insecure_channel(address, options=options)


def service_config(services: Sequence[ServiceDescriptor], *, replicated: bool = False) -> str:
    """Return gRPC's service config as JSON: which methods may be repeated and how, and which replica is called."""
    names = [
        {"service": service.full_name, "method": method.name}
        for service in services
        for method in service.methods
        if _may_repeat(method)
    ]
    config: dict[str, object] = {"methodConfig": [], "retryThrottling": GRPC_OPTIONS["retry_throttling"]}
    if names:
        config["methodConfig"] = [{"name": names, "retryPolicy": GRPC_OPTIONS["retry_policy"]}]
    if replicated:
        config["loadBalancingConfig"] = [{"round_robin": {}}]
        config["healthCheckConfig"] = {"serviceName": services[0].full_name} if services else {}
    return json.dumps(config)


@dataclass(frozen=True, slots=True)
class CallOptions:
    """How a tool is called."""

    timeout_s: float
    trace_id: str
    token: str | None = field(default=None, repr=False)
    details: tuple[type[Message], ...] = ()  # types that a refusal may carry in `DomainError.details`
    confirmed_by: str | None = None  # the program in which a person confirmed the call


def call_tool(channel: grpc.Channel, tool: Tool, request: Message, options: CallOptions) -> Sanitized:
    """Call a tool, wait, and return its typed response, sanitized. It may be shared: do not change it.

    A future would cost twice as much: to give up early, close the channel; a write may be made all the same. A write
    without a request_id gets one, because the channel may send it twice.

    Raise DomainError if the agent refused, failed, was not reached in time, or broke the contract (WRONG_ANSWER).
    """
    if tool.request_id is not None and not request.HasField(tool.request_id):
        setattr(request, tool.request_id, str(uuid.uuid4()))
    metadata = ((TRACE_KEY, options.trace_id), *bearer(options.token))
    if options.confirmed_by is not None:
        metadata = (*metadata, (CONFIRMED_BY_KEY, options.confirmed_by))
    stub, read = stub_of(channel, tool)
    try:
        content = stub(request, timeout=options.timeout_s, metadata=metadata)
    except grpc.RpcError as error:
        raise from_call(cast("grpc.Call", error), options.details) from error
    except ValueError as error:  # what gRPC says of a closed channel
        message = "the channel was closed before the call was sent"
        raise DomainError("TIMED_OUT", message, metadata={"outcome": "unchanged"}) from error
    answer = read(content)
    if answer is None:
        raise DomainError("WRONG_ANSWER", "the agent's answer is not what the contract says")
    return answer


def stub_of(channel: grpc.Channel, tool: Tool) -> "tuple[_Stub, _Reader]":
    """Return the channel's stub for a tool and what reads its answers, made at its first call and kept with it."""
    stubs = _stubs.setdefault(channel, {})
    if tool.name not in stubs:
        # Two threads may both make one; either will do.
        stub: _Stub = channel.unary_unary(rpc_path(tool.method), request_serializer=methodcaller("SerializeToString"))
        read: _Reader = partial(received, tool.response_class)
        # A response that equals the last is not read again: a third of a listing of 500 slots.
        stubs[tool.name] = stub, lru_cache(maxsize=1)(read) if tool.options.access == options_pb2.ACCESS_READ else read
    return stubs[tool.name]


def bearer(token: str | None) -> tuple[tuple[str, str], ...]:
    """Return the metadata that carries a token; none for None."""
    return () if token is None else ((TOKEN_KEY, f"Bearer {token}"),)


def _may_repeat(method: MethodDescriptor) -> bool:
    options = method.GetOptions()
    if options.HasExtension(options_pb2.tool):
        return Tool(method).repeatable
    return bool(options.idempotency_level == MethodOptions.NO_SIDE_EFFECTS)
