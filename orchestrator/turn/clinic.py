"""Who the clinics are, as far as they have said, and the port that asks them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from generated.clinic.v1.clinic_service_pb2 import BookingPolicy, ClinicDetails
from orchestrator.turn.identity import Language
from orchestrator.turn.opening_filter import Filter, verdict

_PARKING = re.compile(r"estaciona|\bvagas?\b|manobrista|valet|parking", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpecialtyWords:
    """How people speak of a specialty, as its clinics state it; phrases are in the contract's FORMAT_PHRASE."""

    portuguese: str = ""  # its name; empty: not known. The code is its name in English
    names: tuple[str, ...] = ()  # of it and of its doctors
    complaints: tuple[str, ...] = ()
    body: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clinic:
    """A clinic of the registry; its id and names are hash enough for what is kept by clinics in a turn."""

    id: str  # the registry's id, such as "clinic_a"
    name: str  # what people call it; the id until the clinic has answered once, and with it where names coincide
    specialty: str  # the specialty's code, such as "Cardiology"
    doctors: tuple[str, ...] = field(default=(), hash=False)  # full names with title; empty until it has answered once
    # what it states of itself, and what it holds bookings to; None until it has answered once
    details: ClinicDetails | None = field(default=None, hash=False)
    policy: BookingPolicy | None = field(default=None, hash=False)
    knows_callers: bool = True  # whether it asks for tokens, so that it can tell what a caller holds
    # those of another clinic of the specialty until it has answered
    words: SpecialtyWords = field(default=SpecialtyWords(), hash=False)

    def specialty_name(self, language: Language) -> str:
        """Return what its specialty is called; the code, which is English, until that is known."""
        return (language is Language.PT and self.words.portuguese) or self.specialty

    @property
    def place(self) -> str:
        """Where it is, in one line; empty where it does not say."""
        return "" if self.details is None else ", ".join(filter(None, (self.details.address, self.details.city)))

    @property
    def change_notice(self) -> timedelta:
        """How long before it begins a visit can be moved or cancelled last; none where there is no such rule."""
        return timedelta(minutes=0 if self.policy is None else self.policy.change_notice_min)

    def stated(self, *names: str) -> tuple[str, ...]:
        """Return what it states in some fields of its details, or in all, as texts; `parking` is told in others."""
        if names == ("parking",):
            return tuple(filter(_PARKING.search, self.stated("directions", "accessibility")))
        found = () if self.details is None else self.details.ListFields()
        values = (value for field, value in found if not names or field.name in names)
        texts = (text for value in values for text in ((value,) if isinstance(value, str | int) else value))
        return tuple(map(str, texts))


def clinic_name(clinic_id: str, clinics: Iterable[Clinic]) -> str:
    """Return a clinic's name; its id while its name is unknown."""
    return next((one.name for one in clinics if one.id == clinic_id), clinic_id)


def fitting_doctors(wanted: Filter, clinic: Clinic) -> tuple[str, ...]:
    """Return the doctors of a clinic who may be what a filter asks for; those of one that never answered are ""."""
    return tuple(one for one in clinic.doctors or ("",) if verdict(wanted, clinic.id, one) is not False)


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a clinic says of itself."""

    name: str  # what people call it
    doctors: Mapping[str, str]  # the specialty in Portuguese of each doctor, by the full name with title
    details: ClinicDetails = field(default_factory=ClinicDetails)
    policy: BookingPolicy = field(default_factory=BookingPolicy)
    knows_callers: bool = False  # whether it asks for tokens
    words: SpecialtyWords = SpecialtyWords()


class Directory(Protocol):
    """The directory: the clinics of the registry, in its order."""

    def clinics(self) -> tuple[Clinic, ...]:
        """Return every clinic of the registry; those that never answered have no doctors."""
