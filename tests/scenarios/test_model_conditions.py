"""What a model may choose by besides days and doctors - insurance, price, place, language - and the person's visits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest

from tests.support.chat_server import Body, Reply
from tests.support.clinics import Clinics, open_clinics
from tests.support.model_talk import open_model_talk
from tests.support.played_model import data_of
from tests.unit.planner.model_desk import condition, proposing, reading, scope

HEART = condition("specialty", "Cardiology")


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clinics]:
    with open_clinics(tmp_path_factory.mktemp("silos")) as clinics:
        yield clinics


def replies(clinics: Clinics, turns: Mapping[str, list[object]]) -> list[str]:
    """Return what the desk says to each turn, in which a model chooses its steps."""

    def script(body: Body) -> Reply:
        return json.dumps({"steps": turns[data_of(body)["utterance"]], "more": False})

    with open_model_talk(clinics.registry, script, consent_given=True) as (talk, _):
        return [talk.say(utterance).plain for utterance in turns]


def found(clinics: Clinics, utterance: str, *where: object) -> str:
    """Return the reply to a turn that reads and shows cardiology with more conditions."""
    wanted = scope(HEART, *where)
    return replies(clinics, {utterance: [reading(wanted), {"do": "show", "scope": wanted}]})[0]


@pytest.mark.parametrize(
    ("utterance", "where", "words", "doctor"),
    [
        ("o coração, e tem que aceitar sulamérica", condition("insurance", "sulamérica"), "SulAmérica", "Ricardo"),
        ("algo p coração em santo andré", condition("place", "santo andré"), "“santo andré”", "Fernando"),
        ("coração, pago no máximo 400", condition("price", "400", op="until"), "R$ 400,00", "Fernando"),
        ("coração, com quem atende em espanhol", condition("language", "espanhol"), "espanhol", "Fernando"),
    ],
)
def test_only_clinics_that_state_it_are_shown_and_the_condition_is_told(
    clinics: Clinics, utterance: str, where: object, words: str, doctor: str
) -> None:
    said = found(clinics, utterance, where)
    assert words in said
    assert doctor in said
    assert not {"Ricardo", "Fernando"}.difference({doctor}).intersection(said.replace(".", " ").split())


def test_what_no_clinic_states_hides_nothing_and_is_said_in_the_persons_words(clinics: Clinics) -> None:
    said = found(clinics, "coração, perto da minha casa", condition("place", "minha casa"))
    assert "“minha casa”" in said
    assert "Ricardo" in said
    assert "Fernando" in said


@pytest.mark.parametrize("field", ["insurance", "place", "language"])
def test_a_word_that_the_person_did_not_write_is_no_condition(clinics: Clinics, field: str) -> None:
    said = found(clinics, "quero um cardiologista", condition(field, "Xanadu Inventado"))
    assert "Xanadu" not in said
    assert "Ricardo" in said
    assert "Fernando" in said


def test_a_price_that_nobody_named_is_marked_as_assumed(clinics: Clinics) -> None:
    assert "Isso eu supus" in found(clinics, "um cardiologista barato", condition("price", "400", op="until"))


BOOKED = "marca o cardiologista de sexta dia 18 às 10h com o dr fernando"
FRIDAY = condition("weekday", "fri")
THURSDAY = condition("weekday", "thu")


def booking() -> list[object]:
    slot = scope(HEART, condition("date", "2025-07-18"), condition("time", "10:00"), condition("doctor", "Fernando"))
    return [proposing(book=[[slot]])]


def own(*where: object) -> object:
    return {"do": "appointments", "scope": scope(*where)}


def test_what_the_person_holds_is_shown_of_a_scope_and_none_is_said_where_there_is_none(fresh: Clinics) -> None:
    turns = {
        BOOKED: booking(),
        "minha agenda da sexta ficou como?": [own(FRIDAY)],
        "minha agenda de quinta ficou como?": [own(THURSDAY)],
    }
    _, on_friday, on_thursday = replies(fresh, turns)
    assert "18/07/2025 | 10:00 | Dr. Fernando Mendes" in on_friday
    assert "Não encontrei consulta em seu nome" in on_thursday
    assert "quinta" in on_thursday


def test_what_the_person_holds_is_told_beside_openings(fresh: Clinics) -> None:
    skin = scope(condition("specialty", "Dermatology"))
    shown = [reading(skin), {"do": "show", "scope": skin}]
    turns = {
        BOOKED: booking(),
        "minha agenda da sexta, e o que tem de pele": [own(FRIDAY), *shown],
        "minha agenda de quinta, e o que tem de pele": [own(THURSDAY), *shown],
    }
    _, on_friday, on_thursday = replies(fresh, turns)
    assert "Você tem consulta na sexta-feira, 18/07, às 10:00, com o Dr. Fernando Mendes." in on_friday
    assert "Não encontrei consulta em seu nome" in on_thursday
    for said in (on_friday, on_thursday):
        assert "Dra. Marina Couto" in said


def test_a_clinic_that_is_silent_about_appointments_is_named(fresh: Clinics) -> None:
    fresh.stop("clinic_b")
    skin = scope(condition("specialty", "Dermatology"))
    turns = {"minha agenda, e o que tem de pele": [own(), reading(skin), {"do": "show", "scope": skin}]}
    assert "Não foi possível ver suas consultas em clinic_b" in replies(fresh, turns)[0]
