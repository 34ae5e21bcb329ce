"""A share of trials with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass

_Z = 1.959963984540054
"""The normal distribution's 97.5 % point."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of some trials came out one way.

    Runs of one suite repeat the same trials, so they make the rate steadier but do not count as more evidence: the
    interval is that of the trials of one run.

    Attributes:
        hits: Trials that came out that way, over all runs.
        trials: All trials, over all runs.
        runs: How many runs there were.
    """

    hits: int
    trials: int
    runs: int = 1

    @classmethod
    def of(cls, outcomes: Iterable[bool], runs: int = 1) -> Rate:
        """Return the rate of true outcomes."""
        listed: Collection[bool] = tuple(outcomes)
        return cls(sum(listed), len(listed), runs)

    @property
    def value(self) -> float | None:
        """The share, from 0 to 1; None without a trial."""
        return self.hits / self.trials if self.trials else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's score interval at 95 % (Wilson 1927); None without a trial."""
        if self.value is None:
            return None
        count = self.trials / self.runs
        shrink = 1 + _Z**2 / count
        centre = (self.value + _Z**2 / (2 * count)) / shrink
        half = _Z / shrink * math.sqrt(self.value * (1 - self.value) / count + _Z**2 / (4 * count**2))
        # At 0 and 1 the bound is exact; rounding must not move it.
        low = 0.0 if self.hits == 0 else max(0.0, centre - half)
        high = 1.0 if self.hits == self.trials else min(1.0, centre + half)
        return low, high
