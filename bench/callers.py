"""The clients of the contenders: each asks for the same slots and books the same ones, in its own way.

None keeps what it is answered; all parse it, as a program that uses the answer must.
"""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

import grpc
import requests
from mcp import Client
from mcp_types import TextContent

from bench.agenda import patient
from bench.measure import Batch
from bench.peers.echo import METHOD
from clinics.slots import Slot
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.caller import TRACE_KEY
from mesh.channel import CallOptions, bearer, call_tool, open_channel
from orchestrator.turn.step_actions import CATALOGUE, SERVICE

TIMEOUT_S = 30.0
_POST_TIMEOUT_S = 30
Post = Callable[..., requests.Response]
Call = Callable[[], object]


class Booker(Protocol):
    """Books and gives back; what is asked for is put together before, since only the call is measured."""

    def booking(self, slot: Slot, number: int) -> Call:
        """Return the call that books a slot for a numbered patient."""
        ...

    def cancellation(self, slot: Slot, number: int) -> Call:
        """Return the call that gives it back."""
        ...


class Typed:
    """A clinic's typed door through a generated stub.

    Args:
        channel: To the clinic.
        token: Who calls; None where none is asked for.
        has_request_id: Whether writes carry a request_id, as the orchestrator's do.
    """

    def __init__(self, channel: grpc.Channel, token: str | None = None, *, has_request_id: bool = True) -> None:
        self._stub = ClinicServiceStub(channel)
        self._metadata = _metadata(token)
        self._has_request_id = has_request_id

    def list(self) -> pb.ListAvailableSlotsResponse:
        """Ask for the open slots."""
        return self._stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S, metadata=self._metadata)

    def appointments(self) -> pb.ListAppointmentsResponse:
        """Ask for what the token's person holds."""
        return self._stub.ListAppointments(pb.ListAppointmentsRequest(), timeout=TIMEOUT_S, metadata=self._metadata)

    def booking(self, slot: Slot, number: int) -> Call:
        """Return the call that books a slot for a numbered patient."""
        name, cpf = patient(number)
        request = pb.BookAppointmentRequest(
            doctor=slot.doctor,
            date=slot.date,
            time=slot.time,
            patient_name=name,
            cpf=cpf,
            request_id=str(uuid.uuid4()) if self._has_request_id else None,
        )
        return partial(self._stub.BookAppointment, request, timeout=TIMEOUT_S, metadata=self._metadata)

    def cancellation(self, slot: Slot, number: int) -> Call:
        """Return the call that gives it back."""
        name, cpf = patient(number)
        request = pb.CancelAppointmentRequest(
            doctor=slot.doctor, date=slot.date, time=slot.time, patient_name=name, cpf=cpf
        )
        return partial(self._stub.CancelAppointment, request, timeout=TIMEOUT_S, metadata=self._metadata)


def _metadata(token: str | None) -> tuple[tuple[str, str], ...]:
    return () if token is None else ((TRACE_KEY, str(uuid.uuid4())), *bearer(token))


def tool_call(channel: grpc.Channel, token: str) -> Callable[[], object]:
    """Return a listing as the orchestrator asks for it.

    Args:
        channel: To the clinic.
        token: Who calls.
    """
    tool, trace_id = CATALOGUE["list_available_slots"], str(uuid.uuid4())

    def call() -> object:
        request = pb.ListAvailableSlotsRequest()
        return call_tool(channel, tool, request, CallOptions(timeout_s=TIMEOUT_S, trace_id=trace_id, token=token))

    return call


class Echo:
    """Raw gRPC: the bytes of a request there, the bytes of an answer back.

    Args:
        channel: To the echo.
        request: What is sent.
        token: Sent along as the clinic's callers do; None for nothing.
    """

    def __init__(self, channel: grpc.Channel, request: bytes, token: str | None = None) -> None:
        self._call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(METHOD)
        self._request = request
        self._metadata = _metadata(token)

    def list(self) -> bytes:
        """Exchange the bytes."""
        return self._call(self._request, timeout=TIMEOUT_S, metadata=self._metadata)

    def booking(self, slot: Slot, number: int) -> Call:
        """Return the exchange of the bytes."""
        del slot, number
        return self.list

    def cancellation(self, slot: Slot, number: int) -> Call:
        """Return what does nothing: nothing was booked."""
        del slot, number
        return lambda: None


class Blueprint:
    """The blueprint's router: a POST of a JSON-RPC envelope with `requests`.

    Args:
        address: The clinic's host and port.
        sessions: Whether a connection is kept, one a thread; the blueprint's text keeps none.
    """

    def __init__(self, address: str, *, sessions: bool = False) -> None:
        self._url = f"http://{address}/mcp"
        self._local = threading.local() if sessions else None

    def list(self) -> Mapping[str, Any]:
        """Ask for the open slots."""
        return self._call(_envelope("list_available_slots", {}))

    def booking(self, slot: Slot, number: int) -> Call:
        """Return the call that books a slot for a numbered patient."""
        return self._writing("book_appointment", "confirmed", slot, number)

    def cancellation(self, slot: Slot, number: int) -> Call:
        """Return the call that gives it back."""
        return self._writing("cancel_appointment", "cancelled", slot, number)

    def _writing(self, tool: str, done: str, slot: Slot, number: int) -> Call:
        name, cpf = patient(number)
        arguments = {"doctor": slot.doctor, "date": slot.date, "time": slot.time, "patient_name": name, "cpf": cpf}
        body = _envelope(tool, arguments)

        def write() -> None:
            if self._call(body)["status"] != done:
                raise RuntimeError(f"{tool} was refused")

        return write

    def _call(self, body: Mapping[str, object]) -> Mapping[str, Any]:
        response = self._post()(self._url, json=body, timeout=_POST_TIMEOUT_S)
        response.raise_for_status()
        result: Mapping[str, Any] = response.json()["result"]
        return result

    def _post(self) -> Post:
        post: Post
        if self._local is None:
            post = requests.post
            return post
        if not hasattr(self._local, "session"):
            self._local.session = requests.Session()
        post = self._local.session.post
        return post


def _envelope(tool: str, arguments: Mapping[str, str]) -> Mapping[str, object]:
    return {
        "jsonrpc": "2.0",
        "id": str(uuid.uuid4()),
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }


@contextmanager
def mcp_client(address: str) -> Iterator[Batch]:
    """Yield the official SDK's client: one session, on an event loop of its own, which also times the calls.

    Args:
        address: The server's host and port.
    """
    wanted: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[Sequence[float]] = queue.SimpleQueue()

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        async with Client(f"http://{address}/mcp") as client:
            while calls := await loop.run_in_executor(None, wanted.get):
                times: list[float] = []
                for _ in range(calls):
                    started = time.perf_counter()
                    result = await client.call_tool("list_available_slots", {})
                    if result.structured_content is None:
                        content = result.content[0]
                        if not isinstance(content, TextContent):
                            raise TypeError("the peer answers in text")
                        json.loads(content.text)
                    times.append(time.perf_counter() - started)
                done.put(times)

    def batch(calls: int) -> Sequence[float]:
        wanted.put(calls)
        return done.get(timeout=_POST_TIMEOUT_S * 4)

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    try:
        yield batch
    finally:
        wanted.put(0)
        thread.join()


@contextmanager
def channel_to(address: str) -> Iterator[grpc.Channel]:
    """Yield a channel as the orchestrator opens it.

    Args:
        address: Host and port.
    """
    with open_channel(address, [SERVICE]) as channel:
        yield channel
