"""What holds for every call of a tool, whichever door it came through.

A policy is a plain function of (tool, request, caller) that returns or raises; policies are composed once around a
handler. Transport is not their matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.message import Message

from mesh.caller import Caller
from mesh.catalogue import Tool
from mesh.errors import DomainError, Violation
from mesh.formats import faults_of

Handler = Callable[[Any, Caller], Message]
"""Answers a typed request; the request's type differs from tool to tool, hence Any."""

Policy = Callable[[Tool, Message, Caller], None]
"""Refuses a call by raising DomainError."""

Admission = Callable[[Tool, Message, Caller], Caller]
"""Refuses a call by raising DomainError, or returns the caller as policies and handler are to know them."""


def guard(tool: Tool, handler: Handler, policies: Sequence[Policy], admission: Admission | None = None) -> Handler:
    """Return `handler` behind the form check, `admission`, and `policies`, which are asked in this order.

    The form comes first: admission compares fields, and says nothing to who may not call that the contract does not.
    """
    checks = tuple(policies)

    def guarded(request: Message, caller: Caller) -> Message:
        well_formed(tool, request, caller)
        if admission is not None:
            caller = admission(tool, request, caller)
        for check in checks:
            check(tool, request, caller)
        return handler(request, caller)

    return guarded


def well_formed(tool: Tool, request: Message, caller: Caller) -> None:  # noqa: ARG001 (a policy's signature)
    """Refuse a request whose required fields are empty or whose fields have not the form the contract gives them.

    Raises:
        DomainError: INVALID_ARGUMENTS, naming every field at fault.
    """
    faults = faults_of(tool.arguments, request)
    if faults:
        raise invalid_arguments(tool, faults)


def invalid_arguments(tool: Tool, faults: Sequence[Violation]) -> DomainError:
    """Return the refusal that names each fault of a call of `tool`."""
    said = "; ".join(f"{fault.field}: {fault.description}" for fault in faults)
    return DomainError(
        "INVALID_ARGUMENTS",
        f"{tool.name} was called with wrong arguments: {said}",
        metadata={"tool": tool.name},
        violations=tuple(faults),
    )
