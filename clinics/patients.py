"""A clinic's patients, read-only: lists say ids and conditions only, a full record is given for a known id only.

Name, CPF, birth date, address and phone are no part of what a search looks at (blueprint 4.3). Who may read a record is
not decided here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from clinics.document import Node, read
from clinics.matching import words
from clinics.profile import ADVICE, CLINICS
from mesh.errors import DomainError


@dataclass(frozen=True, slots=True)
class Medication:
    """A drug in use.

    Attributes:
        name: The drug.
        dosage: As prescribed, in Portuguese.
    """

    name: str
    dosage: str


@dataclass(frozen=True, slots=True)
class Patient:
    """One person's full record; only the id is in its repr.

    Attributes:
        patient_id: An opaque id, such as "CARD-001".
        name: The full name.
        cpf: As 000.000.000-00.
        birth_date: YYYY-MM-DD.
        condition: The main condition, in Portuguese.
        medications: Drugs in use.
        exams: Exams on file, in Portuguese.
        address: The postal address.
        phone: The phone number with its area code.
    """

    patient_id: str
    name: str = field(repr=False)
    cpf: str = field(repr=False)
    birth_date: str = field(repr=False)
    condition: str = field(repr=False)
    medications: tuple[Medication, ...] = field(repr=False)
    exams: tuple[str, ...] = field(repr=False)
    address: str = field(repr=False)
    phone: str = field(repr=False)


class Patients:
    """The patients of one clinic, in order of id.

    Args:
        records: Their records.
    """

    __slots__ = ("_by_id", "_searchable", "all")

    def __init__(self, records: tuple[Patient, ...]) -> None:
        self.all = tuple(sorted(records, key=lambda patient: patient.patient_id))
        self._by_id = {patient.patient_id: patient for patient in self.all}
        self._searchable = tuple((_clinical_words(patient), patient) for patient in self.all)

    def get(self, patient_id: str, may_read: Callable[[str], bool]) -> Patient:
        """Returns one record.

        Args:
            patient_id: The id; case and surrounding space do not matter.
            may_read: Says whether the record of a CPF may be read.

        Raises:
            DomainError: PATIENT_NOT_FOUND: there is none, or none that may be read; which of these is not said.
        """
        patient = self._by_id.get(patient_id.strip().upper())
        # Asked where there is no record too, so that the time of the answer does not say which.
        is_readable = may_read(patient.cpf if patient is not None else "")
        if patient is None or not is_readable:
            raise DomainError("PATIENT_NOT_FOUND", "This clinic has no patient of that id. list_patients names them.")
        return patient

    def matching(self, query: str) -> tuple[Patient, ...]:
        """Returns the patients whose id, condition, medications and exams hold all words of a text.

        Args:
            query: Words, or beginnings of words; case and accents do not matter. Without any word nothing matches.
        """
        wanted = words(query)
        if not wanted:
            return ()
        return tuple(
            patient
            for clinical, patient in self._searchable
            if all(any(word.startswith(part) for word in clinical) for part in wanted)
        )


def load_patients(clinic_id: str) -> Patients:
    """Reads a clinic's patients.json.

    Args:
        clinic_id: The folder's name.

    Raises:
        StartupError: The data are at fault.
    """
    return patients_in(CLINICS / clinic_id / "patients.json")


def patients_in(path: Path) -> Patients:
    """Reads a file of patients.

    Args:
        path: The file.

    Raises:
        StartupError: The file cannot be read or its data are at fault.
    """
    root = read(path, ADVICE)
    root.expect("patients")
    nodes = root.children("patients")
    records = tuple(_patient(node) for node in nodes)
    if len({patient.patient_id for patient in records}) != len(records):
        root.fail("each patient_id may be there once", "patients")
    return Patients(records)


def _clinical_words(patient: Patient) -> frozenset[str]:
    texts = [patient.patient_id, patient.condition, *patient.exams]
    texts += [text for drug in patient.medications for text in (drug.name, drug.dosage)]
    return frozenset(word for text in texts for word in words(text))


def _patient(node: Node) -> Patient:
    node.expect("patient_id", "name", "cpf", "birth_date", "condition", "medications", "exams", "address", "phone")
    patient_id = node.text("patient_id")
    if patient_id != patient_id.strip().upper():
        node.fail("an id in upper case is expected", "patient_id")
    return Patient(
        patient_id=patient_id,
        name=node.text("name"),
        cpf=node.text("cpf"),
        birth_date=node.date("birth_date"),
        condition=node.text("condition"),
        medications=tuple(_medication(drug) for drug in node.children("medications")),
        exams=node.texts("exams"),
        address=node.text("address"),
        phone=node.text("phone"),
    )


def _medication(node: Node) -> Medication:
    node.expect("name", "dosage")
    return Medication(node.text("name"), node.text("dosage"))
