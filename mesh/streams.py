"""Methods that stream: bounded in number, in the time between two requests, and in requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import grpc
from google.protobuf.message import Message

from mesh.call_places import CallPlace, Places
from mesh.caller import Headers
from mesh.errors import DomainError, internal_error
from mesh.transport import CallOverError, Doorway, end_silently, forget_frames, next_message, refuse

if TYPE_CHECKING:
    from mesh.transport import RpcHandler


class Stream:
    """One call of a streaming method: its requests in time, and how long it may go on without one."""

    def __init__(self, place: CallPlace, messages: Iterator[bytes], context: grpc.ServicerContext) -> None:
        self._place = place
        self._messages = messages
        self.context = context

    def next_request(self, longest_s: float) -> bytes | None:
        """Return the next request, None if there is none; the call is cancelled unless it comes within `longest_s`."""
        self.go_on(longest_s)
        return next_message(self._messages)

    def go_on(self, longest_s: float) -> None:
        """Cancel the call in `longest_s` seconds, unless this is called again before."""
        self._place.wait(self.context, longest_s)


@dataclass(frozen=True, slots=True)
class StreamMethod:
    """A method whose answers are made by `answers` from the requests of a stream."""

    path: str
    answers: Callable[[Stream], Iterator[Message]]
    kind: Places
    doorway: Doorway

    def open(self, place: CallPlace, headers: Headers) -> RpcHandler:
        """Return how to serve a call that holds `place`."""
        behaviour = partial(self._serve, place, headers.trace_id)
        return grpc.stream_stream_rpc_method_handler(
            behaviour, response_serializer=lambda message: message.SerializeToString()
        )

    def _serve(
        self, place: CallPlace, trace_id: str, messages: Iterator[bytes], context: grpc.ServicerContext
    ) -> Iterator[Message]:
        try:
            yield from self.answers(Stream(place, messages, context))
        except DomainError as error:
            refuse(context, trace_id, error, self.doorway.reasons)
        except CallOverError:
            end_silently(context)
        except Exception as fault:  # noqa: BLE001 (whatever it is, its caller gets no detail of it)
            hidden = internal_error(fault, self.path, trace_id)
            forget_frames(fault)
            refuse(context, trace_id, hidden, self.doorway.reasons)
        finally:
            # Also where gRPC gives the iterator up, because its caller has gone.
            place.leave()
