"""A node's gRPC server: its services, the envelope door over them, health, reflection, and an orderly end.

Any annotated service becomes an MCP agent by being passed to `open_server`.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

import grpc
from google.protobuf.descriptor import EnumDescriptor
from grpc_health.v1 import health, health_pb2

from mesh import envelope
from mesh.addresses import is_loopback
from mesh.health import health_handlers
from mesh.reasons import Reasons
from mesh.reflection import enable_reflection
from mesh.service import Service
from mesh.tls import ServerTls, UnprotectedAddressError
from mesh.workers import Workers

MOST_CALLS = 72
"""Calls served at once. Threads are made as they are needed, so an idle server has few."""

LARGEST_REQUEST = 64 * 1024
"""Bytes of a request; every tool's arguments fit many times over."""

DRAIN_S = 5.0
"""Seconds that calls in flight are given to end when the server stops."""


class AddressInUseError(OSError):
    """Something else listens at the address."""


class Server:
    """A running server; a context manager that stops it.

    Attributes:
        address: Host and port that it listens on; the port is the real one where 0 was asked for.
    """

    def __init__(self, server: grpc.Server, address: str, healthy: health.HealthServicer, workers: Workers) -> None:
        self._server = server
        self._workers = workers
        self._health = healthy
        self.address = address

    def stop(self, drain_s: float = DRAIN_S) -> None:
        """Refuse new calls, let those in flight end, and return when all have; after `drain_s` they are cut."""
        self._health.enter_graceful_shutdown()
        self._server.stop(drain_s).wait()
        self._workers.close()

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
    """Serve `services` and the envelope door over them.

    Args:
        listen: Host and port, such as "127.0.0.1:8001"; port 0 takes a free one.
        services: What is served.
        reasons: The `ErrorReason` enums of their packages; the mesh's own is known.
        most_calls: Calls served at once; more are refused with RESOURCE_EXHAUSTED.
        tls: What it speaks TLS with; None speaks in the clear, on the loopback only.
        interceptors: Put around every call, outermost first.

    Raises:
        UnprotectedAddressError: Other machines can reach the address, and there is no TLS.
        AddressInUseError: Something listens there already, or the address is not this machine's.
    """
    if tls is None and not is_loopback(listen):
        raise UnprotectedAddressError(f"{listen} can be reached by other machines, which takes TLS")
    meanings = Reasons(*reasons)
    doors = [*services, Service(envelope.DESCRIPTOR, envelope.Envelope(services, meanings))]
    workers = Workers()
    server = grpc.server(
        workers.executor,
        interceptors=[*interceptors],
        options=(
            # Two servers on one port would share its calls in silence.
            ("grpc.so_reuseport", 0),
            ("grpc.max_receive_message_length", LARGEST_REQUEST),
        ),
        maximum_concurrent_rpcs=most_calls,
    )
    healthy = health.HealthServicer()
    handlers = [*(door.rpc_handlers(meanings) for door in doors), health_handlers(healthy, meanings)]
    server.add_generic_rpc_handlers(tuple(handlers))
    names = [door.descriptor.full_name for door in doors]
    enable_reflection(server, (*names, health.SERVICE_NAME))
    address = _bind(server, listen, tls)
    server.start()
    for name in (health.OVERALL_HEALTH, *names):
        healthy.set(name, health_pb2.HealthCheckResponse.SERVING)
    return Server(server, address, healthy, workers)


def _bind(server: grpc.Server, listen: str, tls: ServerTls | None) -> str:
    try:
        port = server.add_insecure_port(listen) if tls is None else server.add_secure_port(listen, tls.credentials)
    except RuntimeError as error:
        raise AddressInUseError(f"cannot listen on {listen}") from error
    return f"{listen.rpartition(':')[0]}:{port}"
