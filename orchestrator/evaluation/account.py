"""What every form of the report says about an evaluation: which rows there are, and how a number is written.

It decides no layout; `markdown`, `screen` and `chart` draw the same rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from orchestrator.evaluation.figures import Figure, band_of
from orchestrator.evaluation.judgement import Score
from orchestrator.evaluation.latency import Latency
from orchestrator.evaluation.proposals import ModelUse
from orchestrator.evaluation.rate import Rate

NOTHING = "–"
"""Written where there is nothing to count."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What was evaluated, and when.

    Attributes:
        planner: The planner's name.
        suite: The suite's file name.
        agenda: The calendar that the clinics held.
        now: The instant at which appointments' time stood still.
        at: When the evaluation began, real time, aware.
    """

    planner: str
    suite: str
    agenda: str
    now: str
    at: datetime


RATE_HEADINGS = ("figure", "value", "95 % interval", "count", "band")
MODEL_TITLE = "The model alone, before code completed and checked its plans"
LATENCY_HEADINGS = ("stage", "turns", "p50 ms", "p95 ms", "max ms")


@dataclass(frozen=True, slots=True)
class Missed:
    """A query that did not come to what it must.

    Attributes:
        query: Its id.
        runs: In how many runs.
        misses: What each of these lacked.
    """

    query: str
    runs: int
    misses: tuple[str, ...]

    def __str__(self) -> str:
        """Return it as a line of text."""
        return f"{self.query} ({self.runs} run{'s' if self.runs > 1 else ''}): {'; '.join(self.misses)}"


def missed(scores: Iterable[Score]) -> Sequence[Missed]:
    """Return what was missed, the same misses of one query once."""
    counts = Counter((score.query.id, score.misses) for score in scores if not score.success)
    return [Missed(query, runs, misses) for (query, misses), runs in counts.items()]


def rate_row(figure: Figure) -> tuple[str, str, str, str, str]:
    """Return a figure's cells under RATE_HEADINGS; only TSR has a band."""
    rate = figure.rate
    interval = NOTHING if rate.interval is None else " to ".join(percent(bound) for bound in rate.interval)
    band = band_of(rate) if figure.key == "tsr" else None
    return figure.title, value_of(rate), interval, f"{rate.hits}/{rate.trials}", band or ""


def latency_row(latency: Latency) -> tuple[str, str, str, str, str]:
    """Return a stage's cells under LATENCY_HEADINGS."""
    times = (f"{each:.2f}" for each in (latency.p50_ms, latency.p95_ms, latency.max_ms))
    p50, p95, slowest = times
    return latency.stage, str(latency.turns), p50, p95, slowest


def model_sentence(use: ModelUse) -> str:
    """Return what the calls of a language model came to, as a sentence."""
    failed = ", ".join(f"{count} {reason}" for reason, count in use.failures.items()) or "none"
    cost = "no prices are set" if use.cost_usd is None else f"US$ {use.cost_usd:.4f}"
    return (
        f"Calls of the model: {use.calls}; failed: {failed}; "
        f"tokens: {use.prompt_tokens} read, {use.completion_tokens} written; cost: {cost}."
    )


def value_of(rate: Rate) -> str:
    """Return a rate as people read it."""
    return NOTHING if rate.value is None else percent(rate.value)


def percent(share: float) -> str:
    """Return a share with one decimal, such as "97.3 %"."""
    return f"{share * 100:.1f} %"
