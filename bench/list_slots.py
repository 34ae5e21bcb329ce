"""list_available_slots by one caller: the clinic, raw gRPC, the blueprint's stack, the official MCP SDK."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench import agenda, callers
from bench.clinic import clinic_arguments, make_keys, token_of
from bench.commits import HERE, Checkout, ratio
from bench.measure import Figure, interleaved, p50_us, repeated
from bench.processes import kept_environment, running, scratch
from bench.report import Goal, Section
from generated.clinic.v1 import clinic_service_pb2 as pb

_CALLS = {6: 100, 500: 40}
_STARTS = 5  # of the clinics of two commits
_GOALS = {6: (1.30, 2.3, 1.8, 3.0), 500: (1.45, 3.5, 3.5, 14.0)}

STUB, CALL_TOOL = "clinic, typed stub, token", "clinic, call_tool (the orchestrator), token"
ECHO, ECHO_WITH_TOKEN = "raw gRPC echo", "raw gRPC echo that carries the token's bytes"
HANDLER = "the clinic's handler alone, sent the token's bytes"
PLAIN, SESSION = "blueprint's stack, requests", "blueprint's stack, requests.Session"
SDK, SDK_STRUCTURED = "official MCP SDK, text", "official MCP SDK, structured (its default)"


def measure(rounds: int) -> list[Section]:
    """Measure with 6 and with 500 slots.

    Args:
        rounds: How many count.
    """
    return [_measure(slots, rounds) for slots in _CALLS]


def compare(rounds: int, base: Checkout) -> list[Section]:
    """Measure the clinics of two commits: by one typed stub, and by each commit's own `call_tool`.

    Args:
        rounds: How many count.
        base: What the working tree is measured beside.
    """
    return [_compare(slots, rounds, base) for slots in _CALLS]


def _measure(slots: int, rounds: int) -> Section:
    data = agenda.make_slots(slots)
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        for name in ("clinic", "handler", "blueprint", "mcp"):
            agenda.write_database(folder / name / "db.json", data)
        keys = make_keys(folder)
        token = token_of(keys, "orchestrator")
        clinic = parts.enter_context(running("clinics", *clinic_arguments(folder / "clinic", keys.public)))
        channel = parts.enter_context(callers.channel_to(clinic.address))
        typed = callers.Typed(channel, token)
        (folder / "answer").write_bytes(typed.list().SerializeToString())
        echo = parts.enter_context(running("bench.peers.echo", str(folder / "answer")))
        handler = parts.enter_context(running("bench.peers.bare_clinic", str(folder / "handler" / "db.json")))
        handler_channel = parts.enter_context(callers.channel_to(handler.address))
        stack = parts.enter_context(running("bench.peers.blueprint", str(folder / "blueprint" / "db.json")))
        in_text, structured = (
            parts.enter_context(running("bench.peers.mcp_sdk", str(folder / "mcp" / "db.json"), *options))
            for options in ((), ("--structured",))
        )
        request = pb.ListAvailableSlotsRequest().SerializeToString()
        echo_channel = parts.enter_context(callers.channel_to(echo.address))
        _check_same_work(slots, typed, callers.Blueprint(stack.address))
        contenders = {
            STUB: repeated(typed.list),
            CALL_TOOL: repeated(callers.tool_call(channel, token)),
            ECHO: repeated(callers.Echo(echo_channel, request).list),
            ECHO_WITH_TOKEN: repeated(callers.Echo(echo_channel, request, token).list),
            HANDLER: repeated(callers.Typed(handler_channel, token).list),
            PLAIN: repeated(callers.Blueprint(stack.address).list),
            SESSION: repeated(callers.Blueprint(stack.address, sessions=True).list),
            SDK: parts.enter_context(callers.mcp_client(in_text.address)),
            SDK_STRUCTURED: parts.enter_context(callers.mcp_client(structured.address)),
        }
        batches = {name: p50_us(batch, _CALLS[slots]) for name, batch in contenders.items()}
        figures = interleaved(batches, rounds, "µs p50")
    echo_limit, plain_limit, session_limit, sdk_limit = _GOALS[slots]
    return Section(
        f"list_available_slots, {slots} slots, one caller ({rounds} rounds of {_CALLS[slots]} calls)",
        [*figures.values(), figures[HANDLER].over(figures[ECHO]), figures[SDK].over(figures[STUB])],
        [
            Goal(figures[STUB].over(figures[ECHO]), echo_limit),
            Goal(figures[CALL_TOOL].over(figures[ECHO]), echo_limit),
            Goal(figures[PLAIN].over(figures[STUB]), plain_limit, at_least=True),
            Goal(figures[SESSION].over(figures[STUB]), session_limit, at_least=True),
            Goal(figures[SDK_STRUCTURED].over(figures[STUB]), sdk_limit, at_least=True),
        ],
    )


def _compare(slots: int, rounds: int, base: Checkout) -> Section:
    # A process keeps the luck of its start, some 3 %, for as long as it lives.
    each = -(-rounds // _STARTS)
    runs = [_compare_once(slots, each, base) for _ in range(_STARTS)]
    figures = [
        Figure(same[0].name, same[0].unit, tuple(value for run in same for value in run.rounds))
        for same in zip(*runs, strict=True)
    ]
    work = f"list_available_slots, {slots} slots, one caller ({_STARTS} starts, {each} rounds of {_CALLS[slots]} calls)"
    return Section(work, figures)


def _compare_once(slots: int, rounds: int, base: Checkout) -> list[Figure]:
    data, calls = agenda.make_slots(slots), _CALLS[slots]
    by_stub: dict[str, Callable[[], float]] = {}
    by_tool: dict[str, Callable[[], float]] = {}
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        keys = make_keys(folder)
        token = token_of(keys, "orchestrator")
        for number, each in enumerate((HERE, base)):
            silo = folder / str(number)
            agenda.write_database(silo / "db.json", data)
            clinic = parts.enter_context(running("clinics", *clinic_arguments(silo, keys.public), tree=each.tree))
            channel = parts.enter_context(callers.channel_to(clinic.address))
            by_stub[each.name] = p50_us(repeated(callers.Typed(channel, token).list), calls)
            by_tool[each.name] = parts.enter_context(_tool_caller(each, clinic.address, token, calls))
        stubs = interleaved(by_stub, rounds, "µs p50")
        tools = interleaved(by_tool, rounds, "µs p50")
    return [
        Figure(f"{figure.name}, {how}", figure.unit, figure.rounds)
        for how, ours in (("typed stub of the working tree", stubs), ("its own call_tool", tools))
        for figure in (*ours.values(), ratio(ours, base))
    ]


@contextmanager
def _tool_caller(checkout: Checkout, address: str, token: str, calls: int) -> Iterator[Callable[[], float]]:
    """Yield a round of calls that a process with the commit's own mesh makes."""
    script = Path(__file__).parent / "peers" / "tool_caller.py"
    environment = {**kept_environment(), "PYTHONPATH": str(checkout.tree), "PYTHONSAFEPATH": "1"}
    with subprocess.Popen(
        [sys.executable, str(script), address, token],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as caller:
        asked, answered = caller.stdin, caller.stdout
        if asked is None or answered is None:
            raise RuntimeError("the caller has no pipes")

        def measured() -> float:
            asked.write(f"{calls}\n")
            asked.flush()
            return float(answered.readline())

        yield measured
        asked.close()


def _check_same_work(slots: int, typed: callers.Typed, stack: callers.Blueprint) -> None:
    ours = {(slot.doctor, slot.date, slot.time) for slot in typed.list().available_slots}
    theirs = {(slot["doctor"], slot["date"], slot["time"]) for slot in stack.list()["available_slots"]}
    if ours != theirs or len(ours) != slots:
        raise RuntimeError("the contenders do not hold the same slots")
