"""What a router is given with the steps of a turn, and the result of each step."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from mesh.errors import DomainError
from orchestrator.turn.identity import Identity, Role
from orchestrator.turn.plan import Step


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What the steps of one turn share."""

    turn_id: str  # the turn; also the trace id that the clinics log
    identity: Identity  # who speaks
    cancel: threading.Event  # set by whoever wants the turn to stop
    role: Role = Role.PATIENT  # on whose behalf the person speaks


NOT_ATTEMPTED = DomainError("UNREACHABLE", "not attempted: an earlier step for this clinic failed")
"""The error of a step that was skipped."""


class StepStatus(StrEnum):
    """How a step ended."""

    DONE = "done"
    REFUSED = "refused"  # the clinic answered no
    UNREACHED = "unreached"  # the clinic did not answer; nothing was written
    UNKNOWN = "unknown"  # a write that may or may not have been made
    SKIPPED = "skipped"  # not attempted: an earlier step for the clinic failed, or the turn was cancelled


@dataclass(frozen=True, slots=True)
class StepResult:
    """A step and its outcome: a response when done, only the status when skipped, else an error."""

    step: Step  # what was asked
    status: StepStatus  # how it ended
    # the tool's typed response. It may hold personal data, so it is not in the representation
    response: Message | None = field(default=None, repr=False)
    error: DomainError | None = None  # the refusal or failure
    elapsed_s: float = 0.0  # seconds from dispatch to outcome
    dropped: int = 0  # entries of the answer that were left out because they break the contract

    @property
    def entries(self) -> int | None:
        """How many entries the first list of the response has; None without a response, or one without a list."""
        if self.response is None:
            return None
        name = _first_list(self.response.DESCRIPTOR)
        return None if name is None else len(getattr(self.response, name))


@cache
def _first_list(message: Descriptor) -> str | None:
    return next((field.name for field in message.fields if field.is_repeated), None)
