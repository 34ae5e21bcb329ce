"""A whole offline turn: plan, route to two clinics, verify, respond, verify; and how much of it the calls are.

Measured in this process, turn by turn; and through the command line, as `compare` measures two commits.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

from bench.command import ListingTurns, listing_turns
from bench.commits import HERE, Checkout, ratio
from bench.fleet import open_fleet
from bench.measure import Figure, interleaved, p50_ms, repeated
from bench.processes import NOW
from bench.report import Goal, Section
from mesh.clock import clock_at
from orchestrator.composition import open_conversation
from orchestrator.composition.connection import connect
from orchestrator.journal.events import ClinicAnswered, EventChannel
from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Session

_TURNS = 20
_LIMIT_MS = 10
_SAYINGS = ("quero marcar uma consulta com cardiologista", "what times does the cardiologist have next week?")
_SPEAKER = Identity.of("Carlos Exemplo Teste", "529.982.247-25")


def measure(rounds: int) -> list[Section]:
    """Measure turns that list two clinics.

    Args:
        rounds: How many count.
    """
    return [_in_process(rounds), _by_command([HERE], rounds)]


def compare(rounds: int, base: Checkout) -> list[Section]:
    """Measure the listing turn of two commits.

    Args:
        rounds: How many count.
        base: What the working tree is measured beside.
    """
    return [_by_command([HERE, base], rounds)]


def _by_command(checkouts: Sequence[Checkout], rounds: int) -> Section:
    computed: dict[str, list[float]] = {each.name: [] for each in checkouts}

    def round_of(name: str, turns: ListingTurns) -> float:
        before = turns.cpu_s()
        elapsed_ms = p50_ms(repeated(turns.take), _TURNS)()
        computed[name].append((turns.cpu_s() - before) * 1000 / _TURNS)
        return elapsed_ms

    with ExitStack() as parts:
        turns = {each.name: parts.enter_context(listing_turns(each.tree)) for each in checkouts}
        elapsed = interleaved({name: partial(round_of, name, each) for name, each in turns.items()}, rounds, "ms p50")
    # The first round warms up.
    cpu = {name: Figure(f"{name}, computing", "ms", tuple(values[1:])) for name, values in computed.items()}
    ratios = [ratio(figures, base) for base in checkouts[1:] for figures in (elapsed, cpu)]
    work = f'"quero um cardiologista" over two clinics, by standard input ({rounds} rounds of {_TURNS})'
    return Section(work, [*elapsed.values(), *cpu.values(), *ratios])


def _in_process(rounds: int) -> Section:
    answered: list[ClinicAnswered] = []
    own: list[float] = []
    with ExitStack() as parts:
        fleet = parts.enter_context(open_fleet())
        connection = parts.enter_context(connect(fleet.registry, fleet.protection))
        events = EventChannel()
        events.subscribe(lambda event: answered.append(event) if isinstance(event, ClinicAnswered) else None)
        conversation = parts.enter_context(open_conversation(connection, clock_at(NOW), events))

        def round_() -> float:
            times: list[float] = []
            beyond: list[float] = []
            for number in range(_TURNS):
                answered.clear()
                started = time.perf_counter()
                conversation.turn(Session(_SPEAKER), _SAYINGS[number % len(_SAYINGS)])
                elapsed_ms = (time.perf_counter() - started) * 1000
                if len(answered) != 2:
                    raise RuntimeError("the turn did not ask two clinics")
                times.append(elapsed_ms)
                beyond.append(elapsed_ms - max(event.elapsed_s for event in answered) * 1000)
            own.append(_p95(beyond))
            return _p95(times)

        whole = interleaved({"whole turn, p95": round_}, rounds, "ms")["whole turn, p95"]
    beyond_calls = Figure("whole turn without the slower of its two calls, p95", "ms", tuple(own[1:]))
    return Section(
        f"an offline turn over two clinics ({rounds} rounds of {_TURNS})",
        [whole, beyond_calls],
        [Goal(beyond_calls, _LIMIT_MS)],
    )


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]
