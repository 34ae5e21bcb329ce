"""The command sends traces and metrics where it is told to, its clinics with it, and needs OpenTelemetry only then."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metric_messages
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as trace_messages
from opentelemetry.proto.resource.v1.resource_pb2 import Resource

from orchestrator.fleet.process import clinic_environment
from tests.support.home import DEADLINE_S, ROOT, Home

ME = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
ASK = ("ask", "quero um cardiologista")
CLINICS = {f"clinic_{letter}" for letter in "abcdef"}


@dataclass
class Collector:
    """Takes what OpenTelemetry sends.

    Attributes:
        spans: Trace id and name of every span, by the service that sent it.
        metrics: The names of metrics, by the service that sent them.
        texts: All that was sent, as text.
    """

    spans: dict[str, set[tuple[bytes, str]]] = field(default_factory=dict)
    metrics: dict[str, set[str]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take_spans(
        self, request: trace_messages.ExportTraceServiceRequest, _context: grpc.ServicerContext
    ) -> trace_messages.ExportTraceServiceResponse:
        with self._lock:
            self.texts.append(str(request))
            for each in request.resource_spans:
                found = {(span.trace_id, span.name) for scope in each.scope_spans for span in scope.spans}
                self.spans.setdefault(_service(each.resource), set()).update(found)
        return trace_messages.ExportTraceServiceResponse()

    def take_metrics(
        self, request: metric_messages.ExportMetricsServiceRequest, _context: grpc.ServicerContext
    ) -> metric_messages.ExportMetricsServiceResponse:
        with self._lock:
            self.texts.append(str(request))
            for each in request.resource_metrics:
                found = {metric.name for scope in each.scope_metrics for metric in scope.metrics}
                self.metrics.setdefault(_service(each.resource), set()).update(found)
        return metric_messages.ExportMetricsServiceResponse()

    def handlers(self) -> tuple[grpc.GenericRpcHandler, ...]:
        """Return the two services of a collector."""
        exports: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "trace.v1.TraceService": grpc.unary_unary_rpc_method_handler(
                self.take_spans,
                request_deserializer=trace_messages.ExportTraceServiceRequest.FromString,
                response_serializer=lambda response: response.SerializeToString(),
            ),
            "metrics.v1.MetricsService": grpc.unary_unary_rpc_method_handler(
                self.take_metrics,
                request_deserializer=metric_messages.ExportMetricsServiceRequest.FromString,
                response_serializer=lambda response: response.SerializeToString(),
            ),
        }
        return tuple(
            grpc.method_handlers_generic_handler(f"opentelemetry.proto.collector.{name}", {"Export": export})
            for name, export in exports.items()
        )


def _service(resource: Resource) -> str:
    return str(next(each.value.string_value for each in resource.attributes if each.key == "service.name"))


@pytest.fixture
def collector() -> Iterator[tuple[Collector, str]]:
    """A collector of this process, and its address."""
    collector, server = Collector(), grpc.server(ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers(collector.handlers())
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield collector, f"http://127.0.0.1:{port}"
    server.stop(None).wait(DEADLINE_S)


def without_opentelemetry(folder: Path) -> dict[str, str]:
    """Return an environment in which OpenTelemetry is not installed: another package has its name."""
    hiding = folder / "hiding" / "opentelemetry"
    hiding.mkdir(parents=True)
    (hiding / "__init__.py").touch()
    return {"PYTHONPATH": f"{hiding.parent}:{ROOT}"}


@pytest.mark.long
def test_one_trace_goes_from_the_command_to_the_clinics_that_it_started(
    home: Home, collector: tuple[Collector, str]
) -> None:
    collected, endpoint = collector
    ended = home.run(
        *ASK, environment={**ME, "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "OTEL_EXPORTER_OTLP_TIMEOUT": "30"}
    )
    assert ended.returncode == 0, ended.stderr
    (turn,) = (trace for trace, name in collected.spans["orchestrator"] if name == "turn")
    served = {
        clinic for clinic in CLINICS & collected.spans.keys() for trace, _ in collected.spans[clinic] if trace == turn
    }
    assert served == {"clinic_a", "clinic_c"}
    assert "clinic_mesh.turn.duration" in collected.metrics["orchestrator"]
    assert all("rpc.server.call.duration" in collected.metrics[clinic] for clinic in served)
    sent = "".join(collected.texts)
    assert not any(secret in sent for secret in ("Maria", "529.982", "52998224725", "Bearer", "cardiologista"))


@pytest.mark.long
def test_a_collector_that_is_not_there_costs_no_answer(home: Home) -> None:
    ended = home.run(*ASK, environment={**ME, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    assert ended.returncode == 0
    assert "Cardiologia" in ended.stdout
    assert "opentelemetry" not in ended.stderr.lower()


@pytest.mark.long
@pytest.mark.parametrize("switch", [{"CLINIC_MESH_TELEMETRY": "off"}, {"OTEL_SDK_DISABLED": "true"}])
def test_what_is_switched_off_sends_nothing(
    home: Home, collector: tuple[Collector, str], switch: dict[str, str]
) -> None:
    collected, endpoint = collector
    ended = home.run(*ASK, environment={**ME, "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, **switch})
    assert ended.returncode == 0
    assert collected.texts == []


def test_asked_for_and_not_installed_it_says_how_to_install_it(home: Home) -> None:
    environment = {**ME, **without_opentelemetry(home.folder), "CLINIC_MESH_TELEMETRY": "on"}
    ended = home.run(*ASK, environment=environment)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "make extra-telemetry" in ended.stderr


@pytest.mark.long
def test_clinics_can_be_looked_at_and_stopped_without_it(home: Home) -> None:
    environment = {**without_opentelemetry(home.folder), "CLINIC_MESH_TELEMETRY": "on"}
    assert home.run("status", environment=environment).stderr == ""
    assert home.run("down", environment=environment).returncode == 0


@pytest.mark.long
def test_variables_that_were_set_for_other_programs_stop_nothing(served_home: Home) -> None:
    environment = {
        **ME,
        **without_opentelemetry(served_home.folder),
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9",
    }
    ended = served_home.run(*ASK, environment=environment)
    assert ended.returncode == 0
    assert "CLINIC_MESH_TELEMETRY=off; going on without" in ended.stderr


def test_a_clinic_is_told_where_to_send_only_where_telemetry_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4317"}
    for name, value in {**endpoint, "OTEL_SERVICE_NAME": "mine", "OTEL_PYTHON_CONTEXT": "mine"}.items():
        monkeypatch.setenv(name, value)
    plain = clinic_environment()
    assert clinic_environment(telemetry=True) == {**plain, **endpoint}
    assert not any(name.startswith("OTEL_") for name in plain)


@pytest.mark.long
def test_where_it_is_off_nothing_of_it_is_loaded() -> None:
    program = (
        "import sys, clinics.program, clinics.__main__, orchestrator.cli.script, orchestrator.cli.in_terminal;"
        "print(*(name for name in sys.modules if name.startswith('opentelemetry')))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    assert ended.stdout.strip() == ""
