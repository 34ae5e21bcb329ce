"""Telemetry whose spans and measurements stay in the test's memory."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import HistogramDataPoint, InMemoryMetricReader, NumberDataPoint
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult

from mesh.telemetry_sdk import OpenTelemetry

_WAIT_S = 20.0


class Spans(SpanExporter):
    """Keeps every span that ended."""

    def __init__(self) -> None:
        self._ended: list[ReadableSpan] = []
        self._changed = threading.Condition()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        with self._changed:
            self._ended += spans
            self._changed.notify_all()
        return SpanExportResult.SUCCESS

    def ended(self, enough: Callable[[Sequence[ReadableSpan]], bool] = lambda spans: True) -> list[ReadableSpan]:
        """Return the spans once they are enough: gRPC ends those of its calls in a thread of its own."""
        with self._changed:
            assert self._changed.wait_for(lambda: enough(self._ended), _WAIT_S), [span.name for span in self._ended]
            return list(self._ended)

    def shutdown(self) -> None:
        """Keep what is kept."""


class Watched:
    """A node's telemetry, and what came of it."""

    def __init__(self) -> None:
        self.spans = Spans()
        self._reader = InMemoryMetricReader()
        tracers = TracerProvider(shutdown_on_exit=False)
        tracers.add_span_processor(SimpleSpanProcessor(self.spans))
        self.telemetry = OpenTelemetry(tracers, MeterProvider([self._reader], shutdown_on_exit=False))

    def points(self, metric: str) -> list[tuple[dict[str, object], float]]:
        """Return what was measured: attributes, and how often or how much."""
        data = self._reader.get_metrics_data()
        assert data is not None
        return [
            (dict(point.attributes or {}), _value(point))
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for each in scope.metrics
            if each.name == metric
            for point in each.data.data_points
        ]


def _value(point: object) -> float:
    match point:
        case HistogramDataPoint():
            return point.count
        case NumberDataPoint():
            return point.value
        case _:
            raise AssertionError(f"no such point is made here: {point}")


def parent_of(span: ReadableSpan, spans: Sequence[ReadableSpan]) -> ReadableSpan | None:
    """Return the span that another is a child of; None for a root."""
    if span.parent is None:
        return None
    (found,) = (each for each in spans if each.context.span_id == span.parent.span_id)
    return found


def path_of(span: ReadableSpan, spans: Sequence[ReadableSpan]) -> str:
    """Return the names from the root to a span."""
    parent = parent_of(span, spans)
    return span.name if parent is None else f"{path_of(parent, spans)} > {span.name}"


def said_by(span: ReadableSpan) -> str:
    """Return a span as JSON without its instants: at ten o'clock these hold the "10:00" of a visit."""
    instants = {"start_time", "end_time", "timestamp"}
    return json.dumps(json.loads(span.to_json(), object_hook=lambda each: {k: each[k] for k in each.keys() - instants}))
