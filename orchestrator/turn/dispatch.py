"""What a router is told with the steps of a turn."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from orchestrator.turn.identity import Identity, Role


@dataclass(frozen=True, slots=True)
class Dispatch:
    """What the steps of one turn share.

    Attributes:
        turn_id: The turn; also the trace id that the clinics log.
        identity: Who speaks.
        cancel: Set by whoever wants the turn to stop.
        role: On whose behalf the person speaks.
    """

    turn_id: str
    identity: Identity
    cancel: threading.Event
    role: Role = Role.PATIENT
