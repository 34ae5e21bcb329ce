"""What the redactor hides, and what it must leave readable."""

from __future__ import annotations

from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.privacy import PersonalKind, Redactor, cpfs_begun, may_hold_cpf, telling_words
from orchestrator.turn.identity import Identity
from tests.support.sentences import sentences

IDENTITY = Identity.of("Cláudia Regina de Souza", "123.456.789-00")
REDACTOR = Redactor(IDENTITY)

CPF_FORMS = (
    "{}{}{}{}",
    "{}.{}.{}-{}",
    "{}.{}{}-{}",
    "{}{}.{}{}",
    "{} {} {} {}",
    "{} . {} . {} - {}",
    "{}.{}.{}/{}",
    "{}-{}-{}-{}",
    "{},{},{}-{}",
    "{}.{}.{}–{}",
    "{}\u200b.{}.\u2060{}-{}",
)


@pytest.mark.parametrize("form", CPF_FORMS)
def test_a_cpf_is_hidden_in_every_form_people_type(form: str) -> None:
    assert REDACTOR.redact(f"meu cpf é {form.format('987', '654', '321', '00')}, ok?") == "meu cpf é [CPF], ok?"


def test_a_cpf_in_full_width_digits_or_digit_by_digit_is_hidden() -> None:
    assert REDACTOR.redact("９８７．６５４．３２１－００") == "[CPF]"
    assert REDACTOR.redact("9 8 7 6 5 4 3 2 1 0 0") == "[CPF]"
    assert REDACTOR.redact("9.8.7.6.5.4.3.2.1.0.0") == "[CPF]"
    assert REDACTOR.redact("cpf98765432100") == "cpf[CPF]"


@pytest.mark.parametrize("phone", sentences("privacy.txt", "a phone is hidden"))
def test_a_phone_is_hidden(phone: str) -> None:
    assert REDACTOR.redact(f"ligue para {phone} hoje") == "ligue para [TEL] hoje"


def test_an_email_is_hidden() -> None:
    assert REDACTOR.redact("escreva a ana.b+x@clinica.com.br.") == "escreva a [EMAIL]."


@pytest.mark.parametrize(
    "name", ["Cláudia Regina de Souza", "claudia regina de souza", "CLAUDIA  SOUZA", "Regina de Souza"]
)
def test_the_speakers_own_name_is_hidden_whatever_its_case_and_accents(name: str) -> None:
    assert REDACTOR.redact(f"Sou {name}.") == "Sou [NAME]."


def test_a_name_is_hidden_without_an_identity_where_it_is_recognised_as_one() -> None:
    assert Redactor().redact("Sou Cláudia Regina de Souza") == "Sou [NAME]"
    assert Redactor().redact("Sou eu de novo") == "Sou eu de novo"


@pytest.mark.parametrize("text", sentences("privacy.txt", "what identifies nobody stays as it is"))
def test_what_identifies_nobody_stays_as_it_is(text: str) -> None:
    assert REDACTOR.redact(text) == text


DIGITS = st.text("0123456789", min_size=11, max_size=11)
# Text that brings no digits of its own, so that what is left over can be counted.
AROUND = st.text(st.characters(exclude_categories=("Nd", "Nl", "No", "Cs")), max_size=20)


@given(digits=DIGITS, form=st.sampled_from(CPF_FORMS), before=AROUND, after=AROUND)
def test_no_cpf_survives_in_any_surroundings(digits: str, form: str, before: str, after: str) -> None:
    cpf = form.format(digits[:3], digits[3:6], digits[6:9], digits[9:])
    redacted = REDACTOR.redact(f"{before} {cpf} {after}")
    assert "[CPF]" in redacted or "[TEL]" in redacted or "[EMAIL]" in redacted
    assert not any(character in "0123456789" for character in redacted)


@given(st.text(max_size=200))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = REDACTOR.redact(text)
    assert REDACTOR.redact(once) == once


@given(st.dates(), st.times())
def test_no_date_and_no_time_is_ever_hidden(day: date, at: time) -> None:
    for text in (f"{day:%d/%m/%Y}, {at:%H:%M}", f"{day.isoformat()} {at:%H:%M}", f"{day:%d/%m} às {at.hour}h"):
        assert REDACTOR.redact(text) == text


