"""Who may call a tool, by the token of the call and the contract's `access`: the one check for both doors."""

from collections.abc import Mapping
from dataclasses import replace

from google.protobuf.message import Message

from generated.mesh.v1 import options_pb2
from mesh.caller import Caller
from mesh.catalogue import Tool
from mesh.errors import DomainError
from mesh.keys import Scope
from mesh.token_check import TokenCheck
from mesh.tokens import Claims

_SCOPES: Mapping[int, Scope] = {
    options_pb2.ACCESS_READ: Scope.READ,
    options_pb2.ACCESS_WRITE: Scope.WRITE,
    options_pb2.ACCESS_RECORD: Scope.READ,
    options_pb2.ACCESS_RECORDS: Scope.RECORDS,
}


def authorised(tool: Tool, caller: Caller, tokens: TokenCheck) -> Caller:
    """Return the caller with the claims of their token, or raise UNAUTHENTICATED or PERMISSION_DENIED."""
    if caller.refusal is not None:
        raise caller.refusal
    claims = caller.claims or tokens.verify(caller.token)
    scope = _SCOPES.get(tool.access)
    if scope is None:
        raise _denied(tool, "the contract does not say whom this tool is for: it lacks access")
    if scope not in claims.scopes:
        given = " ".join(sorted(claims.scopes))
        raise _denied(tool, f"{tool.name} takes a token with the scope {scope}; this one has {given}", scope=scope)
    return replace(caller, claims=claims) if caller.claims is None else caller


def check_person(tool: Tool, request: Message, caller: Caller) -> None:
    """Raise PERMISSION_DENIED for a request in the name of a person whom the token does not speak for."""
    if caller.claims is None or not _in_own_name(tool, request, caller.claims):
        problem = f"{tool.name} is asked for in the name of a person whom this token does not speak for"
        raise _denied(tool, problem, scope=Scope.RECORDS)


def _denied(tool: Tool, problem: str, **metadata: str) -> DomainError:
    return DomainError("PERMISSION_DENIED", problem, metadata={"tool": tool.name, **metadata})


def _in_own_name(tool: Tool, request: Message, claims: Claims) -> bool:
    names = tool.injected(options_pb2.INJECTED_CPF)
    if not names:
        return tool.access != options_pb2.ACCESS_WRITE or Scope.RECORDS in claims.scopes
    return all(claims.covers(getattr(request, name)) for name in names)
