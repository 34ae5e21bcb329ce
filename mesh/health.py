"""gRPC's health checks: Check, List and Watch, with bounds that its own implementation lacks."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence

from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.transport import LONGEST_SILENCE_S, Stream, read_request

DESCRIPTOR = health_pb2.DESCRIPTOR.services_by_name["Health"]  # the service that `Health` implements
LONGEST_WATCH_S = 300.0  # seconds after which a watch is cancelled; a client that goes on watching asks again by itself


class Health:
    """The health of a server and its services, which are all well until `stop`."""

    def __init__(self, services: Sequence[str]) -> None:
        self._services = ("", *services)  # the empty name is the server as a whole
        self._changed = threading.Condition()
        self._is_stopped = self._is_over = False
        self._watching: set[Stream] = set()

    @property
    def _status(self) -> HealthCheckResponse.ServingStatus.ValueType:
        return HealthCheckResponse.NOT_SERVING if self._is_stopped else HealthCheckResponse.SERVING

    def check(self, request: HealthCheckRequest, _caller: Caller) -> HealthCheckResponse:
        """Return the health of one service; UNKNOWN_SERVICE if there is none of that name."""
        if request.service not in self._services:
            raise DomainError("UNKNOWN_SERVICE", "this agent has no such service")
        return HealthCheckResponse(status=self._status)

    def list(self, _request: health_pb2.HealthListRequest, _caller: Caller) -> health_pb2.HealthListResponse:
        """Return the health of all services."""
        status = HealthCheckResponse(status=self._status)
        return health_pb2.HealthListResponse(statuses=dict.fromkeys(self._services, status))

    def watch(self, stream: Stream) -> Iterator[HealthCheckResponse]:
        """Yield the health of one service, and once more when the server stops; then wait for its end."""
        content = stream.next_request(LONGEST_SILENCE_S)
        if content is None:
            raise DomainError("INVALID_ARGUMENTS", "the call ended without a message")
        request = read_request(HealthCheckRequest.FromString, content)
        if not stream.context.add_callback(self._wake):
            return
        stream.go_on(LONGEST_WATCH_S)
        is_known = request.service in self._services
        self._watching.add(stream)
        try:
            yield HealthCheckResponse(status=self._status if is_known else HealthCheckResponse.SERVICE_UNKNOWN)
            self._wait(stream, lambda: self._is_stopped)
            if is_known and stream.context.is_active():
                yield HealthCheckResponse(status=self._status)
                self._wait(stream, lambda: self._is_over)  # a client whose watch ends opens the next one at once
        finally:
            self._watching.discard(stream)

    def _wait(self, stream: Stream, is_due: Callable[[], bool]) -> None:
        with self._changed:
            self._changed.wait_for(lambda: is_due() or not stream.context.is_active())

    def stop(self, leaving_s: float) -> None:
        """Say from now on that nothing takes calls, give those who watch so long to call elsewhere, and end watches."""
        self._is_stopped = True
        self._wake()
        if self._watching:
            time.sleep(leaving_s)
        self._is_over = True
        self._wake()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