def test_what_is_found_says_its_kind_place_and_digits_and_shows_none_of_them() -> None:
    text = "cpf 987.654.321-00"
    (found,) = REDACTOR.find(text)
    assert (found.kind, found.digits, text[found.start : found.end]) == (
        PersonalKind.CPF,
        "98765432100",
        "987.654.321-00",
    )
    assert "987" not in repr(found)


@pytest.mark.parametrize("address", sentences("privacy.txt", "a postal address is hidden"))
def test_a_postal_address_is_hidden(address: str) -> None:
    assert REDACTOR.redact(f"moro em {address}; ok?") == "moro em [ADDRESS]; ok?"


@pytest.mark.parametrize("text", sentences("privacy.txt", "a street without a house is no address"))
def test_a_street_without_a_house_is_no_address(text: str) -> None:
    assert REDACTOR.redact(text) == text


def test_an_address_takes_no_piece_of_a_number_beside_it() -> None:
    assert REDACTOR.redact("rua tal cpf 987 654 321 00") == "rua tal cpf [CPF]"
    assert REDACTOR.redact("na rua tal 98765-4321") == "na rua tal [TEL]"


def test_a_street_that_bears_the_speakers_name_is_an_address() -> None:
    assert REDACTOR.redact("moro na Rua Cláudia de Souza, 12") == "moro na [ADDRESS]"


def test_the_speakers_own_cpf_is_hidden_whatever_parts_its_digits() -> None:
    assert REDACTOR.redact("é 123_456_789_00 ou 1.2.3,4.5.6,7.8.9 (00)") == "é [CPF] ou [CPF])"
    assert Redactor().redact("é 123_456_789_00") == "é 123_456_789_00"


@pytest.mark.parametrize("name", ["ClaudiaSouza", "claudia.souza", "claudia_regina-souza", "Clau\u200bdia de Souza"])
def test_the_speakers_own_name_is_hidden_with_its_words_run_together(name: str) -> None:
    assert REDACTOR.redact(f"sou {name}, oi") == "sou [NAME], oi"


def test_single_words_of_the_name_are_hidden_where_that_is_asked_for() -> None:
    redactor = Redactor(IDENTITY, ("claudia", "souza"))
    assert (
        redactor.redact("Aqui é a CLÁUDIA; souzas e Souzalândia, não.") == "Aqui é a [NAME]; souzas e Souzalândia, não."
    )


def test_a_public_name_stays_whole_where_it_holds_words_of_the_speakers() -> None:
    redactor = Redactor(IDENTITY, public=("Dra. Regina  de Souza",))
    assert redactor.redact("com a dra. REGINA de Souza") == "com a dra. REGINA de Souza"
    assert redactor.redact("sou Regina de Souza") == "sou [NAME]"


def test_a_phone_of_another_country_takes_nothing_of_the_cpf_behind_it() -> None:
    assert REDACTOR.redact("+1 415 555 2671 987.654.321-00") == "[TEL] [CPF]"


@pytest.mark.parametrize("form", CPF_FORMS)
def test_a_cpf_is_one_that_may_become_one_in_every_form(form: str) -> None:
    typed = form.format("987", "654", "321", "00")
    assert cpfs_begun(f"é {typed}") == [(2, 2 + len(typed))]
    assert may_hold_cpf(typed)


@pytest.mark.parametrize("text", ["18/07/2025", "20250718", "8765-4321", "CARD-001", ""])
def test_a_text_with_fewer_digits_holds_no_cpf(text: str) -> None:
    assert not may_hold_cpf(text)


def test_digits_of_a_cpf_between_words_may_be_one() -> None:
    assert may_hold_cpf("987 e 654 e 321 e 00")


def test_the_words_of_a_name_that_tell_of_a_person_are_neither_particles_nor_initials() -> None:
    assert telling_words("Ana M. dos Santos e Souza-Lima da Luz") == ("ana", "santos", "souza", "lima", "luz")
