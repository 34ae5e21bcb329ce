"""The one error that crosses layers: a reason of the contract, and what a person can do about it.

Pure: rules that know neither gRPC nor protobuf raise it. `mesh.reasons` reads from the contract what a reason means on
the wire.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping
from dataclasses import dataclass

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Violation:
    """One field that broke the contract.

    Attributes:
        field: The field's name in the contract; empty when the message as a whole is at fault.
        description: What is expected there; never the value, which may be personal.
    """

    field: str
    description: str


class DomainError(Exception):
    """A refusal or failure that the contract has a reason for.

    Args:
        reason: A name of an `ErrorReason` enum without its prefix, such as "SLOT_UNAVAILABLE".
        message: One English sentence for developers: what is wrong and what to do. No personal data.
        metadata: Further facts, for `google.rpc.ErrorInfo`.
        violations: The fields at fault, for `google.rpc.BadRequest`.
        details: Protobuf messages that the caller may want typed, such as alternatives.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        metadata: Mapping[str, str] | None = None,
        violations: tuple[Violation, ...] = (),
        details: tuple[object, ...] = (),
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata: Mapping[str, str] = dict(metadata or {})
        self.violations = violations
        self.details = details


def internal_error(fault: Exception, method: str, trace_id: str) -> DomainError:
    """Log an unexpected exception under the call's trace id, and return what its caller gets.

    The exception's message may hold a patient's data: only its type and where it was raised are logged.
    """
    where = "".join(traceback.format_tb(fault.__traceback__))
    _log.error("%s failed: %s trace_id=%s\n%s", method, type(fault).__name__, trace_id, where)
    return DomainError(
        "INTERNAL", f"the agent failed; its log says more under this id: {trace_id}", metadata={"trace_id": trace_id}
    )
