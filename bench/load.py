"""Load from a client that is not ours and not Python: ghz, where it is found.

go install github.com/bojand/ghz/cmd/ghz@v0.93.0
"""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass

from bench import agenda
from bench.clinic import clinic_arguments, make_keys, token_of
from bench.measure import Figure
from bench.processes import running, scratch
from bench.report import Section
from mesh.caller import TOKEN_KEY

_METHOD = "clinic.v1.ClinicService/ListAvailableSlots"
_CALLS, _CALLERS = 4000, (1, 8, 64)


@dataclass(frozen=True, slots=True)
class _Run:
    calls_per_s: float
    p50_us: float
    p99_us: float


def measure(rounds: int) -> list[Section]:
    """Measure listings of 6 slots with tokens.

    Args:
        rounds: How often each number of callers.
    """
    ghz = shutil.which("ghz")
    if ghz is None:
        return [Section("load by ghz", remarks=["ghz is not here: skipped."])]
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        agenda.write_database(folder / "clinic" / "db.json", agenda.make_slots(6))
        keys = make_keys(folder)
        server = parts.enter_context(running("clinics", *clinic_arguments(folder / "clinic", keys.public)))
        (folder / "metadata.json").write_text(json.dumps({TOKEN_KEY: f"Bearer {token_of(keys, 'orchestrator')}"}))
        # It asks the clinic for its contract by reflection: its own parser knows no `optional`.
        command = [ghz, "--insecure", "--call", _METHOD, "--data", "{}", "--format", "json"]
        command += ["--metadata-file", str(folder / "metadata.json"), "--total", str(_CALLS)]
        figures: list[Figure] = []
        for count in _CALLERS:
            seen = [_run([*command, "--concurrency", str(count), server.address]) for _ in range(rounds)]
            figures += [
                Figure(f"{count} callers", "calls/s", tuple(run.calls_per_s for run in seen)),
                Figure(f"{count} callers, p50", "µs", tuple(run.p50_us for run in seen)),
                Figure(f"{count} callers, p99", "µs", tuple(run.p99_us for run in seen)),
            ]
    return [Section(f"list_available_slots, 6 slots, tokens, by ghz ({rounds} rounds of {_CALLS} calls)", figures)]


def _run(command: list[str]) -> _Run:
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    if report["statusCodeDistribution"] != {"OK": _CALLS}:
        raise RuntimeError(f"not every call was answered: {report['statusCodeDistribution']}")
    at = {entry["percentage"]: entry["latency"] / 1000 for entry in report["latencyDistribution"]}
    return _Run(report["rps"], at[50], at[99])
