"""A clinic's patients, read-only: lists hold ids and conditions, a full record takes its id."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from clinics.profile import ADVICE, CLINICS, file_of
from clinics.startup import reading
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.errors import DomainError
from mesh.private_file import FILE_MODE
from mesh.strict_document import Item
from mesh.text_folding import words


@dataclass(frozen=True, slots=True)
class Patient:
    """One person's full record, with conditions, medications and exams in Portuguese; only the id is in its repr."""

    patient_id: str
    name: str = field(repr=False)
    cpf: str = field(repr=False)
    birth_date: str = field(repr=False)
    condition: str = field(repr=False)
    medications: tuple[pb.Medication, ...] = field(repr=False)
    exams: tuple[str, ...] = field(repr=False)
    address: str = field(repr=False)
    phone: str = field(repr=False)


class Patients:
    """The patients of one clinic, in order of id."""

    def __init__(self, records: tuple[Patient, ...]) -> None:
        self.all = tuple(sorted(records, key=lambda patient: patient.patient_id))
        self._by_id = {patient.patient_id: patient for patient in self.all}
        self._searchable = tuple((_clinical_words(patient), patient) for patient in self.all)

    def get(self, patient_id: str, may_read: Callable[[str], bool]) -> Patient:
        """Return one record, or raise PATIENT_NOT_FOUND, also where `may_read` denies its CPF."""
        patient = self._by_id.get(patient_id.strip().upper())
        # Asked where there is no record too, so that the time of the answer does not say which.
        is_readable = may_read(patient.cpf if patient is not None else "")
        if patient is None or not is_readable:
            raise DomainError("PATIENT_NOT_FOUND", "This clinic has no patient of that id whose record you may read.")
        return patient

    def matching(self, query: str) -> tuple[Patient, ...]:
        """Return the patients whose id and clinical fields have a word that begins as each word of `query` does."""
        wanted = set(words(query))
        if not wanted:
            return ()
        return tuple(
            patient
            for clinical, patient in self._searchable
            if all(any(word.startswith(part) for word in clinical) for part in wanted)
        )


def load_patients(clinic_id: str, folder: Path = CLINICS) -> Patients:
    """Read a clinic's patients.json, which becomes its owner's alone, or raise StartupError."""
    path = file_of(clinic_id, "patients.json", folder)
    with suppress(OSError):  # another user's, who has to see to it
        path.chmod(FILE_MODE)
    with reading(path, ADVICE) as root:
        item = root.fields("patients")["patients"]
        records = item.each(_patient)
        if len({patient.patient_id for patient in records}) != len(records):
            item.fail("each patient_id may be there once")
    return Patients(records)


def _clinical_words(patient: Patient) -> frozenset[str]:
    texts = [patient.patient_id, patient.condition, *patient.exams]
    texts += [text for drug in patient.medications for text in (drug.name, drug.dosage)]
    return frozenset(word for text in texts for word in words(text))


def _patient(item: Item) -> Patient:
    return item.read(
        Patient,
        patient_id=lambda one: one.accepted(
            lambda text: text == text.strip().upper(), "an id in upper case is expected"
        ),
        name=Item.text,
        cpf=Item.text,
        birth_date=Item.date,
        condition=Item.text,
        medications=lambda drugs: drugs.each(lambda drug: drug.read(pb.Medication, name=Item.text, dosage=Item.text)),
        exams=lambda exams: exams.each(Item.text),
        address=Item.text,
        phone=Item.text,
    )
