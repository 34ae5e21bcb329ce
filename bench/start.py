"""Measures the time from the command to its first prompt, with six clinics to start and with them running.

The one measurement whose kinds do not take turns, two commits apart: what is started is what differs.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

import pexpect

from bench.command import COMMAND, command_environment, running_clinics
from bench.commits import HERE, Checkout, ratio
from bench.measure import Figure, interleaved
from bench.processes import scratch
from bench.report import Goal, Section

_PROMPTS = ["você>", "you>"]
_TIMEOUT_S = 30
_COLD_GOAL_S, _WARM_GOAL_S = 1.5, 0.45


def measure(rounds: int) -> list[Section]:
    """Measure both.

    Args:
        rounds: Runs of each kind.
    """
    cold, warm = _figures([HERE], rounds)
    goals = [
        Goal(Figure("six clinics to start", "s", cold[HERE.name].rounds), _COLD_GOAL_S),
        Goal(Figure("clinics running", "s", warm[HERE.name].rounds), _WARM_GOAL_S),
    ]
    return [Section(f"command to prompt ({rounds} runs of each kind)", goals=goals)]


def compare(rounds: int, base: Checkout) -> list[Section]:
    """Measure both kinds of two commits.

    Args:
        rounds: Runs of each kind.
        base: What the working tree is measured beside.
    """
    return [
        Section(f"command to prompt, {kind} ({rounds} runs)", [*figures.values(), ratio(figures, base)])
        for kind, figures in zip(
            ("six clinics to start", "clinics running"), _figures([HERE, base], rounds), strict=True
        )
    ]


def _figures(checkouts: Sequence[Checkout], rounds: int) -> tuple[dict[str, Figure], dict[str, Figure]]:
    """Return the figures with clinics to start and with them running; rounds to warm up make agendas and bytecode."""
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        environments = {
            each.name: command_environment(folder / str(number), each.tree) for number, each in enumerate(checkouts)
        }
        contenders = {name: lambda env=env: _to_prompt(env) for name, env in environments.items()}
        cold = interleaved(contenders, rounds, "s")
        for environment in environments.values():
            parts.enter_context(running_clinics(environment, folder))
        return cold, interleaved(contenders, rounds, "s")


def _to_prompt(environment: Mapping[str, str]) -> float:
    started = time.perf_counter()
    terminal = pexpect.spawn(
        COMMAND[0], [*COMMAND[1:]], env=environment, encoding="utf-8", timeout=_TIMEOUT_S, dimensions=(40, 100)
    )
    try:
        terminal.expect_exact(_PROMPTS)
        elapsed_s = time.perf_counter() - started
        terminal.sendeof()
        terminal.expect(pexpect.EOF)
    finally:
        terminal.close(force=True)
    return elapsed_s
