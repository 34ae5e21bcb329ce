"""What every call gets at a node's edge: its trace id back, no work after its deadline, errors as statuses.

Bytes that are no message are the caller's error and become a status too. Transport only: who may call and with what is
the matter of policies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

from mesh.caller import TRACE_KEY, trace_id_of
from mesh.errors import DomainError
from mesh.faults import internal_error
from mesh.reasons import Reasons
from mesh.status import to_status

if TYPE_CHECKING:
    # grpc's classes are generic in its type stubs only.
    _Handler = grpc.RpcMethodHandler[Any, Any]
    _Behaviour = Callable[[Any, grpc.ServicerContext], Any]
    _Continuation = Callable[[grpc.HandlerCallDetails], _Handler | None]


class EdgeInterceptor(grpc.ServerInterceptor):
    """Wraps every unary method of a server.

    Args:
        reasons: What the reasons that its services raise mean.
    """

    def __init__(self, reasons: Reasons) -> None:
        self._reasons = reasons
        self._wrapped: dict[str, _Handler] = {}

    def intercept_service(
        self, continuation: _Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> _Handler | None:
        """Return the method's wrapped handler; a method is wrapped once."""
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is None:
            handler = continuation(handler_call_details)
            if handler is None or handler.unary_unary is None:
                return handler
            wrapped = self._wrapped[method] = grpc.unary_unary_rpc_method_handler(
                self._at_the_edge(method, _reading(handler.unary_unary, handler.request_deserializer)),
                response_serializer=handler.response_serializer,
            )
        return wrapped

    def _at_the_edge(self, method: str, behaviour: _Behaviour) -> _Behaviour:
        def edge(request: Any, context: grpc.ServicerContext) -> Any:  # noqa: ANN401 (any service's messages)
            trace_id = trace_id_of(context)
            context.set_trailing_metadata(((TRACE_KEY, trace_id),))
            if context.time_remaining() <= 0:
                failure = DomainError("TIMED_OUT", "the deadline passed before the call was begun; nothing was done")
            else:
                try:
                    return behaviour(request, context)
                except DomainError as error:
                    failure = error
                except Exception as fault:
                    if _has_ended(context):
                        raise
                    failure = internal_error(fault, method, trace_id)
            if _is_repeat(context) and not self._reasons[failure.reason].is_decision:
                failure.metadata = {**failure.metadata, "outcome": "unknown"}
            status = rpc_status.to_status(to_status(failure, self._reasons))
            # `abort_with_status` would put the details in the place of the trace id.
            context.set_trailing_metadata(((TRACE_KEY, trace_id), *status.trailing_metadata))
            return context.abort(status.code, status.details)

        return edge


def _is_repeat(context: grpc.ServicerContext) -> bool:
    """Whether gRPC sent the call before and got no answer (gRFC A6); the caller is not told so."""
    return any(key == "grpc-previous-rpc-attempts" for key, _ in context.invocation_metadata())


def _reading(behaviour: _Behaviour, read: Callable[[bytes], Any] | None) -> _Behaviour:
    """Return a method's behaviour that takes bytes.

    gRPC would answer bytes that cannot be read with INTERNAL, as if the node were at fault, and log a traceback for it.
    """

    def reading(content: bytes, context: grpc.ServicerContext) -> Any:  # noqa: ANN401 (any service's messages)
        try:
            request = content if read is None else read(content)
        except DecodeError:
            raise DomainError("INVALID_ARGUMENTS", "what was sent is no message that this method takes") from None
        return behaviour(request, context)

    return reading


def _has_ended(context: Any) -> bool:  # noqa: ANN401 (the public type lacks `code`)
    """Whether the service ended the call itself: `context.abort` raises a bare Exception after it did."""
    return context.code() is not None
