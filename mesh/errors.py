"""The one error that crosses layers: a reason of the contract, and what a person can do about it."""

import logging
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Violation:
    """One field that broke the contract."""

    field: str  # empty where the message as a whole is at fault
    description: str  # what is expected; never the value
    reason: str = ""  # of the contract's `ViolationReason`, without the prefix; empty from agents of earlier releases


class UsageError(ValueError):
    """What a person can mend, such as a setting or a file; the message says what is wrong and what to do."""


class ContractBreachError(Exception):
    """A handler broke its contract; the message holds names of the contract and of types only, and is logged."""


@dataclass(eq=False, repr=False)
class DomainError(Exception):
    """A refusal or failure by its `ErrorReason`, without the enum's prefix; no text in it holds personal data."""

    reason: str
    message: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    details: tuple[object, ...] = ()
    domain: str | None = None  # the package that lists the reason, as another node states it; None for one made here

    def __str__(self) -> str:
        return self.message


def internal_error(fault: Exception, method: str, trace_id: str) -> DomainError:
    """Return what a call that failed gets; log its type and place, not its message, which may name a patient."""
    if isinstance(fault, ContractBreachError):
        _log.error("%s failed: %s trace_id=%s", method, fault, trace_id)
    else:
        where = "".join(traceback.format_tb(fault.__traceback__))
        _log.error("%s failed: %s trace_id=%s\n%s", method, type(fault).__name__, trace_id, where)
    said = f"the agent failed; its log says more under this id: {trace_id}"
    return DomainError("INTERNAL", said, metadata={"trace_id": trace_id})
