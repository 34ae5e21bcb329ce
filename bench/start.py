"""Measures the time from the command to its first prompt, with six clinics to start and with them running.

The one measurement whose kinds do not take turns: what is started is what differs.
"""

from __future__ import annotations

import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack

import pexpect

from bench.measure import Figure
from bench.processes import ROOT, kept_environment
from bench.report import Goal, Section

_PROMPTS = ["você>", "you>"]
_TIMEOUT_S = 30
_COLD_GOAL_S, _WARM_GOAL_S = 1.5, 0.35
_COMMAND = [sys.executable, "-m", "orchestrator.cli"]


def measure(rounds: int) -> list[Section]:
    """Measure both.

    Args:
        rounds: Runs of each kind.
    """
    with tempfile.TemporaryDirectory(prefix="clinic-mesh-bench-") as folder:
        environment = _environment(folder)
        _to_prompt(environment)  # the first start makes six agendas and compiles; it is not measured
        cold = Figure("six clinics to start", "s", tuple(_to_prompt(environment) for _ in range(rounds)))
        subprocess.run([*_COMMAND, "up", "--detach"], env=environment, check=True, stdout=subprocess.DEVNULL)
        try:
            warm = Figure("clinics running", "s", tuple(_to_prompt(environment) for _ in range(rounds)))
        finally:
            subprocess.run([*_COMMAND, "down"], env=environment, check=True, stdout=subprocess.DEVNULL)
    goals = [Goal(cold, _COLD_GOAL_S), Goal(warm, _WARM_GOAL_S)]
    return [Section(f"command to prompt ({rounds} runs of each kind)", goals=goals)]


def _environment(folder: str) -> Mapping[str, str]:
    # An identity is given, so that the first prompt is that of the conversation.
    settings = {
        "CLINIC_MESH_DATA_DIR": folder,
        "CLINIC_MESH_BASE_PORT": str(_free_base_port()),
        "CLINIC_MESH_NAME": "Maria Souza",
        "CLINIC_MESH_CPF": "529.982.247-25",
        "TERM": "xterm-256color",
        "PYTHONPATH": str(ROOT),
    }
    kept = {name: value for name, value in kept_environment().items() if not name.startswith("CLINIC_MESH_")}
    return {**kept, **settings}


def _free_base_port() -> int:
    while True:
        base = random.randrange(20000, 32000)
        with ExitStack() as held:
            try:
                for port in range(base, base + 6):
                    held.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return base


def _to_prompt(environment: Mapping[str, str]) -> float:
    started = time.perf_counter()
    terminal = pexpect.spawn(
        _COMMAND[0], _COMMAND[1:], env=environment, encoding="utf-8", timeout=_TIMEOUT_S, dimensions=(40, 100)
    )
    try:
        terminal.expect_exact(_PROMPTS)
        elapsed_s = time.perf_counter() - started
        terminal.sendeof()
        terminal.expect(pexpect.EOF)
    finally:
        terminal.close(force=True)
    return elapsed_s
