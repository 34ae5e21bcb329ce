"""A domain error crosses a wire as a gRPC status and is the same domain error on the other side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import cast

import grpc
import pytest
from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2
from google.rpc.error_details_pb2 import RetryInfo
from grpc_status import rpc_status

from mesh.errors import DomainError, Violation
from mesh.reasons import Reasons, from_call, retry_after_s, to_status
from tests.support.doors import DEADLINE_S
from tests.support.library import library_reasons, message

Ending = Callable[[grpc.ServicerContext], object]


@contextmanager
def failed_call(end: Ending) -> Iterator[grpc.Call]:
    """Call a plain server, which is none of ours, that ends every call as told."""
    server = grpc.server(ThreadPoolExecutor(max_workers=1))
    answer: grpc.RpcMethodHandler[bytes, object] = grpc.unary_unary_rpc_method_handler(
        lambda request, context: end(context)
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("plain.v1.Plain", {"Do": answer}),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            do: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/plain.v1.Plain/Do")
            with pytest.raises(grpc.RpcError) as failed:
                do(b"", timeout=DEADLINE_S)
            # What a stub raises is the call, too.
            yield cast("grpc.Call", failed.value)
    finally:
        server.stop(None).wait(DEADLINE_S)


def ending_with(status: status_pb2.Status) -> Ending:
    return lambda context: context.abort_with_status(rpc_status.to_status(status))


ERRORS = {
    "plain": lambda: DomainError("BOOK_LENT", "somebody has it"),
    "not ASCII": lambda: DomainError("BOOK_LENT", "alguém está com ele — 本"),
    "metadata": lambda: DomainError("UNKNOWN_TOOL", "no such tool", metadata={"tools": "a, b", "more": ""}),
    "violations": lambda: DomainError(
        "INVALID_ARGUMENTS", "wrong", violations=(Violation("title", "required"), Violation("", "in all"))
    ),
    "details": lambda: DomainError("BOOK_LENT", "lent", details=(message("OtherCopies", copies=2), message("Shelf"))),
    "all": lambda: DomainError(
        *("BOOK_LENT", "lent"),
        metadata={"since": "may"},
        violations=(Violation("until", "too late"),),
        details=(message("OtherCopies", branches=["Centro"]),),
    ),
}


@pytest.mark.parametrize("kind", list(ERRORS))
def test_a_domain_error_comes_out_as_it_went_in(kind: str) -> None:
    error = ERRORS[kind]()
    known = (type(message("OtherCopies")), type(message("Shelf")))
    with failed_call(ending_with(to_status(error, Reasons(library_reasons())))) as call:
        received = from_call(call, known)
    assert (received.reason, received.message) == (error.reason, error.message)
    assert received.metadata == error.metadata
    assert received.violations == error.violations
    assert received.details == error.details


def test_a_detail_that_the_caller_does_not_know_is_left_out() -> None:
    error = DomainError("BOOK_LENT", "lent", details=(message("OtherCopies"), message("Shelf")))
    with failed_call(ending_with(to_status(error, Reasons(library_reasons())))) as call:
        assert from_call(call, (type(message("Shelf")),)).details == (message("Shelf"),)


def test_the_status_carries_the_standard_details() -> None:
    error = DomainError("BOOK_LENT", "lent", metadata={"since": "may"}, violations=(Violation("until", "too late"),))
    status = to_status(error, Reasons(library_reasons()))
    info, bad_request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    assert status.code == grpc.StatusCode.FAILED_PRECONDITION.value[0]
    assert status.message == "lent"
    assert len(status.details) == 2
    assert status.details[0].Unpack(info)
    assert status.details[1].Unpack(bad_request)
    assert (info.reason, info.domain, dict(info.metadata)) == ("BOOK_LENT", "library.v1", {"since": "may"})
    assert [(fault.field, fault.description) for fault in bad_request.field_violations] == [("until", "too late")]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.UNAVAILABLE, "UNREACHABLE"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, "TIMED_OUT"),
        (grpc.StatusCode.CANCELLED, "TIMED_OUT"),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED"),
        (grpc.StatusCode.UNIMPLEMENTED, "METHOD_NOT_FOUND"),
        (grpc.StatusCode.INTERNAL, "INTERNAL"),
        (grpc.StatusCode.UNKNOWN, "INTERNAL"),
        (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED"),
        (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED"),
        (grpc.StatusCode.DATA_LOSS, "INTERNAL"),
    ],
)
def test_a_status_that_no_node_of_ours_made_is_read_by_its_code_alone(code: grpc.StatusCode, reason: str) -> None:
    with failed_call(lambda context: context.abort(code, "whatever it says")) as call:
        received = from_call(call)
    assert received.reason == reason
    assert "whatever it says" not in received.message
    assert received.metadata == {"outcome": "unknown"}


def test_the_texts_of_a_refusal_are_one_clean_line_each() -> None:
    error = DomainError(
        *("BOOK_LENT", "lent\x1b[2J\nBooked"),
        metadata={"si\x00nce": "may\u2028"},
        violations=(Violation("un\ttil", "x" * 2000),),
    )
    with failed_call(ending_with(to_status(error, Reasons(library_reasons())))) as call:
        received = from_call(call)
    assert (received.message, received.metadata) == ("lent[2J Booked", {"since": "may"})
    assert received.violations == (Violation("un til", "x" * 1000),)


def test_a_reason_that_has_not_the_form_of_one_is_none() -> None:
    info = any_pb2.Any()
    info.Pack(error_details_pb2.ErrorInfo(reason="Booked\x1b", domain="library.v1"))
    status = status_pb2.Status(code=grpc.StatusCode.UNAVAILABLE.value[0], details=[info])
    with failed_call(ending_with(status)) as call:
        assert from_call(call).reason == "UNREACHABLE"


@pytest.mark.parametrize(("given", "seconds"), [(3, 3), (10**9, 86_400), (2**62, 86_400), (-1, 0), (-(2**62), 0)])
def test_a_wait_is_a_day_at_most(given: int, seconds: int) -> None:
    error = DomainError("BOOK_LENT", "lent", details=(RetryInfo(retry_delay=Duration(seconds=given)),))
    with failed_call(ending_with(to_status(error, Reasons(library_reasons())))) as call:
        received = from_call(call, (RetryInfo,))
    assert retry_after_s(received) == seconds


@pytest.mark.parametrize(
    ("name", "domain", "metadata", "may_have_changed"),
    [
        ("RATE_LIMITED", "mesh.v1", {}, False),
        ("RATE_LIMITED", None, {}, False),
        ("RATE_LIMITED", "library.v1", {}, True),
        ("RATE_LIMITED", "", {}, True),
        ("RATE_LIMITED", "mesh.v1", {"outcome": "unknown"}, True),
        ("TIMED_OUT", "mesh.v1", {}, True),
        ("TIMED_OUT", "mesh.v1", {"outcome": "unchanged"}, False),
        ("BOOK_LENT", "library.v1", {}, True),
        ("MOON_IN_CAPRICORN", "library.v1", {"outcome": "unchanged"}, True),
    ],
)
def test_only_the_contracts_own_words_say_that_a_write_was_not_made(
    name: str, domain: str | None, metadata: dict[str, str], *, may_have_changed: bool
) -> None:
    error = DomainError(name, "no", metadata=metadata)
    error.domain = domain
    assert Reasons(library_reasons()).may_have_changed(error) is may_have_changed


def test_details_without_an_error_info_are_read_by_the_code() -> None:
    status = status_pb2.Status(code=grpc.StatusCode.UNAVAILABLE.value[0], message="draining")
    with failed_call(ending_with(status)) as call:
        assert from_call(call).reason == "UNREACHABLE"


def test_details_that_contradict_their_status_are_not_believed() -> None:
    status = status_pb2.Status(code=grpc.StatusCode.NOT_FOUND.value[0], message="one thing")

    def end(context: grpc.ServicerContext) -> None:
        context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        context.abort(grpc.StatusCode.UNAVAILABLE, "another")

    with failed_call(end) as call:
        assert from_call(call).reason == "UNREACHABLE"


def test_details_that_cannot_be_read_are_not_believed() -> None:
    def end(context: grpc.ServicerContext) -> None:
        context.set_trailing_metadata((("grpc-status-details-bin", b"\xff\xff"),))
        context.abort(grpc.StatusCode.UNAVAILABLE, "garbled")

    with failed_call(end) as call:
        assert from_call(call).reason == "UNREACHABLE"
