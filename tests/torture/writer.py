"""One patient who books, moves and cancels without pause, and knows at every moment what the disk may hold of theirs.

All writes carry a request_id. A write whose outcome is not known stays pending until it was repeated and answered;
until then the disk may be on either side of it, and on no third.
"""

from __future__ import annotations

import random
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import grpc
from google.protobuf.message import Message

from clinics.request_archive import MOST_OF_A_PATIENT
from clinics.slots import SlotRef
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.channel import bearer
from mesh.errors import DomainError
from mesh.reasons import from_call

TIMEOUT_S = 60.0
_MOST_HELD = 3
_STRANGERS_APART = 1_000
"""From the number of one person to that of the next whom a writer becomes."""

_REMEMBERED = 10
_REFUSED = frozenset({"SLOT_UNAVAILABLE", "ALREADY_BOOKED", "APPOINTMENT_CONFLICT"})
"""What a healthy clinic may say to a writer who knows their own appointments."""

_FULL = "REQUEST_IDS_EXHAUSTED"
"""What it says when it remembers as many writes as it may; nothing is made then, and nothing was."""

_WRITES_OF_A_PERSON = MOST_OF_A_PATIENT - 50
"""After so many a writer gives up what they hold and goes on as somebody else."""


def failure(error: grpc.RpcError) -> DomainError:
    """Return what a call failed with, in the contract's words."""
    call = cast("grpc.Call", error)
    if call.code() is grpc.StatusCode.CANCELLED:  # nobody here cancels: an ending clinic had not begun this call
        return DomainError("UNREACHABLE", "the clinic turned the call away")
    return from_call(call, (pb.SlotAlternatives,))


class BrokenPromiseError(AssertionError):
    """The clinic did what it promises never to do."""


@dataclass(frozen=True)
class Write:
    """A write: what is sent, and what it changes for who sends it."""

    rpc: str
    request: Message
    gains: frozenset[SlotRef] = frozenset()
    loses: frozenset[SlotRef] = frozenset()

    def after(self, held: frozenset[SlotRef]) -> frozenset[SlotRef]:
        """Return what is held once it is made."""
        return held - self.loses | self.gains


