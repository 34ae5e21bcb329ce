"""What an operator's change of an agenda waits for: a yes to it, and to moving those who are in its way."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from orchestrator.turn.identity import Identity
from orchestrator.turn.plan import Step
from orchestrator.turn.step_actions import Appointment


@dataclass(frozen=True, slots=True)
class PatientVisit:
    """An appointment that is in the way of a closing, whose it is, and what moves it, as one change.

    It goes to another slot of the doctor, or is a booking and then a cancellation.
    """

    patient: Identity = field(repr=False)
    held: Appointment
    to: Appointment | None = None  # None: no opening was found, or none was looked for
    steps: Sequence[Step] = ()  # each with its request_id, so that a repeat is the same write


@dataclass(frozen=True, slots=True)
class AgendaProposal:
    """A change of an agenda, or moves, that wait for a yes; or visits that may be moved, on request."""

    change: Step | None = None  # opens or closes times
    moves: Sequence[PatientVisit] = ()
    visits: Sequence[PatientVisit] = ()  # those that the last closing left in its way
    proposes_moves: bool = False  # whether moves are proposed as soon as the change is made

    @property
    def waits(self) -> bool:
        """Whether it waits for a yes."""
        return self.change is not None or any(move.steps for move in self.moves)
