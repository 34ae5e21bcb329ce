"""A clinic shows its metrics to Prometheus on this machine, without a collector."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import grpc
import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1 import clinic_service_pb2_grpc
from tests.support.free_ports import free_base_port
from tests.wire.parity.doors import DEADLINE_S

pytest.importorskip("prometheus_client", reason="prometheus-client is not installed (extra telemetry)")


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    return [*(sys.executable, "-m", "clinics", "clinic_a", "--no-auth", "--telemetry"), f"--silo={tmp_path}"]


def environment(port: int | str) -> dict[str, str]:
    exporters = {"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "prometheus"}
    return {**os.environ, **exporters, "OTEL_EXPORTER_PROMETHEUS_PORT": str(port)}


def test_calls_are_counted_by_tool_and_status(command: list[str]) -> None:
    port = free_base_port()
    clinic = subprocess.Popen(
        [*command, "--listen=127.0.0.1:0"], env=environment(port), stdout=subprocess.PIPE, text=True
    )
    try:
        assert clinic.stdout is not None
        address = clinic.stdout.readline().split()[-1]
        with grpc.insecure_channel(address) as channel:
            stub = clinic_service_pb2_grpc.ClinicServiceStub(channel)
            stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=DEADLINE_S)
            with pytest.raises(grpc.RpcError):
                stub.ListAppointments(pb.ListAppointmentsRequest(), timeout=DEADLINE_S)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=DEADLINE_S) as page:
            shown = page.read().decode()
    finally:
        clinic.send_signal(signal.SIGTERM)
        clinic.communicate(timeout=DEADLINE_S)
    counts = {line for line in shown.splitlines() if line.startswith("rpc_server_call_duration_seconds_count")}
    for rpc, status in (("ListAvailableSlots", "OK"), ("ListAppointments", "UNAUTHENTICATED")):
        of_rpc = [line for line in counts if f"ClinicService/{rpc}" in line and status in line]
        assert [line.rpartition(" ")[2] for line in of_rpc] == ["1.0"], shown
    assert 'service_version="' in shown


@pytest.mark.long
def test_a_port_that_cannot_be_had_is_said_in_one_line(command: list[str]) -> None:
    ended = subprocess.run(
        [*command, "--listen=127.0.0.1:0"],
        env=environment("70000"),
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("python -m clinics: metrics cannot be shown for Prometheus: ")
    assert ended.stderr.count("\n") == 1
