"""The transport of calls: a place, an identified caller, the message in time, errors as statuses, the trace id back.

A unary method is served as a stream of one request, the same on the wire: its call has a context before its message has
come, so that a call without one can be cancelled.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, NoReturn, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message
from grpc_status import rpc_status

from mesh.call_admission import CallAdmission, CallPlace, Places, Refusals
from mesh.caller import TRACE_KEY, Caller, Headers, caller_of
from mesh.errors import DomainError
from mesh.policies import GuardedTool, Handler
from mesh.reasons import Reasons, failure_of, to_status

if TYPE_CHECKING:
    RpcHandler = grpc.RpcMethodHandler[bytes, Message]  # grpc's classes are generic in its type stubs only
    """How a gRPC server serves one call."""

_Request = TypeVar("_Request", bound=Message)

LONGEST_CALL_S = 30.0  # seconds that a call may take at most, and the deadline of one that brings none
LONGEST_SILENCE_S = 5.0  # seconds that a call may take to bring its message; then it is cancelled


class CallOverError(Exception):
    """The call ended before its message came."""


@dataclass(frozen=True, slots=True)
class Doorway:
    """What all methods of a server share."""

    admission: CallAdmission
    reasons: Reasons
    refusals: Refusals = field(default_factory=Refusals)


class LastResponse:
    """Serialize a method's responses; the object that was the last one is not serialized again."""

    def __init__(self) -> None:
        self._last: tuple[Message | None, bytes] = (None, b"")

    def __call__(self, response: Message) -> bytes:
        """Return the bytes of a response."""
        last, content = self._last
        # A listing stays the same object until the agenda changes: of 500 slots that saves a tenth of an answer.
        if response is not last:
            content = response.SerializeToString()
            self._last = response, content
        return content


@dataclass(frozen=True, slots=True)
class UnaryMethod:
    """A method with one request and one response."""

    path: str
    read: Callable[[bytes], Message]
    handler: Handler  # a `GuardedTool` is asked first whether it admits the caller
    kind: Places
    doorway: Doorway
    serialize: Callable[[Message], bytes] = field(default_factory=LastResponse)

    def open(self, place: CallPlace, headers: Headers) -> "RpcHandler":
        """Return how to serve a call that holds `place`."""
        behaviour = place.places.on_own_threads(partial(self.serve, place, headers))
        return grpc.stream_unary_rpc_method_handler(behaviour, response_serializer=self.serialize)

    def serve(
        self, place: CallPlace, headers: Headers, messages: Iterator[bytes], context: grpc.ServicerContext
    ) -> Message:
        """Serve one call."""
        caller = caller_of(context, headers, LONGEST_CALL_S, place.claims)
        try:
            response = self._answer(place, messages, context, caller)
        except Exception as fault:  # noqa: BLE001 (its caller is answered, and gets no detail of it)
            _end_failed(context, caller.trace_id, fault, self)
        finally:
            place.leave()
        context.set_trailing_metadata(((TRACE_KEY, caller.trace_id),))
        return response

    def _answer(
        self, place: CallPlace, messages: Iterator[bytes], context: grpc.ServicerContext, caller: Caller
    ) -> Message:
        caller = self.doorway.admission.identify(place, self.kind, caller)
        if isinstance(self.handler, GuardedTool):
            caller = self.handler.check_caller(caller)
        place.wait(context, LONGEST_SILENCE_S)
        content = _next_message(messages)
        if not place.resume():
            raise DomainError("TIMED_OUT", "the message came too late; nothing was done")
        if content is None:
            raise DomainError("INVALID_ARGUMENTS", "the call ended without a message")
        if caller.remaining_s <= 0:
            raise DomainError("TIMED_OUT", "the deadline passed before the call was begun; nothing was done")
        return self.handler(read_request(self.read, content), caller)


@dataclass(frozen=True, slots=True)
class Stream:
    """One call of a streaming method: its requests in time, and how long it may go on without one."""

    place: CallPlace
    messages: Iterator[bytes]
    context: grpc.ServicerContext

    def next_request(self, longest_s: float) -> bytes | None:
        """Return the next request, None if there is none; the call is cancelled unless it comes within `longest_s`."""
        self.go_on(longest_s)
        return _next_message(self.messages)

    def go_on(self, longest_s: float) -> None:
        """Cancel the call in `longest_s` seconds, unless this is called again before."""
        self.place.wait(self.context, longest_s)


@dataclass(frozen=True, slots=True)
class StreamMethod:
    """A method whose answers are made by `answers` from the requests of a stream."""

    path: str
    answers: Callable[[Stream], Iterator[Message]]
    kind: Places
    doorway: Doorway

    def open(self, place: CallPlace, headers: Headers) -> "RpcHandler":
        """Return how to serve a call that holds `place`."""
        behaviour = partial(self._serve, place, headers.trace_id)
        return grpc.stream_stream_rpc_method_handler(behaviour, response_serializer=methodcaller("SerializeToString"))

    def _serve(
        self, place: CallPlace, trace_id: str, messages: Iterator[bytes], context: grpc.ServicerContext
    ) -> Iterator[Message]:
        try:
            yield from self.answers(Stream(place, messages, context))
        except Exception as fault:  # noqa: BLE001 (its caller is answered, and gets no detail of it)
            _end_failed(context, trace_id, fault, self)
        finally:
            place.leave()  # also where gRPC gives the iterator up, because its caller has gone


Method = UnaryMethod | StreamMethod


def _next_message(messages: Iterator[bytes]) -> bytes | None:
    """Return the next message of a call, None if there is none; CallOverError if the call ended otherwise."""
    try:
        return next(messages, None)
    except grpc.RpcError as cause:
        _forget_frames(cause)  # gRPC keeps it with the call
        raise CallOverError from None


def _forget_frames(error: BaseException) -> None:
    """Drop the frames that an exception came through: they hold the call, and may hold the exception."""
    error.__traceback__ = error.__context__ = error.__cause__ = None


def read_request(read: Callable[[bytes], _Request], content: bytes) -> _Request:
    """Return the request that was sent, or raise INVALID_ARGUMENTS, where gRPC would blame the node."""
    try:
        return read(content)
    except DecodeError:
        raise DomainError("INVALID_ARGUMENTS", "what was sent is no message that this method takes") from None


def _end_failed(context: grpc.ServicerContext, trace_id: str, fault: Exception, method: Method) -> NoReturn:
    """End a call that failed, with a status and its trace id, by raising gRPC's exception."""
    if isinstance(fault, CallOverError):
        context.abort(grpc.StatusCode.CANCELLED, "")  # nobody hears of it
    failure = failure_of(fault, method.doorway.reasons, method.path, trace_id)
    method.doorway.refusals.count(method.path.lstrip("/"), failure)
    _forget_frames(fault)
    status = to_status(failure, method.doorway.reasons, repeated=is_repeat(context))
    end_with(context, trace_id, rpc_status.to_status(status))


def is_repeat(context: grpc.ServicerContext) -> bool:
    """Return whether gRPC sent the call before and got no answer (gRFC A6): the first try may have been served."""
    return any(key == "grpc-previous-rpc-attempts" for key, _ in context.invocation_metadata())


def end_with(context: grpc.ServicerContext, trace_id: str, status: grpc.Status) -> NoReturn:
    """End a call with a status and its trace id, by raising gRPC's exception."""
    # `abort_with_status` would put the details in the place of the trace id.
    context.set_trailing_metadata(((TRACE_KEY, trace_id), *status.trailing_metadata))
    context.abort(status.code, status.details)
