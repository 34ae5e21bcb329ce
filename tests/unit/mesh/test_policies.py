"""Policies are asked in order, before the handler, and any of them refuses for all."""

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from mesh.catalogue import Catalogue, Tool
from mesh.errors import DomainError, Violation
from mesh.policies import GuardedTool
from mesh.tokens import TokenCheck, claims_for
from tests.support.library import message, tool
from tests.support.tokens import CARLOS_CPF, JOANA_CPF

BOOK = Catalogue(pb.DESCRIPTOR.services_by_name["ClinicService"])["book_appointment"]
NO_TOKENS = TokenCheck((), "clinic_a", "get another")
CALLER = Caller("trace", deadline=0.0)


@pytest.fixture
def request_to_shred() -> Message:
    return message("ShredBookRequest", title="Perto do Coração Selvagem")


def noting(asked: list[str], name: str) -> Callable[[Tool, Caller], None]:
    def policy(tool: Tool, caller: Caller) -> None:
        asked.append(f"{name} {tool.name}")

    return policy


def refusing(tool: Tool, caller: Caller) -> None:
    raise DomainError("OVERLOADED", "not now")


def handling(asked: list[str]) -> Callable[[Any, Caller], Message]:
    def handler(request: Any, caller: Caller) -> Message:
        asked.append("handler")
        return message("ShredBookResponse", copies_left=2)

    return handler


def test_policies_are_asked_in_order_and_then_the_handler_answers(request_to_shred: Message) -> None:
    asked: list[str] = []
    policies = [noting(asked, "first"), noting(asked, "second")]
    guarded = GuardedTool(tool("shred_book"), handling(asked), policies)
    assert guarded(request_to_shred, guarded.check_caller(CALLER)) == message("ShredBookResponse", copies_left=2)
    assert asked == ["first shred_book", "second shred_book", "handler"]


def test_a_policy_that_refuses_ends_the_call_before_the_next_and_the_handler(request_to_shred: Message) -> None:
    asked: list[str] = []
    policies = [noting(asked, "first"), refusing, noting(asked, "third")]
    guarded = GuardedTool(tool("shred_book"), handling(asked), policies)
    with pytest.raises(DomainError, match="not now"):
        guarded.check_caller(CALLER)
    assert asked == ["first shred_book"]


def test_a_request_out_of_form_is_refused_with_every_field_at_fault() -> None:
    asked: list[str] = []
    request = message("LendBookRequest", title="Água Viva", until="tomorrow", reader_name="")
    with pytest.raises(DomainError) as refused:
        GuardedTool(tool("lend_book"), handling(asked))(request, CALLER)
    assert asked == []
    assert refused.value.reason == "INVALID_ARGUMENTS"
    assert refused.value.metadata == {"tool": "lend_book"}
    assert refused.value.violations == (
        Violation("until", "expected a date that exists, YYYY-MM-DD", "WRONG_FORMAT"),
        Violation("reader_name", "required: the text is empty", "REQUIRED"),
    )
    assert "tomorrow" not in str(refused.value)


def test_who_brings_no_token_reaches_no_policy_and_no_form_is_looked_at() -> None:
    asked: list[str] = []
    guarded = GuardedTool(BOOK, handling(asked), [noting(asked, "policy")], NO_TOKENS)
    with pytest.raises(DomainError, match="no token"):
        guarded.check_caller(CALLER)
    assert asked == []


def test_an_admitted_callers_request_is_held_to_its_form_and_then_to_the_caller() -> None:
    seen: list[Caller] = []

    def handler(request: Any, caller: Caller) -> Message:
        seen.append(caller)
        return pb.BookAppointmentResponse()

    def policy(tool: Tool, caller: Caller) -> None:
        seen.append(caller)

    guarded = GuardedTool(BOOK, handler, [policy], NO_TOKENS)
    claims = claims_for(CARLOS_CPF, issuer="orchestrator", audience="clinic_a", now=0, ttl_s=60)
    admitted = guarded.check_caller(Caller("trace", deadline=0.0, claims=claims))
    asked = pb.BookAppointmentRequest(doctor="Dr. X", date="2025-07-21", time="09:00", patient_name="C", cpf=JOANA_CPF)
    with pytest.raises(DomainError, match="wrong arguments"):
        guarded(pb.BookAppointmentRequest(cpf=JOANA_CPF), admitted)
    with pytest.raises(DomainError, match="does not speak for"):
        guarded(asked, admitted)
    asked.cpf = CARLOS_CPF
    guarded(asked, admitted)
    assert seen == [admitted, admitted]
