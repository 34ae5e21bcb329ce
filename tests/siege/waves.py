"""What strangers send: calls that are never finished, bad messages, resets, pings, forms that are too large."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from generated.mesh.v1.tool_service_pb2 import CallRequest
from tests.support.http2 import Connection, header_block, message

LISTING, BOOKING = (f"/clinic.v1.ClinicService/{name}" for name in ("ListAvailableSlots", "BookAppointment"))
ENVELOPE = "/mesh.v1.ToolService/Call"
CHECK, WATCH = "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
OLD_REFLECTION = REFLECTION.replace("v1", "v1alpha")

CALLS_PER_S = 6000
_TICK_S = 0.005


@dataclass(frozen=True, slots=True)
class Wave:
    """Calls over some connections, as many as the server lets them have."""

    paths: tuple[str, ...]
    content: bytes = b""  # what follows the headers; of a message, unless it is bad on purpose
    ends: bool = False  # whether nothing else will follow
    token: str = ""  # the name of one of the tokens given to `roll`
    is_reset: bool = False  # whether the calls are given up at once
    pings: int = 0  # before each turn
    window: int = 2**30  # bytes of answers that are read
    connections: int = 10
    calls_per_s: int = CALLS_PER_S


def _large_form() -> bytes:
    request = CallRequest(jsonrpc="2.0", method="tools/call")
    request.id.string_value = "1"
    request.params.name = "book_appointment"
    request.params.arguments.update({"doctor": [None] * 5000, **{f"{number:x}": "" for number in range(2000)}})
    return message(request.SerializeToString())


_BAD = message(b"\xff" * 64)

WAVES: Mapping[str, Wave] = {
    "half-open calls": Wave((LISTING, BOOKING, "/clinic.v1.ClinicService/GetClinic", ENVELOPE)),
    "half-open calls with forged tokens": Wave((LISTING, BOOKING, ENVELOPE), token="forged"),
    "half-open calls of one patient": Wave((LISTING, BOOKING, ENVELOPE), token="patient"),
    "half-open health checks": Wave((CHECK, "/grpc.health.v1.Health/List")),
    "calls of methods that there are not": Wave(("/no.such/Method",)),
    "messages in part": Wave((LISTING, ENVELOPE, CHECK, WATCH), message(b"x" * 60_000)[:100]),
    "idle reflection streams": Wave((REFLECTION, OLD_REFLECTION)),
    "idle watches": Wave((WATCH,), message(b"")),
    "bad messages to reflection": Wave((REFLECTION, OLD_REFLECTION), _BAD),
    "bad messages to health and tools": Wave((CHECK, WATCH, LISTING, ENVELOPE), _BAD, ends=True),
    "reflection asked for everything": Wave((REFLECTION,), message(b"\x22\x16clinic.v1.ClinicService") * 20, ends=True),
    "resets": Wave((LISTING, CHECK, REFLECTION), is_reset=True, calls_per_s=50_000),
    "pings": Wave((CHECK,), message(b""), ends=True, pings=100, calls_per_s=500),
    "answers that nobody reads": Wave(("/clinic.v1.ClinicService/GetClinic", WATCH), message(b""), ends=True, window=0),
    "large forms without a token": Wave((ENVELOPE,), _large_form(), ends=True, calls_per_s=1000),
    "large forms of one patient": Wave((ENVELOPE,), _large_form(), ends=True, token="patient", calls_per_s=1000),
    "idle connections": Wave((CHECK,), connections=400, calls_per_s=400),
}


def roll(address: str, wave: Wave, tokens: Mapping[str, str], seconds: float) -> int:
    """Send a wave for some seconds, and return how many calls were opened."""
    metadata = (("authorization", f"Bearer {tokens[wave.token]}"),) if wave.token else ()
    blocks = [header_block(path, metadata) for path in wave.paths]
    held = [Connection(address, wave.window) for _ in range(wave.connections)]
    opened, begun = 0, time.monotonic()
    try:
        while (lived := time.monotonic() - begun) < seconds:
            due = int(lived * wave.calls_per_s) - opened
            for number in range(len(held)):
                if held[number].is_over:
                    held[number].close()
                    held[number] = Connection(address, wave.window)
                block = blocks[(opened + number) % len(blocks)]
                opened += _send(held[number], wave, block, -(-due // len(held)))
                held[number].listen()
            if due <= 0:
                time.sleep(_TICK_S)
    finally:
        for connection in held:
            connection.close()
    return opened


def _send(connection: Connection, wave: Wave, block: bytes, count: int) -> int:
    if count <= 0 or connection.is_over:
        return 0
    if wave.pings:
        connection.ping(wave.pings)
    streams = connection.begin(block, count)
    if wave.content:
        for stream in streams:
            connection.say(stream, wave.content, is_last=wave.ends)
    if wave.is_reset:
        connection.reset(streams)
    return count
