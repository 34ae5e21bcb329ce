"""How long the stages of turns took, from the log."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.evaluation.turn_log import LoggedTurn


@dataclass(frozen=True, slots=True)
class Latency:
    """Times of one stage.

    Attributes:
        stage: "plan", "route", "verify", "respond" or "turn".
        turns: How many turns had the stage.
        p50_ms: Median, milliseconds.
        p95_ms: 95th percentile, milliseconds.
        max_ms: The slowest, milliseconds.
    """

    stage: str
    turns: int
    p50_ms: float
    p95_ms: float
    max_ms: float


def latencies_of(turns: Iterable[LoggedTurn]) -> tuple[Latency, ...]:
    """Return the times of each stage that any turn had."""
    times: dict[str, list[float]] = {stage: [] for stage in ("plan", "route", "verify", "respond", "turn")}
    for turn in turns:
        for stage, elapsed_ms in _stages(turn).items():
            times[stage].append(elapsed_ms)
    return tuple(
        Latency(stage, len(taken), percentile(taken, 0.5), percentile(taken, 0.95), max(taken))
        for stage, taken in times.items()
        if taken
    )


def _stages(turn: LoggedTurn) -> Mapping[str, float]:
    """Return milliseconds by stage; what is left of the turn is the responder's and the conversation's own."""
    logged = turn.elapsed_ms
    stages = {"turn": logged["turn"]}
    if "plan" in logged:
        stages["plan"] = logged["plan"]
    if turn.results:
        # Clinics are asked at once, one clinic's steps in order.
        by_clinic: dict[str, float] = {}
        for result in turn.results:
            by_clinic[result.clinic] = by_clinic.get(result.clinic, 0.0) + result.elapsed_ms
        stages["route"] = max(by_clinic.values())
    checks = [elapsed_ms for name, elapsed_ms in logged.items() if name.startswith("verify_")]
    if checks:
        stages["verify"] = sum(checks)
    known = sum(elapsed_ms for stage, elapsed_ms in stages.items() if stage != "turn")
    return {**stages, "respond": max(0.0, logged["turn"] - known)}


def percentile(times: Sequence[float], share: float) -> float:
    """Return the smallest time that `share` of the times do not exceed."""
    return sorted(times)[max(0, math.ceil(share * len(times)) - 1)]
