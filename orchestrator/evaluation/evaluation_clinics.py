"""The clinics of an evaluation: prepared before each query, inspected after it.

Slots are given back over the wire, which is faster than restarting six processes; files on disk are only read.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import Any

import grpc

from generated.clinic.v1 import clinic_service_pb2_grpc
from generated.clinic.v1.clinic_service_pb2 import BookAppointmentRequest, CancelAppointmentRequest
from mesh.channel import bearer
from orchestrator.agents import Channels, Registry
from orchestrator.evaluation.suite import SlotName, SuiteError
from orchestrator.fleet import FleetError
from orchestrator.security import Credentials
from orchestrator.turn import Appointment, Identity, Role

SPEAKER = Identity.of("Carlos Exemplo Teste", "529.982.247-25")  # who speaks in every query

SOMEBODY_ELSE = Identity.of("Joana Outra Pessoa", "111.444.777-35")  # who holds the slots that a query says are taken

_TIMEOUT_S = 5.0


class OperatorCredentials(Credentials):
    """Tokens of the front desk for everybody: the verifier must judge a record that no clinic should have given."""

    def token(self, identity: Identity, role: Role, clinic: str) -> str:  # noqa: ARG002 - the same for every role
        """Return the token of an operator who serves this person."""
        return super().token(identity, Role.OPERATOR, clinic)


@dataclass(frozen=True, slots=True)
class Bookings:
    """The held slots of all clinics."""

    own: frozenset[SlotName] = frozenset()  # slots of the speaker
    others: frozenset[SlotName] = frozenset()  # slots of anybody else, including those under a wrong name or CPF


@dataclass(frozen=True, slots=True)
class EvaluationClinics:
    """The clinics that serve one evaluation."""

    registry: Registry
    channels: Channels
    silo: Callable[[str], Path]  # returns the folder of a clinic's db.json
    credentials: Credentials | None = None

    def prepare(self, *, held: Iterable[SlotName], taken: Iterable[SlotName]) -> None:
        """Give every slot back, then book `held` for the speaker and `taken` for another; FleetError or SuiteError."""
        self.hold(())
        slots = {SlotName.of(slot): slot for slot, _ in self._slots()}
        wanted = Bookings(own=frozenset(held), others=frozenset(taken))
        for holder, names in ((SPEAKER, wanted.own), (SOMEBODY_ELSE, wanted.others)):
            for name in names:
                if name not in slots:
                    raise SuiteError(f"{' '.join(name)}: there is no such slot")
                self._write(slots[name], holder, books=True)
        if self.bookings() != wanted:
            raise FleetError("evaluation", reason="the clinics' files do not show what the query begins with")

    def hold(self, appointments: Iterable[Appointment], holder: Identity = SPEAKER) -> None:
        """Give every slot back, then book these; raise as `prepare`."""
        for slot, held_by in tuple(self._slots()):
            if held_by is not None:
                self._write(slot, held_by, books=False)
        for slot in appointments:
            self._write(slot, holder, books=True)

    def appointments(self, holder: Identity | None) -> frozenset[Appointment]:
        """Return what somebody holds on disk; for nobody, every open slot."""
        return frozenset(slot for slot, held_by in self._slots() if held_by == holder)

    def bookings(self) -> Bookings:
        """Return the held slots, as they are on disk."""
        held = {SlotName.of(slot): holder for slot, holder in self._slots() if holder is not None}
        own = frozenset(name for name, holder in held.items() if holder == SPEAKER)
        return Bookings(own, frozenset(held) - own)

    def _write(self, slot: Appointment, holder: Identity, *, books: bool) -> None:
        name, channel = SlotName.of(slot), self.channels.to(self.registry[slot.clinic])
        stub = clinic_service_pb2_grpc.ClinicServiceStub(channel)
        facts = {"doctor": slot.doctor, "date": name.date, "time": name.time}
        facts |= {"patient_name": holder.name, "cpf": holder.cpf}
        token = None if self.credentials is None else self.credentials.token(holder, Role.OPERATOR, slot.clinic)
        try:
            if books:
                stub.BookAppointment(BookAppointmentRequest(**facts), timeout=_TIMEOUT_S, metadata=bearer(token))
            else:
                stub.CancelAppointment(CancelAppointmentRequest(**facts), timeout=_TIMEOUT_S, metadata=bearer(token))
        except grpc.RpcError as error:
            raise FleetError("evaluation", reason=f"{' '.join(name)}: {error.code().name}") from error

    def _slots(self) -> Iterator[tuple[Appointment, Identity | None]]:
        """Yield every slot on disk with its holder; None for an open one."""
        for clinic in self.registry:
            path = self.silo(clinic) / "db.json"
            try:
                content: dict[str, Any] = json.loads(path.read_bytes())
            except (OSError, ValueError) as error:
                raise FleetError("evaluation", reason=f"{path}: cannot be read as JSON") from error
            for slot in content["slots"]:
                day, at = date.fromisoformat(slot["date"]), time.fromisoformat(slot["time"])
                holder = None if slot["cpf"] is None else Identity(slot["patient_name"], slot["cpf"])
                yield Appointment(clinic, slot["doctor"], day, at), holder
