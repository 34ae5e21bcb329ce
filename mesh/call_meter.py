"""Measures the calls of a server, beside the spans that the official instrumentation makes of them.

Apart from `mesh.telemetry` because it takes gRPC, which a command asks about telemetry long before it loads.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import grpc

from mesh.caller import TRACE_KEY
from mesh.telemetry import REQUEST_ID

if TYPE_CHECKING:
    from opentelemetry.metrics import Histogram

    # grpc's classes are generic in its type stubs only.
    _Handler = grpc.RpcMethodHandler[Any, Any]
    _Behaviour = Callable[[Any, grpc.ServicerContext], Any]
    _Continuation = Callable[[grpc.HandlerCallDetails], _Handler | None]


class CallInterceptor(grpc.ServerInterceptor):
    """Measures every unary call, and puts the request id that it was answered with on the current span.

    Args:
        durations: Seconds by service, method and status.
    """

    def __init__(self, durations: Histogram) -> None:
        self._durations = durations

    def intercept_service(
        self, continuation: _Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> _Handler | None:
        """Return the method's handler, measured."""
        handler = continuation(handler_call_details)
        service, _, method = handler_call_details.method.lstrip("/").partition("/")
        if handler is None or handler.unary_unary is None or service.startswith("grpc."):
            return handler
        return grpc.unary_unary_rpc_method_handler(
            self._measured(handler.unary_unary, service, method),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    def _measured(self, behaviour: _Behaviour, service: str, method: str) -> _Behaviour:
        from opentelemetry.trace import get_current_span  # noqa: PLC0415 - loaded when on

        def measured(request: Any, context: Any) -> Any:  # noqa: ANN401 (any service's messages; `code` is not typed)
            started = time.monotonic()
            try:
                return behaviour(request, context)
            finally:
                for key, value in context.trailing_metadata() or ():
                    if key == TRACE_KEY:
                        get_current_span().set_attribute(REQUEST_ID, value)
                code = context.code() or grpc.StatusCode.OK
                self._durations.record(
                    time.monotonic() - started,
                    {"rpc.service": service, "rpc.method": method, "rpc.grpc.status_code": code.value[0]},
                )

        return measured
