"""A node's gRPC server: its services, the envelope door over them, health, reflection, and an orderly end."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import EnumDescriptor, FileDescriptor
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection

from mesh import envelope
from mesh.caller import TRACE_KEY, caller_of
from mesh.errors import DomainError
from mesh.reasons import Reasons
from mesh.service import Service
from mesh.tls import ServerTls, UnprotectedAddressError, is_loopback
from mesh.transport import LONGEST_CALL_S, read_request, refuse

MOST_CALLS = 72
"""Calls served at once. Threads are made as they are needed, so an idle server has few."""

LARGEST_REQUEST = 64 * 1024
"""Bytes of a request; every tool's arguments fit many times over."""

DRAIN_S = 5.0
"""Seconds that calls in flight are given to end when the server stops."""


_END_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT})


class AddressInUseError(OSError):
    """Something else listens at the address."""


class Server:
    """A running server at `address`, with the real port; a context manager that stops it."""

    def __init__(
        self, server: grpc.Server, address: str, healthy: health.HealthServicer, workers: ThreadPoolExecutor
    ) -> None:
        self._server = server
        self._workers = workers
        self._health = healthy
        self.address = address

    def stop(self, drain_s: float = DRAIN_S) -> None:
        """Refuse new calls, let those in flight end, and return when all have; after `drain_s` they are cut."""
        self._health.enter_graceful_shutdown()
        self._server.stop(drain_s).wait()
        self._workers.shutdown(wait=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def open_server(
    listen: str,
    services: Sequence[Service],
    reasons: Sequence[EnumDescriptor] = (),
    most_calls: int = MOST_CALLS,
    tls: ServerTls | None = None,
    interceptors: Sequence[grpc.ServerInterceptor] = (),
) -> Server:
    """Serve `services` and the envelope door over them; raise UnprotectedAddressError or AddressInUseError."""
    if tls is None and not is_loopback(listen):
        raise UnprotectedAddressError(f"{listen} can be reached by other machines, which takes TLS")
    meanings = Reasons(*reasons)
    doors = [*services, Service(envelope.DESCRIPTOR, envelope.Envelope(services, meanings))]
    workers = ThreadPoolExecutor(most_calls, "mesh")
    server = grpc.server(
        workers,
        interceptors=[*interceptors],
        options=(
            # Two servers on one port would share its calls in silence.
            ("grpc.so_reuseport", 0),
            ("grpc.max_receive_message_length", LARGEST_REQUEST),
        ),
        maximum_concurrent_rpcs=most_calls,
    )
    healthy = health.HealthServicer()
    handlers = [*(door.rpc_handlers(meanings) for door in doors), _health_handlers(healthy, meanings)]
    server.add_generic_rpc_handlers(tuple(handlers))
    names = [door.descriptor.full_name for door in doors]
    described = (*names, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(described, server, pool=_MethodFindingPool())
    address = _bind(server, listen, tls)
    server.start()
    for name in (health.OVERALL_HEALTH, *names):
        healthy.set(name, health_pb2.HealthCheckResponse.SERVING)
    return Server(server, address, healthy, workers)


def _health_handlers(servicer: health.HealthServicer, reasons: Reasons) -> grpc.GenericRpcHandler:
    # gRPC's own service, which refuses malformed bytes as all other methods do.
    def check(content: bytes, context: grpc.ServicerContext) -> health_pb2.HealthCheckResponse:
        trace_id = caller_of(context, LONGEST_CALL_S).trace_id
        try:
            request = read_request(health_pb2.HealthCheckRequest.FromString, content)
        except DomainError as error:
            refuse(context, trace_id, error, reasons)
        context.set_trailing_metadata(((TRACE_KEY, trace_id),))
        return servicer.Check(request, context)

    return grpc.method_handlers_generic_handler(
        health.SERVICE_NAME,
        {
            "Check": grpc.unary_unary_rpc_method_handler(
                check, response_serializer=health_pb2.HealthCheckResponse.SerializeToString
            ),
            "Watch": grpc.unary_stream_rpc_method_handler(
                servicer.Watch,
                health_pb2.HealthCheckRequest.FromString,
                health_pb2.HealthCheckResponse.SerializeToString,
            ),
        },
    )


def _bind(server: grpc.Server, listen: str, tls: ServerTls | None) -> str:
    try:
        port = server.add_insecure_port(listen) if tls is None else server.add_secure_port(listen, _credentials(tls))
    except RuntimeError as error:
        raise AddressInUseError(f"cannot listen on {listen}") from error
    return f"{listen.rpartition(':')[0]}:{port}"


def _credentials(tls: ServerTls) -> grpc.ServerCredentials:
    pair = (tls.own.key, tls.own.certificate)
    return grpc.ssl_server_credentials([pair], tls.client_ca, tls.client_ca is not None)


class _MethodFindingPool:
    """The default descriptor pool, which also finds methods, as `grpcurl describe` of an RPC needs."""

    def __init__(self) -> None:
        self._pool = descriptor_pool.Default()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the pool has)
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:  # noqa: N802 (the pool's name)
        """Return the file that defines `symbol`, or whose service has it as a method; KeyError if there is none."""
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            return self._pool.FindFileContainingSymbol(symbol.rpartition(".")[0])


def hold_end_signals() -> None:
    """Hold back SIGTERM and SIGINT until `wait_for_end_signal`; call it before any thread is made: they inherit it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _END_SIGNALS)


def wait_for_end_signal() -> None:
    """Wait until the process has been asked to end, which may have been before this call."""
    signal.sigwait(_END_SIGNALS)
