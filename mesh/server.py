"""A node's gRPC server: its services, the envelope door over them, health, reflection, and an orderly end."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import grpc
from google.protobuf.descriptor import EnumDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_status import rpc_status

from generated.mesh.v1.refusal_service_handlers import RefusalServiceHandlers
from generated.mesh.v1.tool_service_handlers import ToolServiceHandlers
from mesh import envelope, health, reflection
from mesh.call_admission import REFUSAL_SERVICE, CallAdmission, Places, overloaded, watch
from mesh.caller import headers_of
from mesh.catalogue import rpc_path
from mesh.channel import GRPC_OPTIONS
from mesh.errors import DomainError
from mesh.health import Health
from mesh.limits import Limits
from mesh.policies import Handler, RateLimit
from mesh.reasons import Reasons, to_status
from mesh.reflection import ServerReflection
from mesh.service import Service
from mesh.tls import Renewed, ServerTls, UnprotectedAddressError, is_loopback
from mesh.tokens import TokenCheck, read_public_keys
from mesh.transport import LONGEST_CALL_S, Doorway, Method, StreamMethod, UnaryMethod, end_with, is_repeat

if TYPE_CHECKING:
    from mesh.telemetry_sdk import OpenTelemetry
    from mesh.transport import RpcHandler

LARGEST_REQUEST = 64 * 1024  # bytes of a request; every tool's arguments fit many times over
DRAIN_S = 5.0  # seconds that calls in flight are given to end when the server stops
_ADVICE = "send one that `clinic-mesh token --clinic {}` prints, as the metadata authorization: Bearer TOKEN"
_CUT_S = 2.0  # for which calls that were cut are waited for
_LEAVING_S = 0.5  # for which a node that has told its watchers that it ends still takes calls

_END_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT})
_SAME_REQUEST_S = 1.0  # in which more signals are the same request to end: a process may get it from several sides
_GRPC_OPTIONS = (
    ("grpc.max_receive_message_length", LARGEST_REQUEST),
    # Calls in flight end before their connection.
    ("grpc.max_connection_age_grace_ms", int(LONGEST_CALL_S + DRAIN_S) * 1000),
    *GRPC_OPTIONS["server"].items(),
)


class AddressInUseError(OSError):
    """Something else listens at the address."""


@dataclass(frozen=True, slots=True)
class NodePolicies:
    """Whom a node serves, and how."""

    keys: Path | None = None  # the folder of the public keys whose tokens it accepts; None: no token is needed
    limits: Limits | None = None  # how often one caller may call; None: as often as it likes
    tls: Callable[[], ServerTls] | None = None  # what holds now (`read_server_tls`); None: on the loopback only
    telemetry: "OpenTelemetry | None" = None  # stays open
    reflection: bool | None = None  # whether it describes itself to anybody; None: on the loopback only


OPEN_TO_ALL = NodePolicies()  # on this machine


@dataclass(frozen=True, slots=True)
class Server(AbstractContextManager["Server"]):
    """What serves at `address`, with the real port, until its parts are closed; a context manager that stops it."""

    address: str
    parts: ExitStack = field(repr=False)

    def stop(self) -> None:
        """Refuse new calls, let those in flight end, and return; after `DRAIN_S` they are cut."""
        self.parts.close()

    def __exit__(self, *_: object) -> None:
        self.stop()


def open_node(
    agent: str,
    listen: str,
    services: Mapping[ServiceDescriptor, object],
    reasons: Sequence[EnumDescriptor],
    policies: NodePolicies = OPEN_TO_ALL,
) -> Server:
    """Serve each service with its implementation as the agent of this id, as the clinics are served (docs/agents.md).

    `reasons` are the ErrorReason enums of the services. Raise ValueError for what cannot be served as it is,
    UnprotectedAddressError and AddressInUseError.
    """
    if policies.tls is None and not is_loopback(listen):
        raise UnprotectedAddressError(f"{listen} can be reached by other machines, which takes TLS")
    keys = None if policies.keys is None else Renewed(partial(read_public_keys, policies.keys))
    tokens = None if keys is None else TokenCheck(keys, agent, _ADVICE.format(agent))
    checks = [] if policies.limits is None else [RateLimit(policies.limits)]
    served = [Service(descriptor, implementation, checks, tokens) for descriptor, implementation in services.items()]
    meanings = Reasons(*reasons)
    doorway = Doorway(CallAdmission(tokens, policies.limits), meanings)
    tools: ToolServiceHandlers = envelope.Envelope(served, meanings, doorway.refusals)
    doors = [*served, Service(envelope.DESCRIPTOR, tools)]
    describes_itself = is_loopback(listen) if policies.reflection is None else policies.reflection
    if describes_itself:
        counts: RefusalServiceHandlers = doorway.refusals
        doors.append(Service(REFUSAL_SERVICE, counts))
    names = [door.descriptor.full_name for door in doors]
    healthy = Health(names)
    kinds, callers = doorway.admission.kinds, doorway.admission.anonymous
    methods = _health_methods(healthy, doorway)
    methods += [_unary(rpc, handler, callers, doorway) for door in doors for rpc, handler in door.by_rpc.items()]
    if describes_itself:
        answers = ServerReflection((*names, health.DESCRIPTOR.full_name)).answers
        paths = (f"/{name}/ServerReflectionInfo" for name in reflection.SERVICES)
        methods += [StreamMethod(path, answers, doorway.admission.reflections, doorway) for path in paths]
    # As many threads as places: a call that has a place never waits for a thread.
    workers = ThreadPoolExecutor(sum(places.shared_threads for places in kinds), "mesh")
    table, is_over = MethodTable(methods, doorway), threading.Event()
    watchdog = threading.Thread(target=watch, args=(kinds, is_over), name="mesh-watchdog", daemon=True)
    parts = ExitStack()
    parts.callback(is_over.set)
    for threads in (table.refusers, workers):
        parts.callback(threads.shutdown, wait=False)
    interceptors = [] if policies.telemetry is None else [*policies.telemetry.server_interceptors()]
    server = grpc.server(workers, handlers=[table], interceptors=interceptors, options=_GRPC_OPTIONS)
    parts.callback(lambda: server.stop(DRAIN_S).wait(DRAIN_S + _CUT_S))
    parts.callback(healthy.stop, _LEAVING_S)
    address = _bind(server, listen, policies.tls)
    server.start()
    watchdog.start()
    return Server(address, parts)


class MethodTable(grpc.GenericRpcHandler):
    """Serves each call by its method, if there is a place for it."""

    def __init__(self, methods: Sequence[Method], doorway: Doorway) -> None:
        self._methods = {method.path: method for method in methods}
        self._doorway = doorway
        # One thread of their own: refusals neither wait for those who serve, nor take the interpreter from them.
        self.refusers = ThreadPoolExecutor(1, "mesh-refusals")
        self._overloaded = self._refusal(overloaded())
        self._unknown = self._refusal(DomainError("METHOD_NOT_FOUND", "this agent does not serve such a method"))

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "RpcHandler":
        """Return how to serve a call."""
        method = self._methods.get(handler_call_details.method)
        if method is None:
            return self._unknown
        headers = headers_of(handler_call_details.invocation_metadata or ())
        place = self._doorway.admission.place_for(headers.token, method.kind)
        return self._overloaded if place is None else method.open(place, headers)

    def _refusal(self, failure: DomainError) -> "RpcHandler":
        # Made once: a flood of such calls must cost little.
        reasons, refusals = self._doorway.reasons, self._doorway.refusals
        statuses = (to_status(failure, reasons, repeated=repeated) for repeated in (False, True))
        first, again = map(rpc_status.to_status, statuses)

        def behaviour(_messages: Iterator[bytes], context: grpc.ServicerContext) -> Message:
            refusals.count("", failure)
            trace_id = headers_of(context.invocation_metadata()).trace_id
            end_with(context, trace_id, again if is_repeat(context) else first)

        # gRPC takes the thread from there; where telemetry wraps the handler, it takes one of those who serve.
        behaviour.experimental_thread_pool = self.refusers  # type: ignore[attr-defined]
        return grpc.stream_unary_rpc_method_handler(behaviour)


def _unary(rpc: MethodDescriptor, handler: Handler, kind: Places, doorway: Doorway) -> UnaryMethod:
    return UnaryMethod(rpc_path(rpc), GetMessageClass(rpc.input_type).FromString, handler, kind, doorway)


def _health_methods(healthy: Health, doorway: Doorway) -> list[Method]:
    rpcs, admission = health.DESCRIPTOR.methods_by_name, doorway.admission
    return [
        _unary(rpcs["Check"], healthy.check, admission.health_checks, doorway),
        _unary(rpcs["List"], healthy.list, admission.health_checks, doorway),
        StreamMethod(rpc_path(rpcs["Watch"]), healthy.watch, admission.watches, doorway),
    ]


def _bind(server: grpc.Server, listen: str, tls: Callable[[], ServerTls] | None) -> str:
    try:
        port = server.add_insecure_port(listen) if tls is None else server.add_secure_port(listen, _credentials(tls))
    except RuntimeError as error:
        raise AddressInUseError(f"cannot listen on {listen}") from error
    return f"{listen.rpartition(':')[0]}:{port}"


def _credentials(tls: Callable[[], ServerTls]) -> grpc.ServerCredentials:
    first = shown = tls()

    def renewed() -> grpc.ServerCertificateConfiguration | None:
        # Asked for each connection. Where it is None, gRPC keeps what it has; to replace it while another handshake
        # begins is not safe in gRPC's core.
        nonlocal shown
        if (now := tls()) == shown:
            return None
        shown = now
        return _configuration(now)

    fetcher = cast("Callable[[], grpc.ServerCertificateConfiguration]", renewed)  # the type stubs know no None
    return grpc.dynamic_ssl_server_credentials(_configuration(first), fetcher, first.client_ca is not None)


def _configuration(tls: ServerTls) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([(tls.own.key, tls.own.certificate)], tls.client_ca)


def hold_end_signals() -> None:
    """Hold back SIGTERM and SIGINT until `wait_for_end_signal`; call it before any thread is made: they inherit it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _END_SIGNALS)


def wait_for_end_signal() -> None:
    """Wait until the process has been asked to end, maybe before this call; asked again, it ends at once."""
    signal.sigwait(_END_SIGNALS)
    threading.Thread(target=_end_at_the_next_signal, name="mesh-signals", daemon=True).start()


def _end_at_the_next_signal() -> None:
    until = time.monotonic() + _SAME_REQUEST_S
    while (left_s := until - time.monotonic()) > 0:
        signal.sigtimedwait(_END_SIGNALS, left_s)
    os._exit(128 + signal.sigwait(_END_SIGNALS))
