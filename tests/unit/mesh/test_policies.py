"""Policies are asked in order, before the handler, and any of them refuses for all."""

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.message import Message

from mesh.caller import Caller
from mesh.catalogue import Tool
from mesh.errors import DomainError, Violation
from mesh.policies import guard, well_formed
from tests.support.library import message, tool

CALLER = Caller("trace", deadline=0.0)


@pytest.fixture
def request_to_shred() -> Message:
    return message("ShredBookRequest", title="Perto do Coração Selvagem")


def noting(asked: list[str], name: str) -> Callable[[Tool, Message, Caller], None]:
    def policy(tool: Tool, request: Message, caller: Caller) -> None:
        asked.append(f"{name} {tool.name}")

    return policy


def refusing(tool: Tool, request: Message, caller: Caller) -> None:
    raise DomainError("OVERLOADED", "not now")


def handling(asked: list[str]) -> Callable[[Any, Caller], Message]:
    def handler(request: Any, caller: Caller) -> Message:
        asked.append("handler")
        return message("ShredBookResponse", copies_left=2)

    return handler


def test_policies_are_asked_in_order_and_then_the_handler_answers(request_to_shred: Message) -> None:
    asked: list[str] = []
    guarded = guard(tool("shred_book"), handling(asked), [noting(asked, "first"), noting(asked, "second")])
    assert guarded(request_to_shred, CALLER) == message("ShredBookResponse", copies_left=2)
    assert asked == ["first shred_book", "second shred_book", "handler"]


def test_a_policy_that_refuses_ends_the_call_before_the_next_and_the_handler(request_to_shred: Message) -> None:
    asked: list[str] = []
    guarded = guard(tool("shred_book"), handling(asked), [noting(asked, "first"), refusing, noting(asked, "third")])
    with pytest.raises(DomainError, match="not now"):
        guarded(request_to_shred, CALLER)
    assert asked == ["first shred_book"]


def test_a_request_out_of_form_is_refused_with_every_field_at_fault() -> None:
    request = message("LendBookRequest", title="Água Viva", until="tomorrow", reader_name="")
    with pytest.raises(DomainError) as refused:
        well_formed(tool("lend_book"), request, CALLER)
    assert refused.value.reason == "INVALID_ARGUMENTS"
    assert refused.value.metadata == {"tool": "lend_book"}
    assert refused.value.violations == (
        Violation("until", "expected a date that exists, YYYY-MM-DD"),
        Violation("reader_name", "required: the text is empty"),
    )
    assert "tomorrow" not in str(refused.value)


def test_a_request_in_form_passes(request_to_shred: Message) -> None:
    well_formed(tool("shred_book"), request_to_shred, CALLER)


def test_who_is_not_admitted_reaches_no_policy_and_the_form_is_checked_first(request_to_shred: Message) -> None:
    asked: list[str] = []

    def nobody(tool: Tool, request: Message, caller: Caller) -> Caller:
        asked.append("admission")
        raise DomainError("UNAUTHENTICATED", "nobody")

    guarded = guard(tool("shred_book"), handling(asked), [noting(asked, "policy")], nobody)
    with pytest.raises(DomainError, match="nobody"):
        guarded(request_to_shred, CALLER)
    with pytest.raises(DomainError, match="wrong arguments"):
        guarded(message("ShredBookRequest"), CALLER)
    assert asked == ["admission"]


def test_policies_and_handler_know_the_caller_as_admitted(request_to_shred: Message) -> None:
    admitted = Caller("trace", deadline=0.0, token="good")
    seen: list[Caller] = []

    def handler(request: Any, caller: Caller) -> Message:
        seen.append(caller)
        return message("ShredBookResponse")

    def policy(tool: Tool, request: Message, caller: Caller) -> None:
        seen.append(caller)

    guard(tool("shred_book"), handler, [policy], lambda *_: admitted)(request_to_shred, CALLER)
    assert seen == [admitted, admitted]
