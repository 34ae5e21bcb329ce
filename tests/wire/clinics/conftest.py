"""Real clinics on free ports, in this process or in one of their own, with the fixed July 2025 agenda."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest

from clinics.program import serve
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.server import Server

NOW = "2025-07-15T08:00-03:00"


@pytest.fixture
def silo(tmp_path: Path) -> Path:
    return tmp_path / "silo"


@pytest.fixture
def connect() -> Iterator[Callable[[str], ClinicServiceStub]]:
    """Opens a connection of its own to an address, without any retry."""
    with ExitStack() as channels:

        def open_stub(address: str) -> ClinicServiceStub:
            options = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0))
            return ClinicServiceStub(channels.enter_context(grpc.insecure_channel(address, options=options)))

        yield open_stub


@pytest.fixture
def clinic(silo: Path) -> Iterator[Server]:
    with serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW) as running:
        yield running


@pytest.fixture
def stub(clinic: Server, connect: Callable[[str], ClinicServiceStub]) -> ClinicServiceStub:
    return connect(clinic.address)


@pytest.fixture
def spawn(silo: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `python -m clinics clinic_a` with arguments; whatever still runs at the end is killed."""
    processes: list[subprocess.Popen[str]] = []

    def start(*arguments: str, listen: str = "127.0.0.1:0", clinic_id: str = "clinic_a") -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "clinics", clinic_id, "--listen", listen, "--silo", str(silo), "--no-auth"]
        command += arguments
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        processes.append(process)
        return process

    yield start
    for process in processes:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate(timeout=20)


@pytest.fixture
def address_of() -> Callable[[subprocess.Popen[str]], str]:
    """Waits until a spawned clinic serves and returns its address."""

    def read(process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert " listening on " in line, process.communicate(timeout=20)[1]
        return line.split()[-1]

    return read
