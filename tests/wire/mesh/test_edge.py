"""The edge of a node: a call whose time is over before it is begun."""

from __future__ import annotations

from typing import NoReturn, cast

import grpc
import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.call_admission import CallAdmission
from mesh.caller import headers_of
from mesh.reasons import Reasons
from mesh.transport import Doorway, UnaryMethod


class AbortedError(Exception):
    """What abort raises."""


class LateContext:
    """The context of a call that has no time left, as far as the edge looks at it."""

    def __init__(self) -> None:
        self.ended_with: grpc.StatusCode | None = None

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def peer(self) -> str:
        return "ipv4:127.0.0.1:50000"

    def time_remaining(self) -> float:
        return 0.0

    def set_trailing_metadata(self, metadata: object) -> None:
        pass

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        self.ended_with = code
        raise AbortedError


def test_a_call_whose_deadline_passed_is_not_begun() -> None:
    begun: list[object] = []

    def handler(request: object, _caller: object) -> pb.QueryResponse:
        begun.append(request)
        return pb.QueryResponse()

    doorway = Doorway(CallAdmission(), Reasons())
    calls = doorway.admission.anonymous
    method = UnaryMethod("/a/b", pb.QueryRequest.FromString, handler, calls, doorway)
    place, context = calls.take(), LateContext()
    assert place is not None

    with pytest.raises(AbortedError):
        method.serve(place, headers_of(()), iter([b""]), cast("grpc.ServicerContext", context))

    assert context.ended_with is grpc.StatusCode.DEADLINE_EXCEEDED
    assert begun == []
