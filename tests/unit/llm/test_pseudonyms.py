"""Tokens for what identifies people: what is hidden, and under which token."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.llm.exposure import TOKEN, Pseudonyms
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Exchange, Offer, Session
from tests.support.clinic_turns import CLINICS, CPF, SESSION

NAME = "Cláudia Regina Lopes de Souza"
CLAUDIA = Session(Identity.of(NAME, CPF))
"""She shares a word of her name with Dr. Ricardo Lopes."""


def pseudonyms(session: Session = CLAUDIA) -> Pseudonyms:
    return Pseudonyms.of(session, CLINICS)


@pytest.mark.parametrize(
    "name",
    [
        NAME,
        "claudia regina lopes de souza",
        "CLÁUDIA  SOUZA",
        "Cláudia",
        "claudia",
        "Souza",
        "Cla\u0301udia",
        "Cl\u200báudia",
        "claudiasouza",
        "claudia_souza",
    ],
)
def test_the_speakers_name_is_one_token_in_any_case_accents_and_parts(name: str) -> None:
    assert pseudonyms().hide(f"Sou {name}, oi") == "Sou [PATIENT], oi"


def test_words_that_are_also_a_doctors_or_a_clinics_stay() -> None:
    hidden = pseudonyms().hide("Sou Regina Lopes; quero o Lopes, Dr. Ricardo Lopes, de novo")
    assert hidden == "Sou [PATIENT]; quero o Lopes, Dr. Ricardo Lopes, de novo"
    elsewhere = Pseudonyms.of(CLAUDIA, (Clinic("clinic_x", "Clínica Santa Cláudia", "Cardiology"),))
    assert elsewhere.hide("a Clínica Santa Cláudia, da Cláudia Souza") == "a Clínica Santa Cláudia, da [PATIENT]"


def test_a_doctor_whose_name_is_the_speakers_stays_with_the_title_and_not_without() -> None:
    namesake = Session(Identity.of("Ricardo Lopes", CPF))
    assert pseudonyms(namesake).hide("Ricardo Lopes com o Dr. Ricardo Lopes") == "[PATIENT] com o Dr. Ricardo Lopes"


def test_a_doctor_who_was_offered_stays_though_the_clinic_is_not_known() -> None:
    offer = Offer(1, "clinic_x", "Dra. Cláudia Prado", "Cardiologia", date(2025, 7, 18), time(10))
    session = replace(CLAUDIA, offers=(offer,))
    assert Pseudonyms.of(session, ()).hide("com a Dra. Cláudia Prado") == "com a Dra. Cláudia Prado"


def test_particles_and_short_words_of_a_name_are_words_like_any_other() -> None:
    session = Session(Identity.of("Rui Sá dos Anjos", CPF))
    assert pseudonyms(session).hide("dos horários, sá, só os dos Anjos") == "dos horários, sá, só os [PATIENT]"
    assert pseudonyms(session).hide("anjos e Rui") == "[PATIENT] e [PATIENT]"


def test_each_kind_is_numbered_in_order_of_first_appearance_and_the_own_cpf_is_the_first() -> None:
    names = pseudonyms()
    assert names.hide("987.654.321-00, (11) 98765-4321, a@b.com") == "[CPF-2], [PHONE-1], [EMAIL-1]"
    assert names.hide("(11) 3456-7890, 12345678900 e Rua das Flores, 12") == "[PHONE-2], [CPF-1] e [ADDRESS-1]"


def test_a_value_keeps_its_token_however_it_is_written() -> None:
    names = pseudonyms()
    assert names.hide("98765432100 e 987 654 321 00 e ９８７.654.321-00") == "[CPF-2] e [CPF-2] e [CPF-2]"
    assert names.hide("Ana@B.com ana@b.com") == "[EMAIL-1] [EMAIL-1]"
    assert names.hide("RUA das Flores, 12 / rua das  flores, 12") == "[ADDRESS-1] / [ADDRESS-1]"


def test_a_value_keeps_its_token_in_all_turns_of_a_session() -> None:
    first = pseudonyms()
    utterances = ("o da minha mãe é 987.654.321-00", "e o do meu pai é 111.444.777-35, (11) 98765-4321")
    assert first.hide(utterances[0]) == "o da minha mãe é [CPF-2]"
    second = pseudonyms(replace(CLAUDIA, history=(Exchange(utterances[0], "Anotado: 222.333.444-55"),)))
    assert second.hide(utterances[1]) == "e o do meu pai é [CPF-4], [PHONE-1]"
    history = (Exchange(utterances[0], "Anotado: 222.333.444-55"), Exchange(utterances[1], "Certo."))
    third = pseudonyms(replace(CLAUDIA, history=history))
    assert third.hide("98765432100 11144477735 11 98765-4321") == "[CPF-2] [CPF-4] [PHONE-1]"


def test_a_token_that_somebody_typed_is_none_of_ours() -> None:
    hidden = pseudonyms().hide("diga [CPF-1], [patient] e [PHONE-1] a 987.654.321-00")
    assert hidden == "diga (CPF-1), (patient) e (PHONE-1) a [CPF-2]"


def test_a_value_inside_brackets_makes_no_other_token() -> None:
    assert pseudonyms().hide("[CPF-98765432100] [[(11) 98765-4321]]") == "[CPF-[CPF-2]] [[[PHONE-1]]]"


def test_nothing_of_a_person_is_in_the_representation() -> None:
    names = pseudonyms()
    names.hide("987.654.321-00")
    assert repr(names) == "Pseudonyms(2 tokens)"


@pytest.mark.parametrize(
    "text",
    [
        "sexta-feira, 18/07/2025, 10:00 com a Dra. Marina Teles na Clínica B",
        "quero o horário 3, por até R$ 350, dia 18/07 às 10h30",
        "CARD-001, DERM-F001",
        "caí na rua ontem às 10",
    ],
)
def test_what_identifies_nobody_stays_as_it_is(text: str) -> None:
    assert pseudonyms().hide(text) == text


DIGITS = st.text("0123456789", min_size=11, max_size=11)
CPFS = st.sampled_from(("{}{}{}{}", "{}.{}.{}-{}", "{} {} {} {}", "{}.{}.{}–{}", "{}\u200b.{}.{}-{}"))
AROUND = st.text(st.characters(exclude_categories=("Nd", "Nl", "No", "Cs")), max_size=20)
PERSONAL = (NAME, CPF, "(11) 98765-4321", "ana@clinica.com.br", "Rua das Flores, 12", "987.654.321-00")
PIECES = st.lists(
    st.sampled_from((*PERSONAL, "oi", " e ", ", ", "dia 18/07 às 10:00", "\n", "[", "]", "<")), max_size=12
)


@given(DIGITS, CPFS, AROUND, AROUND)
def test_no_cpf_in_any_surroundings_keeps_a_digit(digits: str, form: str, before: str, after: str) -> None:
    cpf = form.format(digits[:3], digits[3:6], digits[6:9], digits[9:])
    hidden = TOKEN.sub("", pseudonyms(SESSION).hide(f"{before} {cpf} {after}"))
    assert not any(character in "0123456789" for character in hidden)


@given(PIECES)
def test_what_identifies_somebody_is_hidden_wherever_it_stands(pieces: list[str]) -> None:
    hidden = pseudonyms().hide(" ".join(pieces))
    assert not any(value in hidden for value in PERSONAL)


@given(st.lists(st.sampled_from(PERSONAL), max_size=12))
def test_the_same_value_has_the_same_token_and_another_has_another(values: list[str]) -> None:
    names = pseudonyms()
    tokens = {value: names.hide(value) for value in values}
    assert len(set(tokens.values())) == len(tokens)
    assert all(names.hide(value) == token for value, token in tokens.items())


@given(
    st.lists(st.sampled_from(("cláudia", "SOUZA", "Regina", "lopes", "de", "_", "-", ".", " ", "x", "1")), max_size=10)
)
def test_no_word_of_the_name_that_is_only_hers_is_left_standing(pieces: list[str]) -> None:
    hidden = TOKEN.sub(" ", pseudonyms().hide(" ".join(pieces))).casefold()
    assert not {"cláudia", "souza", "regina"} & set(hidden.split())


def test_the_tokens_of_nobody_hide_what_identifies_others() -> None:
    nobody = Pseudonyms.of(Session(Identity("", "")), ())
    assert nobody.hide("o CPF 529.982.247-25 é da minha mãe") == "o CPF [CPF-1] é da minha mãe"


def test_other_people_and_their_documents_are_tokens_too() -> None:
    tokens = pseudonyms()
    text = "marca com a Marina Teles para a minha mãe Joana Lima, RG 12.345.678-9, nascida em 03/05/1961"
    hidden = tokens.hide(text)
    assert hidden == "marca com a Marina Teles para a minha mãe [PERSON-1], RG [DOCUMENT-1], nascida em [BIRTH-1]"
    assert tokens.hide("a joana lima vem") == "a [PERSON-1] vem"
