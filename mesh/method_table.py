"""All methods of a server by their paths, and the refusals of calls that get no further than their metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import grpc
from google.protobuf.message import Message
from grpc_status import rpc_status

from mesh.call_admission import overloaded
from mesh.caller import headers_of
from mesh.errors import DomainError
from mesh.reasons import to_status
from mesh.transport import Doorway, Method, end_with, is_repeat

if TYPE_CHECKING:
    from mesh.transport import RpcHandler


class MethodTable(grpc.GenericRpcHandler):
    """Serves each call by its method, if there is a place for it."""

    def __init__(self, methods: Mapping[str, Method], doorway: Doorway) -> None:
        self._methods = methods
        self._admission = doorway.admission
        self._reasons = doorway.reasons
        # One thread of their own: refusals neither wait for those who serve, nor take the interpreter from them.
        self._refusers = ThreadPoolExecutor(1, "mesh-refusals")
        self._overloaded = self._refusal(overloaded())
        self._unknown = self._refusal(DomainError("METHOD_NOT_FOUND", "this agent does not serve such a method"))

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> RpcHandler:
        """Return how to serve a call."""
        method = self._methods.get(handler_call_details.method)
        if method is None:
            return self._unknown
        headers = headers_of(handler_call_details.invocation_metadata or ())
        place = self._admission.place_for(headers.token, method.kind)
        return self._overloaded if place is None else method.open(place, headers)

    def stop(self) -> None:
        """Refuse no more calls."""
        self._refusers.shutdown(wait=False)

    def _refusal(self, failure: DomainError) -> RpcHandler:
        # Made once: a flood of such calls must cost little.
        first, again = (
            rpc_status.to_status(to_status(failure, self._reasons, repeated=repeated)) for repeated in (False, True)
        )

        def behaviour(_messages: Iterator[bytes], context: grpc.ServicerContext) -> Message:
            trace_id = headers_of(context.invocation_metadata()).trace_id
            end_with(context, trace_id, again if is_repeat(context) else first)

        # gRPC takes the thread from there; where telemetry wraps the handler, it takes one of those who serve.
        behaviour.experimental_thread_pool = self._refusers  # type: ignore[attr-defined]
        return grpc.stream_unary_rpc_method_handler(behaviour)
