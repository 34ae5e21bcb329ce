"""What holds for every call of a tool, through either door: checks that may raise, in their order."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import RetryInfo

from generated.mesh.v1 import options_pb2
from mesh.caller import Caller
from mesh.catalogue import Tool, faults_of
from mesh.errors import DomainError, Violation
from mesh.limits import Limits, TokenBucket
from mesh.tokens import OPERATOR, Claims, Scope, TokenCheck

Handler = Callable[[Any, Caller], Message]  # answer a typed request; its type differs from tool to tool, hence Any
Policy = Callable[[Tool, Caller], None]  # raise DomainError to refuse a call, before its arguments are looked at

_SCOPES: Mapping[int, Scope] = {
    options_pb2.ACCESS_READ: Scope.READ,
    options_pb2.ACCESS_WRITE: Scope.WRITE,
    options_pb2.ACCESS_RECORD: Scope.READ,
    options_pb2.ACCESS_RECORDS: Scope.RECORDS,
}
_AGENDA_SCOPES = {True: Scope.READ, False: Scope.WRITE}  # by whether the tool only reads


@dataclass(frozen=True, slots=True)
class GuardedTool:
    """A tool's handler behind its checks: token and rate first, which cost the same whatever the arguments are."""

    tool: Tool
    handler: Handler
    policies: Sequence[Policy] = ()
    tokens: TokenCheck | None = None  # None: no token is asked for

    def check_caller(self, caller: Caller) -> Caller:
        """Return the caller as the tool may know them, or raise DomainError; call it before the request is read."""
        if self.tokens is not None:
            caller = self._authorised(caller, self.tokens)
        for check in self.policies:
            check(self.tool, caller)
        return caller

    def __call__(self, request: Message, caller: Caller) -> Message:
        """Return the answer to the request of a caller who was admitted, or raise DomainError."""
        if faults := faults_of(self.tool.arguments, request):
            raise invalid_arguments(self.tool, faults)
        if self.tokens is not None:
            self.check_person(request, caller)
        return self.handler(request, caller)

    def check_person(self, request: Message, caller: Caller) -> None:
        """Raise PERMISSION_DENIED for a request in the name of a person whom the token does not speak for."""
        if caller.claims is None or not self._is_covered(request, caller.claims):
            problem = f"{self.tool.name} is asked for in the name of a person whom this token does not speak for"
            raise self._denied(problem, scope=Scope.RECORDS)

    def _authorised(self, caller: Caller, tokens: TokenCheck) -> Caller:
        if caller.refusal is not None:
            raise caller.refusal
        tool, claims = self.tool, caller.claims or tokens.verify(caller.token)
        is_agenda = tool.options.access == options_pb2.ACCESS_AGENDA
        scope = _AGENDA_SCOPES[tool.read_only] if is_agenda else _SCOPES.get(tool.options.access)
        if is_agenda and claims.role != OPERATOR:
            raise self._denied(f"{tool.name} takes the token of an operator")
        if scope is None:
            raise self._denied("the contract does not say whom this tool is for: it lacks access")
        if scope not in claims.scopes:
            given = " ".join(sorted(claims.scopes))
            problem = f"{tool.name} takes a token with the scope {scope}; this one has {given}"
            raise self._denied(problem, scope=scope, given=given)
        return replace(caller, claims=claims) if caller.claims is None else caller

    def _is_covered(self, request: Message, claims: Claims) -> bool:
        names = self.tool.injected(options_pb2.INJECTED_CPF)
        if not names:
            return self.tool.options.access != options_pb2.ACCESS_WRITE or Scope.RECORDS in claims.scopes
        return all(claims.covers(getattr(request, name)) for name in names)

    def _denied(self, problem: str, **metadata: str) -> DomainError:
        return DomainError("PERMISSION_DENIED", problem, metadata={"tool": self.tool.name, **metadata})


def invalid_arguments(tool: Tool, faults: Sequence[Violation]) -> DomainError:
    """Return the refusal that names each fault of a call of `tool`."""
    said = "; ".join(f"{fault.field}: {fault.description}" for fault in faults)
    problem, metadata = f"{tool.name} was called with wrong arguments: {said}", {"tool": tool.name}
    return DomainError("INVALID_ARGUMENTS", problem, metadata, violations=tuple(faults))


class RateLimit:
    """A policy that refuses callers who ask too often.

    A caller is the subject of the token, or the machine where no token is asked for. The signer chooses the subject:
    this stops a loop or a leaked token, not the holder of a signing key.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._reads = TokenBucket(limits.read_burst, limits.reads_per_s, clock)
        self._writes = TokenBucket(limits.write_burst, limits.writes_per_s, clock)

    def __call__(self, tool: Tool, caller: Caller) -> None:
        """Count a call; raise RATE_LIMITED with google.rpc.RetryInfo."""
        bucket = self._reads if tool.read_only else self._writes
        key = caller.machine if caller.claims is None else caller.claims.subject
        count_call(bucket, key, f"{tool.name} is called too often by one caller", {"tool": tool.name})


def count_call(bucket: TokenBucket | None, key: str, problem: str, metadata: Mapping[str, str] | None = None) -> None:
    """Count a call; raise RATE_LIMITED with google.rpc.RetryInfo where the bucket is empty. None counts nothing."""
    delay_s = None if bucket is None else bucket.take(key)
    if delay_s is None:
        return
    delay = Duration(nanos=0)  # rounded up, so that a caller who waits that long is served
    delay.FromMilliseconds(math.ceil(delay_s * 1000))
    message = f"{problem}; ask again in {delay.ToMilliseconds() / 1000:g} s"
    raise DomainError("RATE_LIMITED", message, metadata=metadata or {}, details=(RetryInfo(retry_delay=delay),))
