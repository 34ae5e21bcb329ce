"""How often a node refused calls, by method and reason: `mesh.v1.RefusalService`."""

import threading
from collections import Counter

from google.protobuf.timestamp_pb2 import Timestamp

from generated.mesh.v1 import refusal_service_pb2 as pb
from mesh.caller import Caller
from mesh.errors import DomainError

DESCRIPTOR = pb.DESCRIPTOR.services_by_name["RefusalService"]  # the service that `Refusals` implements


class Refusals:
    """The counts of one server. Safe for threads; the methods that are counted are its own, so there are few."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._since = Timestamp()
        self._since.GetCurrentTime()

    def count(self, method: str, refusal: DomainError) -> None:
        """Count a call of `method`, empty where none was looked at."""
        with self._lock:
            self._counts[method, refusal.reason] += 1

    def list_refusals(self, _request: pb.ListRefusalsRequest, _caller: Caller) -> pb.ListRefusalsResponse:
        """Return the counts so far, in order of method and reason."""
        with self._lock:
            counts = sorted(self._counts.items())
        refusals = [pb.Refusal(method=method, reason=reason, calls=calls) for (method, reason), calls in counts]
        return pb.ListRefusalsResponse(since=self._since, refusals=refusals)
