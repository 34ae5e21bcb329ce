"""Traces and metrics of a node by OpenTelemetry, for those who collect them; a node without them loads none of it.

What crosses the wire is the official gRPC instrumentation's business: a span on either side of a call, joined by the
W3C header traceparent. This module adds the mesh's own request id to the server's span, and how long calls take.
Attributes are ids, names of the contract, counts and statuses: nothing of a request or an answer, and no token. Where
spans go is said by the variables that every OpenTelemetry program reads (OTEL_EXPORTER_OTLP_ENDPOINT and its like).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import grpc
    from opentelemetry.metrics import Histogram, Meter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

SCOPE = "clinic_mesh"
"""The instrumentation scope of our own spans and metrics."""

REQUEST_ID = "clinic_mesh.request_id"
"""The attribute that holds the x-request-id of a call, which is the id of the turn that made it."""

DURATION_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

_MODULES = (
    "opentelemetry.sdk",
    "opentelemetry.exporter.otlp.proto.grpc",
    "opentelemetry.instrumentation.grpc",
)
_ENDPOINTS = tuple(f"OTEL_EXPORTER_OTLP_{kind}ENDPOINT" for kind in ("", "TRACES_", "METRICS_"))
_INHERITED = (
    *("OTEL_EXPORTER_OTLP_", "OTEL_TRACES_", "OTEL_METRICS_", "OTEL_METRIC_EXPORT_", "OTEL_BSP_"),
    *("OTEL_PROPAGATORS", "OTEL_RESOURCE_ATTRIBUTES"),
)

_EXPORT_TIMEOUT_S = 1.0
"""Seconds that a collector is waited for: a node that ends must not wait for one that is not there."""


class TelemetryError(Exception):
    """OpenTelemetry was asked for and is not installed; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            "telemetry takes OpenTelemetry, which is not installed: run `python -m pip install --editable "
            "'.[telemetry]'` in the folder of clinic-mesh"
        )


def is_installed() -> bool:
    """Return whether the packages of the extra `telemetry` are there; none is loaded."""
    try:
        return all(find_spec(module) is not None for module in _MODULES)
    except ModuleNotFoundError:
        return False


def is_configured() -> bool:
    """Return whether the environment says where spans or metrics go."""
    disabled = os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    return not disabled and any(os.environ.get(name, "").strip() for name in _ENDPOINTS)


def telemetry_environment() -> dict[str, str]:
    """Return the variables by which a child process sends its own to the same place; its name is not among them."""
    return {name: value for name, value in os.environ.items() if name.startswith(_INHERITED)}


@dataclass(frozen=True, slots=True)
class Telemetry:
    """A node's tracers and meters; a context manager that sends what is left.

    Attributes:
        tracers: Makes tracers.
        meters: Makes meters.
    """

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
        """Return what a server puts around its calls, outermost first. Health checks are no calls in this sense."""
        from opentelemetry.instrumentation.grpc import filters, server_interceptor  # noqa: PLC0415 - loaded when on

        from mesh.call_meter import CallInterceptor  # noqa: PLC0415 - it loads gRPC, which a command starts without

        spans: grpc.ServerInterceptor = server_interceptor(self.tracers, filters.negate(filters.health_check()))
        return spans, CallInterceptor(duration_histogram(self.meter, "rpc.server.call.duration"))

    def observed(self, channel: grpc.Channel) -> grpc.Channel:
        """Return a channel whose calls have a span and carry its id, where they are made within a span."""
        from opentelemetry.instrumentation.grpc import client_interceptor  # noqa: PLC0415 - loaded when on
        from opentelemetry.instrumentation.grpc.grpcext import intercept_channel  # noqa: PLC0415 - as above
        from opentelemetry.trace import get_current_span  # noqa: PLC0415 - as above

        def within_a_span(_call: object) -> bool:
            # The terminal asks the clinics' health all the time; a trace for each would bury those of turns.
            return get_current_span().get_span_context().is_valid

        wrapped: grpc.Channel = intercept_channel(channel, client_interceptor(self.tracers, within_a_span))
        return wrapped

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Both at once: a collector that is not there is waited for once.
        with ThreadPoolExecutor(2) as pool:
            pool.submit(self.tracers.shutdown)
            pool.submit(self.meters.shutdown)


def open_telemetry(service: str) -> Telemetry:
    """Return telemetry that sends over OTLP (gRPC), as the environment says.

    Args:
        service: The node's name (service.name), unless OTEL_SERVICE_NAME is set.

    Raises:
        TelemetryError: OpenTelemetry is not installed.
    """
    if not is_installed():
        raise TelemetryError
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter  # noqa: PLC0415 - when on
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - as above
    from opentelemetry.sdk.metrics import MeterProvider  # noqa: PLC0415 - as above
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader  # noqa: PLC0415 - as above
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - as above
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - as above
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - as above

    name = os.environ.get("OTEL_SERVICE_NAME", "").strip() or service
    resource = Resource.create({"service.name": name, "service.namespace": "clinic-mesh"})
    # Seconds that are set in the environment win: the exporters read them where they are given none.
    timeout_s = None if "OTEL_EXPORTER_OTLP_TIMEOUT" in os.environ else _EXPORT_TIMEOUT_S
    tracers = TracerProvider(resource=resource)
    if _is_exported("TRACES"):
        tracers.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=timeout_s)))
    readers = [PeriodicExportingMetricReader(OTLPMetricExporter(timeout=timeout_s))] if _is_exported("METRICS") else []
    return Telemetry(tracers, MeterProvider(metric_readers=readers, resource=resource))


def duration_histogram(meter: Meter, name: str) -> Histogram:
    """Return a histogram of seconds."""
    return meter.create_histogram(name, unit="s", explicit_bucket_boundaries_advisory=list(DURATION_BUCKETS_S))


def _is_exported(signal: str) -> bool:
    return os.environ.get(f"OTEL_{signal}_EXPORTER", "").strip().lower() != "none"
