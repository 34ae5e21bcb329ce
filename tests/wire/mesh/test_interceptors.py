"""The edge of a server that serves more than tools, and a call whose time is over before it is begun."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, NoReturn

import grpc
import pytest

from mesh.interceptors import EdgeInterceptor
from mesh.reasons import Reasons
from tests.support.doors import DEADLINE_S


class AbortedError(Exception):
    """What abort raises."""


class LateContext:
    """The context of a call that has no time left, as far as the edge looks at it."""

    def __init__(self) -> None:
        self.ended_with: grpc.StatusCode | None = None

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def time_remaining(self) -> float:
        return 0.0

    def set_trailing_metadata(self, metadata: object) -> None:
        pass

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        self.ended_with = code
        raise AbortedError


def test_a_call_whose_deadline_passed_is_not_begun() -> None:
    begun: list[object] = []
    handler: grpc.RpcMethodHandler[Any, Any] = grpc.unary_unary_rpc_method_handler(
        lambda request, context: begun.append(request)
    )
    details: Any = SimpleNamespace(method="/plain.v1.Plain/Do", invocation_metadata=())
    edge = EdgeInterceptor(Reasons()).intercept_service(lambda _: handler, details)
    assert edge is not None
    assert edge.unary_unary is not None
    context: Any = LateContext()

    with pytest.raises(AbortedError):
        edge.unary_unary(b"", context)

    assert context.ended_with is grpc.StatusCode.DEADLINE_EXCEEDED
    assert begun == []


def test_a_service_that_ends_a_call_itself_has_the_last_word(caplog: pytest.LogCaptureFixture) -> None:
    answer: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(
        lambda request, context: context.abort(grpc.StatusCode.NOT_FOUND, "it is gone")
    )
    server = grpc.server(ThreadPoolExecutor(max_workers=1), interceptors=[EdgeInterceptor(Reasons())])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("plain.v1.Plain", {"Do": answer}),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        do: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/plain.v1.Plain/Do")
        with pytest.raises(grpc.RpcError) as failed:
            do(b"", timeout=DEADLINE_S)
    server.stop(None).wait(DEADLINE_S)

    assert (failed.value.code(), failed.value.details()) == (grpc.StatusCode.NOT_FOUND, "it is gone")
    assert "failed" not in caplog.text
