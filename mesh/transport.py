"""The transport around every call: its trace id back, no work after its deadline, errors as statuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc_status import rpc_status

from mesh.caller import TRACE_KEY, Caller, caller_of
from mesh.catalogue import rpc_path
from mesh.errors import DomainError, internal_error
from mesh.policies import Handler
from mesh.reasons import Reasons, to_status

if TYPE_CHECKING:
    # grpc's classes are generic in its type stubs only.
    Method = grpc.RpcMethodHandler[bytes, Message]
    """A method as a gRPC server takes it."""

_Request = TypeVar("_Request", bound=Message)

LONGEST_CALL_S = 30.0
"""Seconds that a call may take at most, and the deadline of one that brings none."""


def serve_rpc(rpc: MethodDescriptor, handler: Handler, reasons: Reasons) -> Method:
    """Return a handler as a unary gRPC method: quicker than an interceptor, and each call passes here."""
    path, read = rpc_path(rpc), GetMessageClass(rpc.input_type).FromString

    def serve(content: bytes, context: grpc.ServicerContext) -> Message:
        caller = caller_of(context, LONGEST_CALL_S)
        try:
            _check_time(caller)
            response = handler(read_request(read, content), caller)
        except DomainError as error:
            refuse(context, caller.trace_id, error, reasons)
        except Exception as fault:  # noqa: BLE001 (whatever it is, its caller gets no detail of it)
            refuse(context, caller.trace_id, internal_error(fault, path, caller.trace_id), reasons)
        context.set_trailing_metadata(((TRACE_KEY, caller.trace_id),))
        return response

    return grpc.unary_unary_rpc_method_handler(serve, response_serializer=_Serializer())


def read_request(read: Callable[[bytes], _Request], content: bytes) -> _Request:
    """Return the request that was sent, or raise INVALID_ARGUMENTS, where gRPC would blame the node."""
    try:
        return read(content)
    except DecodeError:
        raise DomainError("INVALID_ARGUMENTS", "what was sent is no message that this method takes") from None


def refuse(context: grpc.ServicerContext, trace_id: str, failure: DomainError, reasons: Reasons) -> NoReturn:
    """End a call with the status of a failure, and with its trace id, by raising gRPC's exception."""
    if _is_repeat(context) and not reasons[failure.reason].is_decision:
        failure.metadata = {**failure.metadata, "outcome": "unknown"}
    status = rpc_status.to_status(to_status(failure, reasons))
    # `abort_with_status` would put the details in the place of the trace id.
    context.set_trailing_metadata(((TRACE_KEY, trace_id), *status.trailing_metadata))
    context.abort(status.code, status.details)


def _check_time(caller: Caller) -> None:
    if caller.remaining_s <= 0:
        raise DomainError("TIMED_OUT", "the deadline passed before the call was begun; nothing was done")


def _is_repeat(context: grpc.ServicerContext) -> bool:
    # gRPC sent the call before and got no answer (gRFC A6).
    return any(key == "grpc-previous-rpc-attempts" for key, _ in context.invocation_metadata())


class _Serializer:
    """Serialize a method's responses; the object that was the last one is not serialized again."""

    def __init__(self) -> None:
        self._last: tuple[Message | None, bytes] = (None, b"")

    def __call__(self, response: Message) -> bytes:
        last, text = self._last
        if response is not last:
            text = response.SerializeToString()
            self._last = response, text
        return text
