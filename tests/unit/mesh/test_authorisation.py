"""What a tool's access takes, for any tool: the contract decides, and what it does not say is refused."""

from __future__ import annotations

import time
from copy import copy
from pathlib import Path

import pytest
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.mesh.v1 import options_pb2
from mesh.caller import Caller
from mesh.catalogue import Catalogue, Tool
from mesh.errors import DomainError
from mesh.policies import GuardedTool
from mesh.tokens import TokenCheck, read_public_keys
from orchestrator.security.token_keys import KeyFolder
from tests.support.library import message, tool
from tests.support.tokens import CARLOS_CPF, JOANA_CPF, make_keys, token_for

BOOK = Catalogue(pb.DESCRIPTOR.services_by_name["ClinicService"])["book_appointment"]
SCOPES = {"orchestrator": {"READ", "WRITE", "RECORD"}, "operator": {"READ", "WRITE", "RECORD", "RECORDS"}}


@pytest.fixture
def keys(tmp_path: Path) -> KeyFolder:
    return make_keys(tmp_path)


@pytest.fixture
def tokens(keys: KeyFolder) -> TokenCheck:
    return TokenCheck(read_public_keys(keys.public), "clinic_a", "get another")


def caller(keys: KeyFolder, issuer: str = "orchestrator") -> Caller:
    return Caller("trace", time.monotonic() + 1, token_for(keys, issuer=issuer))


def admit(tokens: TokenCheck, described: Tool, request: Message, caller: Caller) -> Caller:
    """Return the caller whom both checks let pass, in their order."""
    guarded = GuardedTool(described, lambda request, _: request, tokens=tokens)
    admitted = guarded.check_caller(caller)
    guarded.check_person(request, admitted)
    return admitted


def taking(access: str, described: Tool = BOOK) -> Tool:
    """Return a tool as the contract would describe it with another access."""
    options = options_pb2.ToolOptions()
    options.CopyFrom(described.options)
    options.access = options_pb2.Access.Value(f"ACCESS_{access}")
    taken = copy(described)
    taken.options = options
    return taken


@pytest.mark.parametrize("issuer", SCOPES)
@pytest.mark.parametrize("access", ["READ", "WRITE", "RECORD", "RECORDS"])
def test_each_access_takes_its_scope(tokens: TokenCheck, keys: KeyFolder, issuer: str, access: str) -> None:
    request = pb.BookAppointmentRequest(cpf=CARLOS_CPF)
    if access in SCOPES[issuer]:
        admitted = admit(tokens, taking(access), request, caller(keys, issuer))
        assert admitted.claims is not None
        assert admitted.claims.issuer == issuer
    else:
        with pytest.raises(DomainError, match="takes a token with the scope records") as refused:
            admit(tokens, taking(access), request, caller(keys, issuer))
        assert refused.value.reason == "PERMISSION_DENIED"


@pytest.mark.parametrize("issuer", SCOPES)
def test_a_tool_without_access_is_for_nobody(tokens: TokenCheck, keys: KeyFolder, issuer: str) -> None:
    assert not tool("lend_book").options.access
    with pytest.raises(DomainError, match="lacks access") as refused:
        admit(tokens, tool("lend_book"), message("LendBookRequest"), caller(keys, issuer))
    assert refused.value.reason == "PERMISSION_DENIED"


@pytest.mark.parametrize("cpf", [JOANA_CPF, "", "123.456.789-0", "1123.456.789-00"])
@pytest.mark.parametrize("access", ["READ", "WRITE", "RECORD"])
def test_a_cpf_in_a_request_is_the_tokens_own_whatever_the_access(
    tokens: TokenCheck, keys: KeyFolder, access: str, cpf: str
) -> None:
    request = pb.BookAppointmentRequest(cpf=cpf)
    with pytest.raises(DomainError, match="does not speak for") as refused:
        admit(tokens, taking(access), request, caller(keys))
    assert refused.value.reason == "PERMISSION_DENIED"
    assert not cpf or cpf not in refused.value.message
    admit(tokens, taking(access), request, caller(keys, "operator"))


def test_a_write_that_names_nobody_is_no_patients(tokens: TokenCheck, keys: KeyFolder) -> None:
    nameless = taking("WRITE", tool("shred_book"))
    with pytest.raises(DomainError, match="does not speak for"):
        admit(tokens, nameless, message("ShredBookRequest"), caller(keys))
    admit(tokens, nameless, message("ShredBookRequest"), caller(keys, "operator"))


def test_a_call_without_a_token_is_refused_before_anything_is_said_of_the_tool(tokens: TokenCheck) -> None:
    with pytest.raises(DomainError) as refused:
        admit(tokens, tool("lend_book"), message("LendBookRequest"), Caller("trace", 0.0))
    assert refused.value.reason == "UNAUTHENTICATED"
