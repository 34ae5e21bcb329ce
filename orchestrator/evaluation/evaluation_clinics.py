"""The clinics of an evaluation: prepared before each query, inspected after it.

Slots are given back over the wire, which is faster than restarting six processes; files on disk are only read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import Any

import grpc

from generated.clinic.v1 import clinic_service_pb2_grpc
from generated.clinic.v1.clinic_service_pb2 import BookAppointmentRequest, CancelAppointmentRequest
from orchestrator.agents import Channels, Registry
from orchestrator.evaluation.suite import SlotName, SuiteError
from orchestrator.turn import Appointment, Identity

SPEAKER = Identity.of("Carlos Exemplo Teste", "529.982.247-25")
"""Who speaks in every query."""

SOMEBODY_ELSE = Identity.of("Joana Outra Pessoa", "111.444.777-35")
"""Who holds the slots that a query says are taken."""

_TIMEOUT_S = 5.0


class EvaluationClinicsError(RuntimeError):
    """The clinics cannot be prepared; the message says where it failed."""


@dataclass(frozen=True, slots=True)
class Bookings:
    """The held slots of all clinics."""

    own: frozenset[SlotName] = frozenset()  # slots of the speaker
    others: frozenset[SlotName] = frozenset()  # slots of anybody else, including those under a wrong name or CPF


@dataclass(frozen=True, slots=True)
class _DiskSlot:
    """A slot on disk and its holder; None when it is open."""

    slot: SlotName
    doctor: str
    holder: Identity | None

    @property
    def appointment(self) -> Appointment:
        """The slot with its doctor."""
        clinic, day, at = self.slot
        return Appointment(clinic, self.doctor, date.fromisoformat(day), time.fromisoformat(at))


class EvaluationClinics:
    """The clinics that serve one evaluation; `silo` returns the folder of a clinic's db.json."""

    def __init__(self, registry: Registry, channels: Channels, silo: Callable[[str], Path]) -> None:
        self._silo = silo
        self._stubs: Mapping[str, clinic_service_pb2_grpc.ClinicServiceStub] = {
            agent.id: clinic_service_pb2_grpc.ClinicServiceStub(channels.to(agent)) for agent in registry.values()
        }

    def prepare(self, *, held: Iterable[SlotName], taken: Iterable[SlotName]) -> None:
        """Give every slot back, then book `held` for the speaker and `taken` for somebody else.

        Raises:
            EvaluationClinicsError: A clinic refuses or does not answer.
            SuiteError: A slot does not exist.
        """
        self.hold(())
        slots = {slot.slot: slot for slot in self._slots()}
        wanted = Bookings(own=frozenset(held), others=frozenset(taken))
        for holder, names in ((SPEAKER, wanted.own), (SOMEBODY_ELSE, wanted.others)):
            for name in names:
                if name not in slots:
                    raise SuiteError(f"{' '.join(name)}: there is no such slot")
                self._write(slots[name], holder, books=True)
        if self.bookings() != wanted:
            raise EvaluationClinicsError("the clinics' files do not show what the query begins with")

    def hold(self, appointments: Iterable[Appointment], holder: Identity = SPEAKER) -> None:
        """Give every slot back, then book these; raise as `prepare`."""
        for slot in tuple(self._slots()):
            if slot.holder is not None:
                self._write(slot, slot.holder, books=False)
        for one in appointments:
            self._write(_DiskSlot(SlotName.of(one), one.doctor, None), holder, books=True)

    def appointments(self, holder: Identity | None) -> frozenset[Appointment]:
        """Return what somebody holds on disk; for nobody, every open slot."""
        return frozenset(slot.appointment for slot in self._slots() if slot.holder == holder)

    def bookings(self) -> Bookings:
        """Return the held slots, as they are on disk."""
        held = [slot for slot in self._slots() if slot.holder is not None]
        own = frozenset(slot.slot for slot in held if slot.holder == SPEAKER)
        return Bookings(own, frozenset(slot.slot for slot in held) - own)

    def slots(self) -> frozenset[SlotName]:
        """Return every slot, held or open."""
        return frozenset(slot.slot for slot in self._slots())

    def _write(self, slot: _DiskSlot, holder: Identity, *, books: bool) -> None:
        clinic, date, time = slot.slot
        facts = {"doctor": slot.doctor, "date": date, "time": time, "patient_name": holder.name, "cpf": holder.cpf}
        try:
            if books:
                self._stubs[clinic].BookAppointment(BookAppointmentRequest(**facts), timeout=_TIMEOUT_S)
            else:
                self._stubs[clinic].CancelAppointment(CancelAppointmentRequest(**facts), timeout=_TIMEOUT_S)
        except grpc.RpcError as error:
            raise EvaluationClinicsError(f"{' '.join(slot.slot)}: {error.code().name}") from error

    def _slots(self) -> Iterator[_DiskSlot]:
        for clinic in self._stubs:
            path = self._silo(clinic) / "db.json"
            try:
                content: dict[str, Any] = json.loads(path.read_bytes())
            except (OSError, ValueError) as error:
                raise EvaluationClinicsError(f"{path}: cannot be read as JSON") from error
            for slot in content["slots"]:
                name = SlotName(clinic, slot["date"], slot["time"])
                holder = None if slot["available"] else Identity(slot["patient_name"], slot["cpf"])
                yield _DiskSlot(name, slot["doctor"], holder)
