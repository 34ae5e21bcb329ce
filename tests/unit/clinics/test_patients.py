from __future__ import annotations

import json
import re
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum.br import cpf

from clinics.profile import CLINICS, Patient, Patients, known_clinics, load_patients
from clinics.startup import StartupError
from mesh.errors import DomainError


def anybody(_cpf: str) -> bool:
    return True


EVERYBODY = [patient for clinic_id in known_clinics() for patient in load_patients(clinic_id).all]
PREFIXES = {
    "clinic_a": r"CARD-\d{3}",
    "clinic_b": r"DERM-\d{3}",
    "clinic_c": r"CARD-C\d{3}",
    "clinic_d": r"ORTH-D\d{3}",
    "clinic_e": r"ORTH-E\d{3}",
    "clinic_f": r"DERM-F\d{3}",
}


@pytest.mark.parametrize(("clinic_id", "pattern"), PREFIXES.items())
def test_a_clinic_has_thirty_patients_or_more_under_its_own_ids(clinic_id: str, pattern: str) -> None:
    patients = load_patients(clinic_id).all
    assert len(patients) >= 30
    assert all(re.fullmatch(pattern, patient.patient_id) for patient in patients)


def test_ids_names_and_cpfs_are_distinct_and_every_cpf_has_right_check_digits() -> None:
    assert len({patient.patient_id for patient in EVERYBODY}) == len(EVERYBODY)
    assert len({patient.name for patient in EVERYBODY}) == len(EVERYBODY)
    assert len({patient.cpf for patient in EVERYBODY}) == len(EVERYBODY)
    assert all(cpf.is_valid(patient.cpf) and cpf.format(patient.cpf) == patient.cpf for patient in EVERYBODY)


def test_a_record_is_found_by_id_in_any_case() -> None:
    patients = load_patients("clinic_a")
    assert patients.get(" card-001 ", anybody).patient_id == "CARD-001"


@pytest.mark.parametrize("patient_id", ["CARD-999", "", "DERM-001", "Alberto Nunes Figueira"])
def test_an_unknown_id_is_not_found_and_not_repeated(patient_id: str) -> None:
    with pytest.raises(DomainError) as refusal:
        load_patients("clinic_a").get(patient_id, anybody)
    assert refusal.value.reason == "PATIENT_NOT_FOUND"
    assert not patient_id or patient_id not in refusal.value.message


def test_a_record_that_may_not_be_read_is_refused_in_the_words_for_an_id_that_does_not_exist() -> None:
    asked: list[str] = []

    def nobody(cpf: str) -> bool:
        asked.append(cpf)
        return False

    messages = set()
    for patient_id in ("CARD-001", "CARD-999"):
        with pytest.raises(DomainError) as refusal:
            load_patients("clinic_a").get(patient_id, nobody)
        messages.add((refusal.value.reason, refusal.value.message))
    assert len(messages) == 1
    assert len(asked) == 2, "the question is asked either way, so that both take the same time"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("hipertensão", {"CARD-001"}),
        ("HIPERTENSAO  arterial", {"CARD-001"}),
        ("hipertens", {"CARD-001"}),
        ("ecocardiograma", {"CARD-001", "CARD-003", "CARD-006"}),
        ("ecocardiograma furosemida", {"CARD-003"}),
        ("card-005", {"CARD-005"}),
        ("atorvastatina 40 mg", {"CARD-004"}),
        ("ecocardiograma glicosamina", set()),
        ("", set()),
        ("?!", set()),
    ],
)
def test_a_query_finds_patients_by_clinical_words_that_all_match(query: str, found: set[str]) -> None:
    first_seven = Patients(load_patients("clinic_a").all[:7])
    assert {patient.patient_id for patient in first_seven.matching(query)} == found


@pytest.mark.parametrize("field", ["name", "cpf", "birth_date", "address", "phone"])
def test_no_one_is_found_by_what_identifies_them(field: str) -> None:
    for patient in EVERYBODY:
        assert patient not in Patients((patient,)).matching(getattr(patient, field))


ANYTHING = st.text() | st.sampled_from([text for patient in EVERYBODY for text in (patient.name, patient.cpf)])


@given(st.sampled_from(EVERYBODY), ANYTHING, st.tuples(ANYTHING, ANYTHING, ANYTHING, ANYTHING, ANYTHING))
def test_a_query_never_depends_on_what_identifies_a_person(
    patient: Patient, query: str, personal: tuple[str, str, str, str, str]
) -> None:
    name, number, birth_date, address, phone = personal
    other = replace(patient, name=name, cpf=number, birth_date=birth_date, address=address, phone=phone)
    assert bool(Patients((patient,)).matching(query)) == bool(Patients((other,)).matching(query))


def test_a_patients_repr_shows_the_id_only() -> None:
    assert repr(EVERYBODY[0]) == "Patient(patient_id='CARD-001')"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"birth_date": "1958-13-01"}, "patients[0].birth_date: a date"),
        ({"medications": [{"name": "X"}]}, 'patients[0].medications[0].dosage: the field "dosage" is missing'),
        ({"exams": [1]}, "patients[0].exams[0]: text is expected"),
        ({"patient_id": "card-1"}, "patients[0].patient_id: an id in upper case"),
        ({"age": 3}, "patients[0]: there is an unknown field"),
    ],
)
def test_a_fault_in_the_data_is_named_by_its_place(tmp_path: Path, change: dict[str, object], place: str) -> None:
    record = {
        "patient_id": "X-1",
        "name": "A",
        "cpf": "1",
        "birth_date": "1958-03-12",
        "condition": "C",
        "medications": [],
        "exams": [],
        "address": "R",
        "phone": "2",
    }
    path = tmp_path / "clinic_a" / "patients.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"patients": [record | change]}), "utf-8")
    with pytest.raises(StartupError) as error:
        load_patients("clinic_a", tmp_path)
    assert str(error.value).startswith(f"{path}: {place}")


def test_an_id_that_is_there_twice_is_a_fault(tmp_path: Path) -> None:
    source = json.loads((CLINICS / "clinic_a" / "patients.json").read_text("utf-8"))
    path = tmp_path / "clinic_a" / "patients.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"patients": [source["patients"][0]] * 2}), "utf-8")
    with pytest.raises(StartupError, match="each patient_id may be there once"):
        load_patients("clinic_a", tmp_path)


def test_a_file_of_patients_is_its_owners_alone_once_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "clinic_a" / "patients.json"
    path.parent.mkdir()
    path.write_bytes((CLINICS / "clinic_a" / "patients.json").read_bytes())
    path.chmod(0o644)
    load_patients("clinic_a", tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
