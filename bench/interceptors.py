"""What the mesh adds to a call: interceptor, form check, token and the second door, over the same handler without."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import ExitStack

import grpc

from bench import agenda, callers
from bench.clinic import clinic_arguments, make_keys, token_of
from bench.measure import interleaved, p50_us, repeated
from bench.processes import running, scratch
from bench.report import Goal, Section
from generated.mesh.v1 import tool_service_pb2
from generated.mesh.v1.tool_service_pb2_grpc import ToolServiceStub
from mesh.caller import TRACE_KEY
from mesh.channel import bearer

_CALLS = 100
_LIMIT = 1.15
_BARE, _OPEN, _SHIPPED = "the handler alone", "clinic without tokens", "clinic with tokens: as shipped"
_BARE_WITH_TOKEN = "the handler alone, sent the token's bytes"
_ENVELOPE = "clinic with tokens, envelope door"


def measure(rounds: int) -> list[Section]:
    """Measure with 6 and with 500 slots.

    Args:
        rounds: How many count.
    """
    return [_measure(slots, rounds) for slots in (6, 500)]


def _measure(slots: int, rounds: int) -> Section:
    data = agenda.make_slots(slots)
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        for name in ("bare", "open", "shipped"):
            agenda.write_database(folder / name / "db.json", data)
        keys = make_keys(folder)
        token = token_of(keys, "orchestrator")
        servers = {
            _BARE: ("bench.peers.bare_clinic", [str(folder / "bare" / "db.json")]),
            _OPEN: ("clinics", clinic_arguments(folder / "open", None)),
            _SHIPPED: ("clinics", clinic_arguments(folder / "shipped", keys.public)),
        }
        channels = {
            name: parts.enter_context(callers.channel_to(parts.enter_context(running(module, *arguments)).address))
            for name, (module, arguments) in servers.items()
        }
        contenders: dict[str, Callable[[], object]] = {
            _BARE: callers.Typed(channels[_BARE]).list,
            _BARE_WITH_TOKEN: callers.Typed(channels[_BARE], token).list,
            _OPEN: callers.Typed(channels[_OPEN]).list,
            _SHIPPED: callers.Typed(channels[_SHIPPED], token).list,
            _ENVELOPE: _envelope(channels[_SHIPPED], token),
        }
        batches = {name: p50_us(repeated(call), _CALLS) for name, call in contenders.items()}
        figures = interleaved(batches, rounds, "µs p50")
    return Section(
        f"what the mesh adds to list_available_slots, {slots} slots ({rounds} rounds of {_CALLS} calls)",
        [*figures.values(), figures[_SHIPPED].over(figures[_BARE_WITH_TOKEN])],
        [Goal(figures[_SHIPPED].over(figures[_BARE]), _LIMIT)],
        ["The envelope door carries Struct, which costs what it costs; it is the door of agents, not of the mesh."],
    )


def _envelope(channel: grpc.Channel, token: str) -> Callable[[], object]:
    stub = ToolServiceStub(channel)
    request = tool_service_pb2.CallRequest(jsonrpc="2.0", method="tools/call")
    request.id.string_value = "1"
    request.params.name = "list_available_slots"
    metadata = ((TRACE_KEY, str(uuid.uuid4())), *bearer(token))

    def call() -> object:
        response = stub.Call(request, timeout=callers.TIMEOUT_S, metadata=metadata)
        if response.HasField("error"):
            raise RuntimeError(response.error.message)
        return response

    return call
