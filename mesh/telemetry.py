"""Whether a node sends traces and metrics by OpenTelemetry; `mesh.telemetry_sdk` makes them and is loaded only then."""

import os
from contextvars import ContextVar
from importlib.util import find_spec

_MODULES = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.grpc")
_ENDPOINTS = tuple(f"OTEL_EXPORTER_OTLP_{kind}ENDPOINT" for kind in ("", "TRACES_", "METRICS_"))
_INHERITED = (
    *("OTEL_EXPORTER_OTLP_", "OTEL_TRACES_", "OTEL_METRICS_", "OTEL_METRIC_EXPORT_", "OTEL_BSP_"),
    *("OTEL_PROPAGATORS", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_EXPORTER_PROMETHEUS_"),
)
PROMETHEUS = "prometheus"  # the metrics exporter that shows them on a port of this machine
noted_attributes: ContextVar[dict[str, str]] = ContextVar("noted_attributes")
"""What a door says of its call, for the call's span and measurement; set where telemetry is on."""

# What a person is told who asks for it in vain.
NOT_INSTALLED = (
    "telemetry takes OpenTelemetry, which is not installed: run `make extra-telemetry` in the folder of clinic-mesh"
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
    return not disabled and (shows_metrics() or any(os.environ.get(name, "").strip() for name in _ENDPOINTS))


def shows_metrics() -> bool:
    """Return whether the environment asks for metrics on a port of this machine."""
    return os.environ.get("OTEL_METRICS_EXPORTER", "").strip().lower() == PROMETHEUS


def telemetry_environment() -> dict[str, str]:
    """Return the variables by which a child process sends its own to the same place; its name is not among them."""
    return {name: value for name, value in os.environ.items() if name.startswith(_INHERITED)}
