"""Traces and metrics of a node by OpenTelemetry; imported only where they are on.

Attributes are ids, names of the contract, counts and statuses: nothing of a request or an answer, and no token.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import grpc
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.grpc import client_interceptor, filters, server_interceptor
from opentelemetry.instrumentation.grpc.grpcext import intercept_channel
from opentelemetry.metrics import Histogram, Meter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Tracer, get_current_span

from mesh.caller import TRACE_KEY

if TYPE_CHECKING:
    # grpc's classes are generic in its type stubs only.
    _Handler = grpc.RpcMethodHandler[Any, Any]
    _Behaviour = Callable[[Any, grpc.ServicerContext], Any]
    _Continuation = Callable[[grpc.HandlerCallDetails], _Handler | None]

SCOPE = "clinic_mesh"
"""The instrumentation scope of our own spans and metrics."""

REQUEST_ID = "clinic_mesh.request_id"
"""The attribute that holds the x-request-id of a call, which is the id of the turn that made it."""

DURATION_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

_EXPORT_TIMEOUT_S = 1.0  # a node that ends must not wait for a collector that is not there


class CallInterceptor(grpc.ServerInterceptor):
    """Measure every unary call by service, method and status, and put its request id on the current span."""

    def __init__(self, durations: Histogram) -> None:
        self._durations = durations

    def intercept_service(
        self, continuation: _Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> _Handler | None:
        """Return the method's handler, measured."""
        handler = continuation(handler_call_details)
        service, _, method = handler_call_details.method.lstrip("/").partition("/")
        # A node's unary methods take a stream of one request (`mesh.transport`).
        if handler is None or handler.stream_unary is None or service.startswith("grpc."):
            return handler
        return grpc.stream_unary_rpc_method_handler(
            self._measured(handler.stream_unary, service, method),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    def _measured(self, behaviour: _Behaviour, service: str, method: str) -> _Behaviour:
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


@dataclass(frozen=True, slots=True)
class OpenTelemetry(AbstractContextManager["OpenTelemetry"]):
    """A node's tracers and meters; a context manager that sends what is left."""

    tracers: TracerProvider
    meters: MeterProvider

    @property
    def tracer(self) -> Tracer:
        """For our own spans."""
        return self.tracers.get_tracer(SCOPE)

    @property
    def meter(self) -> Meter:
        """For our own metrics."""
        return self.meters.get_meter(SCOPE)

    def server_interceptors(self) -> Sequence[grpc.ServerInterceptor]:
        """Return what makes spans and metrics of the calls to a server; health checks are not traced."""
        spans: grpc.ServerInterceptor = server_interceptor(self.tracers, filters.negate(filters.health_check()))
        return spans, CallInterceptor(duration_histogram(self.meter, "rpc.server.call.duration"))

    def observed(self, channel: grpc.Channel) -> grpc.Channel:
        """Return a channel whose calls have spans, where one is under way."""

        def within_a_span(_call: object) -> bool:
            # The terminal asks the clinics' health all the time; a trace for each would bury those of turns.
            return get_current_span().get_span_context().is_valid

        wrapped: grpc.Channel = intercept_channel(channel, client_interceptor(self.tracers, within_a_span))
        return wrapped

    def __exit__(self, *_: object) -> None:
        # Both at once: a collector that is not there is waited for once.
        with ThreadPoolExecutor(2) as pool:
            pool.submit(self.tracers.shutdown)
            pool.submit(self.meters.shutdown)


def open_telemetry(service: str) -> OpenTelemetry:
    """Return telemetry that sends over OTLP (gRPC), as the environment says, for a node of this name (service.name)."""
    name = os.environ.get("OTEL_SERVICE_NAME", "").strip() or service
    resource = Resource.create({"service.name": name, "service.namespace": "clinic-mesh"})
    # Seconds that are set in the environment win: the exporters read them where they are given none.
    timeout_s = None if "OTEL_EXPORTER_OTLP_TIMEOUT" in os.environ else _EXPORT_TIMEOUT_S
    tracers = TracerProvider(resource=resource)
    if _is_exported("TRACES"):
        tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=timeout_s)))
    readers = [PeriodicExportingMetricReader(OTLPMetricExporter(timeout=timeout_s))] if _is_exported("METRICS") else []
    return OpenTelemetry(tracers, MeterProvider(metric_readers=readers, resource=resource))


def duration_histogram(meter: Meter, name: str) -> Histogram:
    """Return a histogram of seconds."""
    return meter.create_histogram(name, unit="s", explicit_bucket_boundaries_advisory=list(DURATION_BUCKETS_S))


def _is_exported(signal: str) -> bool:
    return os.environ.get(f"OTEL_{signal}_EXPORTER", "").strip().lower() != "none"
