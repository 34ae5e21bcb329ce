"""Slots, and what a step does: a write or a listing as typed values, any other tool by its name and arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import ClassVar

from google.rpc.error_details_pb2 import RetryInfo

from generated.clinic.v1 import clinic_service_pb2, error_reason_pb2
from mesh.catalogue import Catalogue
from mesh.reasons import Reasons

USUAL_MIN = 30  # how long a visit is taken to be where its clinic does not say

SERVICE = clinic_service_pb2.DESCRIPTOR.services_by_name["ClinicService"]
CATALOGUE = Catalogue(SERVICE)
REASONS = Reasons(error_reason_pb2.ErrorReason.DESCRIPTOR)

REFUSAL_DETAILS = (clinic_service_pb2.SlotAlternatives, RetryInfo)  # messages that a refusal may carry, typed

LIST = "list_available_slots"
BOOK = "book_appointment"
MOVE = "reschedule_appointment"
CANCEL = "cancel_appointment"
LIST_PATIENTS = "list_patients"
GET_PATIENT = "get_patient"
QUERY = "query"
LIST_APPOINTMENTS = "list_appointments"


def is_write(action: str) -> bool:
    """Return whether a tool changes something; an unknown one is taken to."""
    return action not in CATALOGUE or not CATALOGUE[action].read_only


@dataclass(frozen=True, slots=True)
class Appointment:
    """A slot: a doctor of a clinic at a moment, held or open."""

    clinic: str
    doctor: str
    date: date
    time: time
    appointment_id: str = field(default="", compare=False)  # of one that is held; stays when it is moved
    revision: int = field(default=0, compare=False)  # grows with each change
    duration_min: int = field(default=0, compare=False)

    @property
    def begin(self) -> datetime:
        """When it begins."""
        return datetime.combine(self.date, self.time)


@dataclass(frozen=True, slots=True)
class Offer:
    """An opening of a list, by its number."""

    number: int  # 1, 2, 3 ... as on the screen; 0 for one that was not printed
    clinic: str  # the clinic's id
    doctor: str  # full name with title
    specialty: str  # the doctor's specialty in Portuguese, as the clinic says it
    date: date  # the day, in America/Sao_Paulo
    time: time  # the time of day
    unsuitable: bool = field(default=False, compare=False)  # by what the speaker said before; it comes last
    duration_min: int = field(default=0, compare=False)

    @property
    def slot(self) -> Appointment:
        """The slot, without its number."""
        return Appointment(self.clinic, self.doctor, self.date, self.time, duration_min=self.duration_min)


SlotLike = Appointment | Offer  # what a filter looks at


@dataclass(frozen=True, slots=True)
class ListOpenings:
    """List the open slots of a clinic, or of one of its doctors."""

    name: ClassVar[str] = LIST
    doctor: str | None = None


@dataclass(frozen=True, slots=True)
class Book:
    """Book a slot."""

    name: ClassVar[str] = BOOK
    doctor: str
    date: date
    time: time


@dataclass(frozen=True, slots=True)
class Move:
    """Move an appointment to another slot of its doctor."""

    name: ClassVar[str] = MOVE
    doctor: str
    original_date: date
    original_time: time
    date: date
    time: time


@dataclass(frozen=True, slots=True)
class Cancel:
    """Give an appointment back."""

    name: ClassVar[str] = CANCEL
    doctor: str
    date: date
    time: time


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Call a tool by name: one of another service, or one whose arguments are not those of the contract."""

    name: str  # the tool's name in the catalogue
    # arguments by name, without the injected ones; the router checks them
    arguments: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)


Action = ListOpenings | Book | Move | Cancel | ToolCall


def clock(at: time) -> str:
    """Return a time of day as the contract and every language write it."""
    return f"{at.hour:02}:{at.minute:02}"
