"""Measures the time from the command to its first prompt, with six clinics to start and with them running.

Prints medians beside the goals for two cores and passes no judgement: the machine may be busy.
"""

from __future__ import annotations

import argparse
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack

import pexpect

_PROMPT = "você>"
_TIMEOUT_S = 30
_COLD_GOAL_S, _WARM_GOAL_S = 1.5, 0.35
_COMMAND = [sys.executable, "-m", "orchestrator.cli"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5, help="runs of each kind (5)")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory(prefix="clinic-mesh-bench-") as folder:
        environment = _environment(folder)
        _to_prompt(environment)  # the first start makes six agendas and compiles; it is not measured
        cold = [_to_prompt(environment) for _ in range(runs)]
        subprocess.run([*_COMMAND, "up", "--detach"], env=environment, check=True, stdout=subprocess.DEVNULL)
        try:
            warm = [_to_prompt(environment) for _ in range(runs)]
        finally:
            subprocess.run([*_COMMAND, "down"], env=environment, check=True, stdout=subprocess.DEVNULL)
    print(f"command to prompt, median of {runs} runs on {os.cpu_count()} cores")
    for name, times, goal in (("six clinics to start", cold, _COLD_GOAL_S), ("clinics running", warm, _WARM_GOAL_S)):
        spread = f"{min(times):.2f} to {max(times):.2f} s"
        print(f"  {name:22} {statistics.median(times):.2f} s   (goal {goal} s; {spread})")


def _environment(folder: str) -> Mapping[str, str]:
    # An identity is given, so that the first prompt is that of the conversation.
    settings = {
        "CLINIC_MESH_DATA_DIR": folder,
        "CLINIC_MESH_BASE_PORT": str(_free_base_port()),
        "CLINIC_MESH_NAME": "Maria Souza",
        "CLINIC_MESH_CPF": "529.982.247-25",
        "TERM": "xterm-256color",
    }
    return {**{name: value for name, value in os.environ.items() if not name.startswith("CLINIC_MESH_")}, **settings}


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
        terminal.expect_exact(_PROMPT)
        elapsed_s = time.perf_counter() - started
        terminal.sendeof()
        terminal.expect(pexpect.EOF)
    finally:
        terminal.close(force=True)
    return elapsed_s


if __name__ == "__main__":
    main()