class Writer:
    """A patient.

    Args:
        number: Which one.
        slots: All slots of the agenda; other writers want them too.
        seed: Of their choices.
        token_for: Makes the token for their CPF. None: no token is asked for.
        waits: Whether their calls wait for a clinic that is not there yet, instead of failing at once.
    """

    def __init__(
        self,
        number: int,
        slots: Sequence[SlotRef],
        seed: str,
        token_for: Callable[[str], str] | None = None,
        *,
        waits: bool = False,
    ) -> None:
        self.number = number
        self.waits = waits
        self._token_for = token_for
        self.held: frozenset[SlotRef] = frozenset()
        self.pending: Write | None = None
        self.acknowledged = 0
        self.repeated = 0
        self.unstored = 0
        self._pending_is_made: bool | None = None
        self._slots = slots
        self._random = random.Random(seed)
        self._answered: deque[tuple[Write, Message]] = deque(maxlen=_REMEMBERED)
        self._become(number)

    def write(self, stub: ClinicServiceStub) -> DomainError | None:
        """Make one write, or repeat the pending one; return the error after which nothing is known, if there is one.

        Raises:
            BrokenPromiseError: The answer contradicts what was acknowledged before.
        """
        is_repeat = self.pending is not None
        write = self.pending = self.pending or self._next()
        try:
            response = self._send(stub, write)
        except DomainError as error:
            if error.reason == "STORAGE_UNAVAILABLE" and error.metadata["outcome"] == "unchanged" and not is_repeat:
                self.unstored += 1
                self.pending = None
                return None
            if error.reason in {"UNREACHABLE", "STORAGE_UNAVAILABLE"}:
                return error
            if error.reason == _FULL and not self._pending_is_made:
                self.unstored += 1
                self.pending = self._pending_is_made = None
                return None
            if error.reason not in _REFUSED or not write.gains or self._pending_is_made:
                raise BrokenPromiseError(f"{self.name}: {write.rpc} was answered {error.reason}") from error
            self.pending = self._pending_is_made = None
            return None
        self.held = write.after(self.held)
        self.pending = self._pending_is_made = None
        self.acknowledged += 1
        self._answered.append((write, response))
        return None

    def repeat(self, stub: ClinicServiceStub) -> DomainError | None:
        """Send a write again that was answered before; return the error if no answer came.

        Raises:
            BrokenPromiseError: The answer is another than it was.
        """
        if not self._answered:
            return None
        write, response = self._random.choice(self._answered)
        try:
            again = self._send(stub, write)
        except DomainError as error:
            if error.reason == "UNREACHABLE":
                return error
            raise BrokenPromiseError(f"{self.name}: a repeated {write.rpc} got {error.reason}") from error
        if again != response:
            raise BrokenPromiseError(f"{self.name}: a repeated {write.rpc} was answered otherwise")
        self.repeated += 1
        return None

    def compare(self, on_disk: frozenset[SlotRef]) -> None:
        """Hold what the disk says of this patient against what was acknowledged.

        Raises:
            BrokenPromiseError: An acknowledged write is missing, or something was made that was never asked for.
        """
        if self.pending is not None:
            # On the disk once, there for good: the repeat must be answered, not refused.
            after = self.pending.after(self.held)
            self._pending_is_made = on_disk == after != self.held
        if on_disk != self.held and not self._pending_is_made:
            missing, extra = len(self.held - on_disk), len(on_disk - self.held)
            raise BrokenPromiseError(f"{self.name}: {missing} acknowledged missing on disk, {extra} never acknowledged")

    def _send(self, stub: ClinicServiceStub, write: Write) -> Message:
        try:
            response: Message = getattr(stub, write.rpc)(
                write.request, timeout=TIMEOUT_S, metadata=self.metadata, wait_for_ready=self.waits
            )
        except grpc.RpcError as error:
            raise failure(error) from error
        return response

    def _become(self, number: int) -> None:
        self.name, self.cpf = f"Paciente {number}", f"{number:011d}"
        self.metadata = bearer(None if self._token_for is None else self._token_for(self.cpf))
        self._written = 0
        self._answered.clear()

    def _next(self) -> Write:
        self._written += 1
        is_leaving = self._written > _WRITES_OF_A_PERSON
        if is_leaving and not self.held:
            self.number += _STRANGERS_APART
            self._become(self.number)
        elif is_leaving:
            return self._cancellation()
        if not self.held or (len(self.held) < _MOST_HELD and self._random.random() < 0.5):
            wanted = self._any_slot()
            return Write("BookAppointment", pb.BookAppointmentRequest(**_at(wanted), **self._me()), frozenset({wanted}))
        if self._random.random() < 0.5:
            return self._cancellation()
        mine = self._any_held()
        wanted = self._any_slot(mine.doctor)
        request = pb.RescheduleAppointmentRequest(
            doctor=mine.doctor,
            original_date=mine.date,
            original_time=mine.time,
            new_date=wanted.date,
            new_time=wanted.time,
            **self._me(),
        )
        return Write("RescheduleAppointment", request, frozenset({wanted}), frozenset({mine}))

    def _cancellation(self) -> Write:
        mine = self._any_held()
        return Write(
            "CancelAppointment", pb.CancelAppointmentRequest(**_at(mine), **self._me()), loses=frozenset({mine})
        )

    def _any_held(self) -> SlotRef:
        return self._random.choice(sorted(self.held, key=lambda ref: (ref.doctor, ref.date, ref.time)))

    def _any_slot(self, doctor: str | None = None) -> SlotRef:
        return self._random.choice([ref for ref in self._slots if doctor in {None, ref.doctor}])

    def _me(self) -> Mapping[str, str]:
        request_id = str(uuid.UUID(int=self._random.getrandbits(128), version=4))
        return {"patient_name": self.name, "cpf": self.cpf, "request_id": request_id}


def _at(ref: SlotRef) -> Mapping[str, str]:
    return {"doctor": ref.doctor, "date": ref.date, "time": ref.time}
