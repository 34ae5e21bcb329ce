"""Real clinics on free ports of this process, with silos in a temporary folder."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import grpc

from clinics import program
from clinics.profile import CLINICS, load_patients, load_profile
from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.limits import Limits
from mesh.server import NodePolicies, Server
from orchestrator.agents.registry import Agent, Registry
from orchestrator.turn.session import Session

NOW = "2025-07-15T08:00-03:00"
_DEADLINE_S = 30.0
_Read = TypeVar("_Read")


def _once(load: Callable[[str, Path], _Read]) -> Callable[[str, Path], _Read]:
    """Return what reads a file of a clinic of this repository once, as nobody writes there meanwhile."""
    own = cache(load)
    return lambda clinic, folder: (own if folder == CLINICS else load)(clinic, folder)


# Half of a clinic's start in this process, of which there are hundreds; a process of its own reads by itself.
for _name, _load in (("load_profile", _once(load_profile)), ("load_patients", _once(load_patients))):
    setattr(program, _name, _load)
SPECIALTIES = {
    "clinic_a": "Cardiology",
    "clinic_b": "Dermatology",
    "clinic_c": "Cardiology",
    "clinic_d": "Orthopedics",
    "clinic_e": "Orthopedics",
    "clinic_f": "Dermatology",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """Whom clinics answer, and how often.

    Attributes:
        keys: The folder of the public keys whose tokens they accept; None: they ask for none.
        limits: How often one caller may call; None: as often as they like.
    """

    keys: Path | None = None
    limits: Limits | None = None


OPEN_TO_ALL = Guard()

Agenda = tuple[Literal["rolling", "blueprint"], str]
"""An agenda's name and the instant at which the clinics' clock stands still."""

BLUEPRINT: Agenda = ("blueprint", NOW)


class Clinics:
    """Clinics that run, and what their db.json says."""

    def __init__(self, folder: Path, running: Mapping[str, Server], guard: Guard, agenda: Agenda) -> None:
        self._folder = folder
        self._guard = guard
        self._agenda = agenda
        self._running = dict(running)
        self._addresses = {clinic: process.address for clinic, process in running.items()}
        self._kept: dict[str, socket.socket] = {}

    @property
    def keys(self) -> Path | None:
        """The folder of the public keys whose tokens they accept."""
        return self._guard.keys

    @property
    def registry(self) -> Registry:
        """Where they are; a stopped one keeps its place."""
        return Registry(
            {clinic: Agent(clinic, SPECIALTIES[clinic], address) for clinic, address in self._addresses.items()}
        )

    def stop(self, clinic: str) -> None:
        """Stop one clinic; nothing else on this machine gets its port until it is started again."""
        self._running.pop(clinic).stop()
        host, _, port = self._addresses[clinic].rpartition(":")
        self._kept[clinic] = kept = socket.socket()
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        kept.bind((host, int(port)))  # and does not listen: who calls is refused

    def restart(self, clinic: str, guard: Guard | None = None) -> None:
        """Start a stopped clinic again, on the same port and silo; guarded as before, or otherwise."""
        self._kept.pop(clinic).close()
        self._running[clinic] = _start(
            clinic, self._folder, self._addresses[clinic], guard or self._guard, self._agenda
        )

    def slots(self, clinic: str) -> list[dict[str, Any]]:
        """Return the slots of a clinic's db.json as they are on disk."""
        content = json.loads((self._folder / clinic / "db.json").read_text("utf-8"))
        slots: list[dict[str, Any]] = content["slots"]
        return slots

    def log(self, clinic: str) -> list[dict[str, Any]]:
        """Return the lines of a clinic's log of operations."""
        content = (self._folder / clinic / "operations.jsonl").read_text("utf-8")
        return [json.loads(line) for line in content.splitlines()]

    def taken(self) -> set[tuple[str, str, str, str, str]]:
        """Return all bookings on all disks: clinic, doctor, date, time, CPF."""
        return {
            (clinic, slot["doctor"], slot["date"], slot["time"], slot["cpf"])
            for clinic in self._addresses
            for slot in self.slots(clinic)
            if slot["cpf"]
        }

    def give_back(self, session: Session) -> None:
        """Cancel all that a session holds, without a turn of the desk."""
        for held in session.appointments:
            with grpc.insecure_channel(self._addresses[held.clinic]) as channel:
                ClinicServiceStub(channel).CancelAppointment(
                    pb.CancelAppointmentRequest(
                        doctor=held.doctor,
                        date=held.date.isoformat(),
                        time=f"{held.time:%H:%M}",
                        patient_name=session.identity.name,
                        cpf=session.identity.cpf,
                    ),
                    timeout=_DEADLINE_S,
                )

    def close(self) -> None:
        """Stop all that run, and give the ports of the others back."""
        for process in self._running.values():
            process.stop()
        for kept in self._kept.values():
            kept.close()


@contextmanager
def open_clinics(
    folder: Path, ids: Sequence[str] = tuple(SPECIALTIES), guard: Guard = OPEN_TO_ALL, agenda: Agenda = BLUEPRINT
) -> Iterator[Clinics]:
    """Yield running clinics with an agenda at an instant: the blueprint's, on 2025-07-15 at 08:00."""
    running = {clinic: _start(clinic, folder, "127.0.0.1:0", guard, agenda) for clinic in ids}
    clinics = Clinics(folder, running, guard, agenda)
    try:
        yield clinics
    finally:
        clinics.close()


def _start(clinic: str, folder: Path, listen: str, guard: Guard, agenda: Agenda) -> Server:
    silo = folder / clinic
    name, now = agenda
    return serve(clinic, listen, silo, name, now, NodePolicies(guard.keys, guard.limits))
