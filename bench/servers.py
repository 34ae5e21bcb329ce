"""gRPC's two Python servers with the same echo on each: one caller's latency, and calls a second of 8 and of 64."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from bench import agenda, callers
from bench.measure import calls_per_s, interleaved, p50_us, repeated
from bench.processes import running, scratch
from bench.report import Section

_CALLS, _BURST = 100, 400


def measure(rounds: int) -> list[Section]:
    """Measure both.

    Args:
        rounds: How many count.
    """
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        content = folder / "answer"
        content.write_bytes(bytes(70 * len(agenda.make_slots(6))))
        echoes = {}
        for name, options in (("sync server", ()), ("asyncio server", ("--asyncio",))):
            server = parts.enter_context(running("bench.peers.echo", str(content), *options))
            echoes[name] = callers.Echo(parts.enter_context(callers.channel_to(server.address)), b"")
        latency = interleaved(
            {name: p50_us(repeated(echo.list), _CALLS) for name, echo in echoes.items()}, rounds, "µs p50"
        )
        sections = [Section(f"an echo of 420 bytes, one caller ({rounds} rounds)", list(latency.values()))]
        for count in (8, 64):
            bursts = {name: _burst(echo, count) for name, echo in echoes.items()}
            figures = interleaved(bursts, rounds, "calls/s")
            sections.append(Section(f"the same, {count} callers", list(figures.values())))
    return sections


def _burst(echo: callers.Echo, count: int) -> Callable[[], float]:
    return lambda: calls_per_s(lambda _: echo.list(), range(_BURST), count)
