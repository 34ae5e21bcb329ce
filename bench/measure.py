"""One way to measure: contenders take turns, A B C A B C, and each round of each gives one value.

A busy machine is then busy for all of them. No value is thrown away: a figure is the median of its rounds, with the
lowest and the highest beside it, and a ratio is formed round by round before its median is taken.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

Batch = Callable[[int], Sequence[float]]
"""Makes that many calls, one after another, and returns the seconds that each took."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured of one contender, or the ratio of two.

    Attributes:
        name: The contender.
        unit: Of the values; empty for a ratio.
        rounds: One value a round.
    """

    name: str
    unit: str
    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle of the rounds."""
        return statistics.median(self.rounds)

    def over(self, other: Figure) -> Figure:
        """Return this figure divided by another's, round by round.

        Args:
            other: A figure of the same run.
        """
        values = tuple(mine / theirs for mine, theirs in zip(self.rounds, other.rounds, strict=True))
        return Figure(f"{self.name} / {other.name}", "", values)


def interleaved(contenders: Mapping[str, Callable[[], float]], rounds: int, unit: str) -> dict[str, Figure]:
    """Let contenders take turns and return a figure of each.

    Args:
        contenders: By name; each measures one round and returns its value.
        rounds: How many count; one more comes before them to warm up.
        unit: Of the values.
    """
    values: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, contender in contenders.items():
            value = contender()
            if number:
                values[name].append(value)
    return {name: Figure(name, unit, tuple(rounds_)) for name, rounds_ in values.items()}


def repeated(call: Callable[[], object]) -> Batch:
    """Return a batch of a call that blocks.

    Args:
        call: What is measured.
    """

    def batch(calls: int) -> Sequence[float]:
        times: list[float] = []
        for _ in range(calls):
            started = time.perf_counter()
            call()
            times.append(time.perf_counter() - started)
        return times

    return batch


def p50_us(batch: Batch, calls: int) -> Callable[[], float]:
    """Return a contender whose value is the median of a round's calls, in microseconds.

    Args:
        batch: Makes the calls.
        calls: How many a round has.
    """
    return lambda: statistics.median(batch(calls)) * 1e6


def p50_ms(batch: Batch, calls: int) -> Callable[[], float]:
    """Return the same in milliseconds."""
    return lambda: statistics.median(batch(calls)) * 1e3


def calls_per_s(call: Callable[[int], object], numbers: Sequence[int], callers: int) -> float:
    """Make numbered calls from several threads that start together; return how many were done in a second.

    Args:
        call: Makes the call of a number.
        numbers: The calls; each caller makes its share in order.
        callers: How many threads.
    """
    barrier = threading.Barrier(callers + 1)

    def run(first: int) -> None:
        barrier.wait()
        for number in numbers[first::callers]:
            call(number)

    with ThreadPoolExecutor(callers) as pool:
        running = [pool.submit(run, first) for first in range(callers)]
        barrier.wait()
        started = time.perf_counter()
        for each in running:
            each.result()
        return len(numbers) / (time.perf_counter() - started)
