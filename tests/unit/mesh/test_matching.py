from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mesh.text_folding import doctor_key, doctors_called, person_key, words


@pytest.mark.parametrize(
    "spelling",
    [
        "Dr. Ricardo Lopes",
        "dr ricardo lopes",
        "DR.RICARDO LOPES",
        "  Doutor   Ricardo\tLopes ",
        "Ricardo Lopes",
        "Prof. Dr. Ricardo Lopés",
        "doctor Rícardo Lopes",
    ],
)
def test_spellings_of_one_doctor_have_one_key(spelling: str) -> None:
    assert doctor_key(spelling) == doctor_key("Dr. Ricardo Lopes")


@pytest.mark.parametrize("other", ["Dr. Ricardo", "Dra. Ricarda Lopes", "Lopes", "Dr.", "", "Ricardo Lopes Filho"])
def test_another_name_has_another_key(other: str) -> None:
    assert doctor_key(other) != doctor_key("Dr. Ricardo Lopes")


def test_a_name_that_is_only_a_title_keeps_it() -> None:
    assert doctor_key("Dr.") == "dr"


@pytest.mark.parametrize("apostrophe", ["'", "’", ""])
def test_an_apostrophe_does_not_matter(apostrophe: str) -> None:
    assert doctor_key(f"Dra. Inês Sant{apostrophe}Anna") == "inessantanna"


@pytest.mark.parametrize(
    ("name", "cpf"),
    [("Carlos Teste", "12345678900"), ("  carlos   TESTE", "123.456.789-00"), ("Cárlos Téste", "123456789-00")],
)
def test_a_person_is_known_by_cpf_digits_and_folded_name(name: str, cpf: str) -> None:
    assert person_key(name, cpf) == person_key("Carlos Teste", "123.456.789-00")


@given(st.text())
def test_words_are_folded_once_and_for_all(text: str) -> None:
    assert words(" ".join(words(text))) == words(text)


def test_a_part_of_a_name_is_everybodys_who_has_it_and_a_full_name_one_doctors() -> None:
    doctors = ["Dra. Marina Couto", "Dra. Marina Couto Teles", "Dr. Ricardo Lopes"]
    assert doctors_called("Dra. Marina", doctors) == doctors[:2]
    assert doctors_called("marina couto", doctors) == doctors[:1]
    assert doctors_called("Lopes, Ricardo", doctors) == doctors[2:]
    assert doctors_called("Dr.", doctors) == doctors_called("", doctors) == []
