"""The values that figures and statistics consist of: rates with their interval, times by stage, use of a model."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.evaluation.turn_log import LoggedModelCall, LoggedTurn

NOTHING = "–"  # written where there is nothing to count

_Z = 1.959963984540054  # the normal distribution's 97.5 % point
LATENCY_HEADINGS = ("stage", "turns", "p50 ms", "p95 ms", "max ms")


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of trials with its 95 % interval."""

    hits: int  # over all runs
    trials: int  # over all runs
    runs: int = 1

    @classmethod
    def of(cls, outcomes: Iterable[bool | tuple[int, int] | None], runs: int = 1) -> "Rate":
        """Return the rate of true outcomes, or of hits among trials where they are counted; None is no trial."""
        counts = [each if isinstance(each, tuple) else (int(each), 1) for each in outcomes if each is not None]
        return cls(sum(hits for hits, _ in counts), sum(trials for _, trials in counts), runs)

    @property
    def value(self) -> float | None:
        """The share, from 0 to 1; None without a trial."""
        return self.hits / self.trials if self.trials else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's score interval at 95 % (Wilson 1927); None without a trial."""
        if self.value is None:
            return None
        # Runs of a suite repeat the same trials: they steady the rate but add no evidence.
        count = self.trials / self.runs
        shrink = 1 + _Z**2 / count
        centre = (self.value + _Z**2 / (2 * count)) / shrink
        half = _Z / shrink * math.sqrt(self.value * (1 - self.value) / count + _Z**2 / (4 * count**2))
        # At 0 and 1 the bound is exact; rounding must not move it.
        low = 0.0 if self.hits == 0 else max(0.0, centre - half)
        high = 1.0 if self.hits == self.trials else min(1.0, centre + half)
        return low, high


@dataclass(frozen=True, slots=True)
class Latency:
    """Times of one stage."""

    turns: int  # turns that had the stage
    p50_ms: float
    p95_ms: float
    max_ms: float


def latency_row(stage: str, latency: Latency) -> tuple[str, str, str, str, str]:
    """Return a stage's cells under LATENCY_HEADINGS."""
    p50, p95, slowest = (f"{each:.2f}" for each in (latency.p50_ms, latency.p95_ms, latency.max_ms))
    return stage, str(latency.turns), p50, p95, slowest


def latencies_of(turns: Iterable[LoggedTurn]) -> Mapping[str, Latency]:
    """Return the times of each stage that occurred in any turn, by its name."""
    times: dict[str, list[float]] = {stage: [] for stage in ("plan", "route", "verify", "respond", "turn")}
    for turn in turns:
        for stage, elapsed_ms in _stages(turn).items():
            times[stage].append(elapsed_ms)
    return {
        stage: Latency(len(taken), percentile(taken, 0.5), percentile(taken, 0.95), max(taken))
        for stage, taken in times.items()
        if taken
    }


def _stages(turn: LoggedTurn) -> Mapping[str, float]:
    # Clinics are asked at once, one clinic's steps in order. The rest of the turn is responder's and conversation's.
    logged = turn.elapsed_ms
    by_clinic: dict[str, float] = defaultdict(float)
    for result in turn.results:
        by_clinic[result.clinic] += result.elapsed_ms
    checks = [elapsed_ms for name, elapsed_ms in logged.items() if name.startswith("verify_")]
    stages = {"plan": logged.get("plan"), "route": max(by_clinic.values(), default=None)}
    stages["verify"] = sum(checks) if checks else None
    known = {stage: elapsed_ms for stage, elapsed_ms in stages.items() if elapsed_ms is not None}
    return {**known, "turn": logged["turn"], "respond": max(0.0, logged["turn"] - sum(known.values()))}


def percentile(times: Sequence[float], share: float) -> float:
    """Return the smallest time that is not exceeded by `share` of the times."""
    return sorted(times)[max(0, math.ceil(share * len(times)) - 1)]


@dataclass(frozen=True, slots=True)
class ModelUse:
    """The use of a language model."""

    calls: int = 0  # calls, including failed ones
    failures: Mapping[str, int] = field(default_factory=dict)  # failed calls by reason
    prompt_tokens: int = 0  # tokens read, as far as the server counted
    completion_tokens: int = 0  # tokens written, as far as the server counted
    cost_usd: float | None = None  # None without prices
    cached_tokens: int = 0  # of the tokens read, those that the server had in its cache


def use_of(calls: Sequence[LoggedModelCall]) -> ModelUse:
    """Return the use of the model in some calls."""
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    return ModelUse(
        calls=len(calls),
        failures=dict(sorted(Counter(call.failure.value for call in calls if call.failure is not None).items())),
        prompt_tokens=sum(call.prompt_tokens or 0 for call in calls),
        completion_tokens=sum(call.completion_tokens or 0 for call in calls),
        cost_usd=sum(costs) if costs else None,
        cached_tokens=sum(call.cached_tokens or 0 for call in calls),
    )


def value_of(rate: Rate) -> str:
    """Return a rate as text."""
    return NOTHING if rate.value is None else percent(rate.value)


def share_of(rate: Rate) -> str:
    """Return a rate as text with its count."""
    return f"{value_of(rate)} ({rate.hits}/{rate.trials})"


def percent(share: float) -> str:
    """Return a share with one decimal, such as "97.3 %"."""
    return f"{share * 100:.1f} %"
