"""One question to six clinics at once, through the router: with 50 ms in every clinic, and without."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from bench import agenda, callers
from bench.clinic import make_keys
from bench.fleet import open_fleet
from bench.measure import Batch, Figure, interleaved, p50_us, repeated
from bench.processes import running, scratch
from bench.report import Goal, Section
from orchestrator.agents.registry import Agent, Registry
from orchestrator.agents.registry_file import read_registry
from orchestrator.agents.router import MeshRouter
from orchestrator.composition.connection import connect
from orchestrator.journal.events import EventChannel
from orchestrator.security.token_keys import Protection
from orchestrator.turn.identity import Identity
from orchestrator.turn.plan import Step
from orchestrator.turn.routing import StepResult, StepStatus, TurnScope
from orchestrator.turn.step_actions import ListOpenings

_DELAY_MS = 50
_SLOW_CALLS, _CALLS = 10, 50
_SPEAKER = Identity.of("Carlos Exemplo Teste", "529.982.247-25")


def measure(rounds: int) -> list[Section]:
    """Measure both.

    Args:
        rounds: How many count.
    """
    return [_delayed(rounds), _undelayed(rounds)]


def _delayed(rounds: int) -> Section:
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        agents = {}
        for agent in read_registry(8001).values():
            path = folder / agent.id / "db.json"
            agenda.write_database(path, agenda.make_slots(6))
            server = parts.enter_context(running("bench.peers.bare_clinic", str(path), "--delay-ms", str(_DELAY_MS)))
            agents[agent.id] = Agent(agent.id, agent.specialty, server.address)
        ask = open_router(parts, Registry(agents), Protection(make_keys(folder)))
        slowest: list[float] = []

        def ratio() -> float:
            values = []
            for _ in range(_SLOW_CALLS):
                started = time.perf_counter()
                results = ask()
                elapsed_s = time.perf_counter() - started
                slowest.append(max(result.elapsed_s for result in results) * 1000)
                values.append(elapsed_s * 1000)
            return statistics.median(values)

        figure = interleaved({"six clinics at once, router": ratio}, rounds, "ms")["six clinics at once, router"]
    # The warm-up's answers are in `slowest` too, and are left out as its round is.
    by_round = [slowest[at : at + _SLOW_CALLS] for at in range(_SLOW_CALLS, len(slowest), _SLOW_CALLS)]
    worst = Figure("the slowest of the six", "ms", tuple(statistics.median(values) for values in by_round))
    return Section(
        f"fan-out to six clinics that take {_DELAY_MS} ms ({rounds} rounds of {_SLOW_CALLS})",
        [figure, worst],
        [Goal(figure.over(worst), 1.08)],
    )


def _undelayed(rounds: int) -> Section:
    with ExitStack() as parts:
        fleet = parts.enter_context(open_fleet())
        ask = open_router(parts, fleet.registry, fleet.protection)
        folder = parts.enter_context(scratch())
        stacks = [callers.Blueprint(_stack(parts, folder / str(number))) for number in range(len(fleet.servers))]
        (folder / "answer").write_bytes(bytes(70 * 6))
        pool = parts.enter_context(ThreadPoolExecutor(len(fleet.servers)))
        contenders: dict[str, Batch] = {
            "six clinics at once, router, tokens": repeated(ask),
            "six raw gRPC echoes at once, a thread each": repeated(
                _at_once(pool, [_echo(parts, folder / "answer") for _ in fleet.servers])
            ),
            "six blueprint stacks, one after another, requests": repeated(_in_turn(stacks)),
        }
        batches = {name: p50_us(batch, _CALLS) for name, batch in contenders.items()}
        ours, echoes, theirs = interleaved(batches, rounds, "µs p50").values()
    return Section(
        f"fan-out to six clinics without delay ({rounds} rounds of {_CALLS})",
        [ours, echoes, theirs, theirs.over(echoes)],
        [Goal(theirs.over(ours), 5.5, at_least=True)],
    )


def _stack(parts: ExitStack, folder: Path) -> str:
    agenda.write_database(folder / "db.json", agenda.make_slots(6))
    return parts.enter_context(running("bench.peers.blueprint", str(folder / "db.json"))).address


def _echo(parts: ExitStack, answer: Path) -> callers.Echo:
    address = parts.enter_context(running("bench.peers.echo", str(answer))).address
    return callers.Echo(parts.enter_context(callers.channel_to(address)), b"")


def _at_once(pool: Executor, echoes: Sequence[callers.Echo]) -> Callable[[], object]:
    return lambda: [*pool.map(callers.Echo.list, echoes)]


def _in_turn(stacks: Sequence[callers.Blueprint]) -> Callable[[], object]:
    return lambda: [stack.list() for stack in stacks]


def open_router(
    parts: ExitStack, registry: Registry, protection: Protection, *, is_warm: bool = True
) -> Callable[[], Sequence[StepResult]]:
    """Return a question to all clinics of a registry at once, through the orchestrator's router.

    Args:
        parts: Ends the router.
        registry: The clinics.
        protection: What tokens are signed with.
        is_warm: Whether each clinic was asked once before.
    """
    connection = parts.enter_context(connect(registry, protection))
    router = parts.enter_context(
        MeshRouter(connection.registry, connection.channels, EventChannel(), connection.credentials)
    )
    steps = [Step(number, clinic, ListOpenings()) for number, clinic in enumerate(registry, 1)]

    def ask() -> Sequence[StepResult]:
        results = router.dispatch(steps, TurnScope(_SPEAKER))
        for result in results:
            if result.status is not StepStatus.DONE:
                reason = result.error.reason if result.error else result.status
                raise RuntimeError(f"{result.step.clinic} did not answer: {reason} after {result.elapsed_s:.3f} s")
        return results

    # One clinic after another: what the first token costs each of them is `bench/memory.py`'s matter.
    for step in steps if is_warm else ():
        router.dispatch([step], TurnScope(_SPEAKER))
    return ask
