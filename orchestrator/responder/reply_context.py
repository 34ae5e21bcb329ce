"""What every part of a reply needs: the language and its texts, the clinics, and the person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Clinic, Identity, Language, Session


class Label(StrEnum):
    """Headings of columns and labels of properties."""

    NUMBER = "number"
    OPTION = "option"
    DATE = "date"
    TIME = "time"
    DOCTOR = "doctor"
    CLINIC = "clinic"
    SPECIALTY = "specialty"
    REMARK = "remark"
    PATIENT = "patient"
    PATIENT_ID = "patient_id"
    CPF = "cpf"
    BIRTH_DATE = "birth_date"
    CONDITION = "condition"
    MEDICATIONS = "medications"
    EXAMS = "exams"
    ADDRESS = "address"
    PHONE = "phone"
    FROM = "from"
    TO = "to"


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """The language of a reply, whom it addresses and which clinics it may name."""

    language: Language
    identity: Identity = field(repr=False)  # who reads it
    clinics: tuple[Clinic, ...]  # in the registry's order

    @classmethod
    def of(cls, session: Session, language: Language, clinics: Sequence[Clinic]) -> ReplyContext:
        """Return the context for a session, in its pinned language if it has one, else in `language`."""
        return cls(session.pinned_language or language, session.identity, tuple(clinics))

    @property
    def texts(self) -> Texts:
        """The texts of its language."""
        return texts_in(self.language)

    def label(self, label: Label) -> str:
        """Return a heading."""
        return self.texts.text(f"responder.labels.{label}")

    def clinic(self, clinic_id: str) -> str:
        """Return a clinic's name; its id while its name is unknown."""
        return next((clinic.name for clinic in self.clinics if clinic.id == clinic_id), clinic_id)

    def clinic_names(self, clinic_ids: Sequence[str]) -> str:
        """Return the names of clinics as a list, each once."""
        return self.texts.all_of(dict.fromkeys(map(self.clinic, clinic_ids)))

    def specialty_of(self, clinic_id: str) -> str:
        """Return the name of a clinic's specialty; empty for a clinic that the registry does not hold."""
        return next((self.texts.specialty(clinic.specialty) for clinic in self.clinics if clinic.id == clinic_id), "")

    def specialties(self, clinic_ids: Sequence[str] | None = None) -> str:
        """Return the names of the specialties of these clinics, or of all, as a list."""
        names = dict.fromkeys(
            self.texts.specialty(clinic.specialty)
            for clinic in self.clinics
            if clinic_ids is None or clinic.id in clinic_ids
        )
        return self.texts.all_of(names)
