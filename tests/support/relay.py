"""A gRPC server between the orchestrator and one clinic: it passes every call on, and fails as it is told to.

It knows no message: requests and answers are bytes. What a clinic acknowledged is kept, whatever became of the answer
on its way back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn, cast

import grpc

from mesh.caller import TOKEN_KEY
from orchestrator.turn.step_actions import SERVICE

_DEADLINE_S = 20.0
"""Seconds that a clinic has for a call; more than any caller has, so that what it did is always learnt."""

_PASSED_ON = frozenset({TOKEN_KEY, "x-request-id", "grpc-previous-rpc-attempts"})
_TOOLS = f"/{SERVICE.full_name}/"

Metadata = tuple[tuple[str, str | bytes], ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """One call on its way.

    Attributes:
        method: The method's path.
        request: As it came.
        metadata: What is passed on of what came with it.
    """

    method: str
    request: bytes = field(repr=False)
    metadata: Metadata = field(repr=False)
    context: grpc.ServicerContext = field(repr=False)
    to: grpc.Channel = field(repr=False)
    told: Callable[[str, bytes, bytes], None] = field(repr=False)

    def forward(self, metadata: Metadata | None = None) -> bytes:
        """Return the clinic's answer, or end the call as the clinic did.

        Args:
            metadata: What is passed on in the place of what came.
        """
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self.to.unary_unary(self.method)
        try:
            answer = call(self.request, timeout=_DEADLINE_S, metadata=self.metadata if metadata is None else metadata)
        except grpc.RpcError as error:
            # What a stub raises is the call, too.
            failed = cast("grpc.Call", error)
            self.end(failed.code(), failed.details() or "", tuple(failed.trailing_metadata() or ()))
        self.told(self.method, self.request, answer)
        return answer

    def end(self, code: grpc.StatusCode, details: str = "on the way", trailing: Metadata = ()) -> NoReturn:
        """End the call with a status."""
        self.context.set_trailing_metadata(trailing)
        self.context.abort(code, details)
        raise AssertionError("abort returned")


Fault = Callable[[Passage], bytes]
"""The outcome of a call: the answer, or `Passage.end`."""


@dataclass(slots=True)
class _Trouble:
    fault: Fault
    left: int


class Relay:
    """One clinic as its callers see it; made by `open_relay`.

    Attributes:
        address: Where callers find it.
        acknowledged: Every answer that the clinic gave to a call of its service: method, request, answer.
        sent: Every request that came for its service: method and request.
    """

    def __init__(self, clinic: str) -> None:
        self.acknowledged: list[tuple[str, bytes, bytes]] = []
        self.sent: list[tuple[str, bytes]] = []
        self._changed = threading.Condition()
        self._trouble: _Trouble | None = None
        self._is_down = False
        self._under_way = 0
        self._clinic = clinic
        self._channel = _open_channel(clinic)
        self._server = grpc.server(ThreadPoolExecutor(max_workers=32))
        self._server.add_generic_rpc_handlers((_Anything(self._pass),))
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def trouble(self, fault: Fault, calls: int) -> None:
        """Let a fault befall the next so many calls of the clinic's service."""
        with self._changed:
            self._trouble = _Trouble(fault, calls)

    def cut(self) -> None:
        """Answer nothing until it is healed, its health included."""
        self._is_down = True

    def heal(self) -> None:
        """Pass everything on again."""
        with self._changed:
            self._trouble = None
        self._is_down = False

    def reconnect(self) -> None:
        """Reach a clinic that was restarted at once, not after the pause that a lost connection takes."""
        self._channel.close()
        self._channel = _open_channel(self._clinic)

    def wait_until_quiet(self) -> None:
        """Return when no call is under way: one that its caller has given up may still be at the clinic."""
        with self._changed:
            assert self._changed.wait_for(lambda: not self._under_way, _DEADLINE_S)

    def close(self) -> None:
        """Stop."""
        self._server.stop(None).wait(_DEADLINE_S)
        self._channel.close()

    def _pass(self, method: str, request: bytes, context: grpc.ServicerContext) -> bytes:
        metadata = tuple((key, value) for key, value in context.invocation_metadata() if key in _PASSED_ON)
        passage = Passage(method, request, metadata, context, self._channel, self._told)
        with self._changed:
            self._under_way += 1
            fault = self._fault(method)
            if method.startswith(_TOOLS):
                self.sent.append((method, request))
        try:
            return fault(passage)
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    def _fault(self, method: str) -> Fault:
        if self._is_down:
            return lambda passage: passage.end(grpc.StatusCode.UNAVAILABLE)
        if self._trouble is None or not method.startswith(_TOOLS) or not self._trouble.left:
            return Passage.forward
        self._trouble.left -= 1
        return self._trouble.fault

    def _told(self, method: str, request: bytes, answer: bytes) -> None:
        if method.startswith(_TOOLS):
            with self._changed:
                self.acknowledged.append((method, request, answer))


def _open_channel(address: str) -> grpc.Channel:
    # With retries gRPC would take the count of the caller's attempts out of what is passed on.
    return grpc.insecure_channel(address, (("grpc.enable_retries", 0), ("grpc.use_local_subchannel_pool", 1)))


class _Anything(grpc.GenericRpcHandler):
    """Serves every unary method as bytes."""

    def __init__(self, answer: Callable[[str, bytes, grpc.ServicerContext], bytes]) -> None:
        self._answer = answer

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes]:
        method = handler_call_details.method
        return grpc.unary_unary_rpc_method_handler(lambda request, context: self._answer(method, request, context))


@contextmanager
def open_relays(clinics: Sequence[str]) -> Iterator[list[Relay]]:
    """Yield a relay for each address."""
    relays = [Relay(clinic) for clinic in clinics]
    try:
        yield relays
    finally:
        for relay in relays:
            relay.close()
