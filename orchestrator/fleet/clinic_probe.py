"""A clinic of the fleet, and a look at who is at its address; what a finding means is for `fleet` to decide."""

import socket
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import cast

import grpc

from generated.clinic.v1.clinic_service_pb2 import Agenda, GetClinicResponse
from mesh.channel import open_channel
from mesh.errors import DomainError
from mesh.tls import ClientTls, is_loopback
from orchestrator.agents import ask_clinic, ask_health


@dataclass(frozen=True, slots=True)
class Member:
    """A clinic that belongs to the fleet."""

    id: str
    address: str  # where it is called, as host:port or dns:///host:port
    silo: Path  # its data folder, absolute
    clinics: Path | None = None  # a folder with clinics of the user's own, absolute
    store: str | None = None  # the PostgreSQL server of its agenda, without a password; None: its db.json

    @property
    def endpoint(self) -> tuple[str, int]:
        """Host and port."""
        host, _, port = self.address.removeprefix("dns:///").rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def is_local(self) -> bool:
        """Whether the address is this machine's own loopback, so that the clinic can be started here."""
        return is_loopback(self.address)


class Absence(Enum):
    """Why no clinic answers at an address."""

    VACANT = auto()  # nothing listens
    STRANGER = auto()  # something listens, but does not answer as a clinic in time
    UNREADABLE = auto()  # it answers as a clinic, but what it says of itself cannot be used


@dataclass(frozen=True, slots=True)
class Present:
    """A clinic answers."""

    said: GetClinicResponse  # of itself
    is_serving: bool  # whether its health check says that it takes calls

    @property
    def agenda(self) -> str:
        """The agenda that it holds, "rolling" or "blueprint"."""
        return Agenda.Name(self.said.agenda).removeprefix("AGENDA_").lower()


Finding = Absence | Present


def probe(member: Member, tls: ClientTls | None = None, timeout_s: float = 2.0) -> Finding:
    """Return who is at a member's address, which need not be the member; `timeout_s` is for each step."""
    try:
        socket.create_connection(member.endpoint, timeout_s).close()
    except (ConnectionRefusedError, socket.gaierror):
        return Absence.VACANT
    except OSError:
        return Absence.STRANGER
    with open_channel(member.address, (), tls) as channel:
        try:
            return Present(ask_clinic(channel, timeout_s), ask_health(channel, timeout_s))
        except grpc.RpcError as error:
            # gRPC's word for an answer that is too large to be read, and a clinic's that has no place for a call.
            is_clinic = cast("grpc.Call", error).code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            return Absence.UNREADABLE if is_clinic else Absence.STRANGER
        except DomainError:
            return Absence.UNREADABLE
