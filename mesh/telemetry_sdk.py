"""Traces and metrics of a node by OpenTelemetry; imported only where they are on.

Attributes are ids, names of the contract, counts and statuses: nothing of a request or an answer, and no token.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import grpc
from opentelemetry import propagate
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Histogram, Meter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer, get_current_span, use_span
from opentelemetry.util.types import AttributeValue

from mesh.caller import TRACE_KEY
from mesh.telemetry import PROMETHEUS, noted_attributes

if TYPE_CHECKING:
    _Handler = grpc.RpcMethodHandler[Any, Any]  # grpc's classes are generic in its type stubs only
    _Behaviour = Callable[[Any, grpc.ServicerContext], Any]
    _Continuation = Callable[[grpc.HandlerCallDetails], _Handler | None]

SCOPE = "clinic_mesh"  # the instrumentation scope of our own spans and metrics
REQUEST_ID = "clinic_mesh.request_id"  # the x-request-id of a call, which is the id of the turn that made it
DURATION_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
"""The boundaries that OpenTelemetry's conventions give for durations of calls."""

# The statuses that are a server's own failure by the conventions for gRPC; to a client, each but OK is one.
_FAILURES = {"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"}
_EXPORT_TIMEOUT_S = 1.0  # a node that ends must not wait for a collector that is not there


class CallInterceptor(grpc.ServerInterceptor):
    """Make a span and a measurement of every unary call, by OpenTelemetry's conventions for gRPC; health is neither."""

    def __init__(self, tracer: Tracer, durations: Histogram) -> None:
        self._tracer = tracer
        self._durations = durations

    def intercept_service(
        self, continuation: "_Continuation", handler_call_details: grpc.HandlerCallDetails
    ) -> "_Handler | None":
        """Return the method's handler, measured."""
        handler = continuation(handler_call_details)
        method = handler_call_details.method.lstrip("/")
        # A node's unary methods take a stream of one request (`mesh.transport`).
        if handler is None or handler.stream_unary is None or method.startswith("grpc."):
            return handler
        return grpc.stream_unary_rpc_method_handler(
            self._measured(handler.stream_unary, method),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    def _measured(self, behaviour: "_Behaviour", method: str) -> "_Behaviour":
        def measured(request: Any, context: Any) -> Any:  # noqa: ANN401 (any service's messages; `code` is not typed)
            parent = propagate.extract(dict(context.invocation_metadata()))
            started = time.monotonic()
            span = self._tracer.start_span(method, parent, SpanKind.SERVER, _of_call(method))
            with use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
                noted = noted_attributes.set({})
                try:
                    return behaviour(request, context)
                finally:
                    attributes = self._end(span, method, context)
                    self._durations.record(time.monotonic() - started, attributes)
                    noted_attributes.reset(noted)

        return measured

    def _end(self, span: Span, method: str, context: Any) -> dict[str, str]:  # noqa: ANN401 (as above)
        """Tell the span how its call ended; return the attributes of the measurement."""
        for key, value in context.trailing_metadata() or ():
            if key == TRACE_KEY:
                span.set_attribute(REQUEST_ID, value)
        code = (context.code() or grpc.StatusCode.OK).name
        # Callers can ask for any method: those that there are not have one name.
        attributes = _of_call("_OTHER" if code == "UNIMPLEMENTED" else method)
        attributes |= {"rpc.response.status_code": code, **noted_attributes.get()}
        if code in _FAILURES:
            attributes["error.type"] = code
        if attributes["rpc.method"] == "_OTHER":
            span.update_name("grpc")
        if "error.type" in attributes:
            span.set_status(StatusCode.ERROR)
        span.set_attributes(attributes)
        return attributes


class ClientSpans(grpc.UnaryUnaryClientInterceptor):
    """Make a span of each call to an address within another span, and send it along."""

    def __init__(self, tracer: Tracer, address: str) -> None:
        self._tracer = tracer
        host, _, port = address.rpartition(":")
        self._server: Mapping[str, AttributeValue] = {"server.address": host, "server.port": int(port)}

    def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:  # noqa: ANN401 (as grpc has it)
        """Make the call and return it; its span ends when it ends."""
        # The terminal asks the clinics' health all the time; a trace for each would bury those of turns.
        if not get_current_span().get_span_context().is_valid:
            return continuation(client_call_details, request)
        method, carrier = client_call_details.method.lstrip("/"), dict[str, str]()
        span = self._tracer.start_span(method, None, SpanKind.CLIENT, {**_of_call(method), **self._server})
        with use_span(span):
            propagate.inject(carrier)
            metadata = (*(client_call_details.metadata or ()), *carrier.items())
            call = continuation(client_call_details._replace(metadata=metadata), request)

        def end(done: Any) -> None:  # noqa: ANN401 (as grpc has it)
            code = done.code().name
            span.set_attribute("rpc.response.status_code", code)
            if code != grpc.StatusCode.OK.name:
                span.set_attribute("error.type", code)
                span.set_status(StatusCode.ERROR)
            span.end()

        call.add_done_callback(end)
        return call


def _of_call(method: str) -> dict[str, str]:
    return {"rpc.system.name": "grpc", "rpc.method": method}


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
        """Return what makes spans and metrics of the calls to a server."""
        return (CallInterceptor(self.tracer, duration_histogram(self.meter, "rpc.server.call.duration")),)

    def observed(self, channel: grpc.Channel, address: str) -> grpc.Channel:
        """Return a channel to `address` whose calls have spans, where one is under way."""
        observed: grpc.Channel = grpc.intercept_channel(channel, ClientSpans(self.tracer, address))
        return observed

    def __exit__(self, *_: object) -> None:
        # Both at once: a collector that is not there is waited for once.
        with ThreadPoolExecutor(2) as pool:
            pool.submit(self.tracers.shutdown)
            pool.submit(self.meters.shutdown)


def open_telemetry(service: str, shown: MetricReader | None = None) -> OpenTelemetry:
    """Return telemetry that sends over OTLP (gRPC), as the environment says, for a node of this name (service.name).

    With OTEL_METRICS_EXPORTER=prometheus metrics are not sent: `shown` reads them where the node shows them.
    """
    name = os.environ.get("OTEL_SERVICE_NAME", "").strip() or service
    node = {"service.name": name, "service.namespace": "clinic-mesh", "service.version": version("clinic-mesh")}
    resource = Resource.create(node)
    # Seconds that are set in the environment win: the exporters read them where they are given none.
    timeout_s = None if "OTEL_EXPORTER_OTLP_TIMEOUT" in os.environ else _EXPORT_TIMEOUT_S
    tracers = TracerProvider(resource=resource)
    if _exporter("TRACES") != "none":
        tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=timeout_s)))
    readers = [] if shown is None else [shown]
    if _exporter("METRICS") not in {"none", PROMETHEUS}:
        readers.append(PeriodicExportingMetricReader(OTLPMetricExporter(timeout=timeout_s)))
    return OpenTelemetry(tracers, MeterProvider(metric_readers=readers, resource=resource))


def duration_histogram(meter: Meter, name: str) -> Histogram:
    """Return a histogram of seconds."""
    return meter.create_histogram(name, unit="s", explicit_bucket_boundaries_advisory=list(DURATION_BUCKETS_S))


def _exporter(signal: str) -> str:
    return os.environ.get(f"OTEL_{signal}_EXPORTER", "").strip().lower()
