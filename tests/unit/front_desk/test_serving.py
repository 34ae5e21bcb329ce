"""Whom an operator serves: the sentences, and a session of which nothing reaches the next person."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from orchestrator.front_desk import ends_serving, served_in, session_for
from orchestrator.front_desk.agenda_request import names_patient
from orchestrator.turn import Exchange, Identity, Language, Role, Session, Topic
from tests.unit.planner.desk import CLINICS, Desk

ANA = Identity.of("Ana Recepção", "111.444.777-35")
CARLOS = Identity.of("Carlos Teste", "123.456.789-00")
MARIA = Identity.of("Maria Silva", "529.982.247-25")
KEPT = {"identity", "role", "language", "pinned_language", "page", "operator"}


@pytest.mark.parametrize(
    ("said", "name", "cpf"),
    [
        ("vou atender a Maria Silva, CPF 529.982.247-25", "Maria Silva", "529.982.247-25"),
        ("vou atender a Maria Silva", "Maria Silva", None),
        ("agora vou atender o senhor João da Cruz, cpf 52998224725", "João da Cruz", "52998224725"),
        ("atendendo Maria Silva", "Maria Silva", None),
        ("I'm serving Maria Silva", "Maria Silva", None),
    ],
)
def test_a_sentence_says_who_is_served(said: str, name: str, cpf: str | None) -> None:
    served = served_in(said)
    assert served is not None
    assert (served.name, served.cpf) == (name, cpf)
    assert name not in repr(served)


@pytest.mark.parametrize("said", ["vou atender o telefone", "quem atende na sexta?", "o Dr. Ricardo Lopes atende?", ""])
def test_other_sentences_serve_nobody(said: str) -> None:
    assert served_in(said) is None


@pytest.mark.parametrize("said", ["terminei o atendimento", "fim do atendimento", "I'm done with this patient"])
def test_a_sentence_ends_it(said: str) -> None:
    assert ends_serving(said)
    assert not ends_serving("quero um atendimento na sexta")


def test_nothing_of_one_person_reaches_the_next() -> None:
    """Each field but those named here is as in a new session; a field that is added has to be thought of."""
    first = session_for(Session(ANA, role=Role.OPERATOR, pinned_language=Language.EN, page=7), CARLOS)
    assert (first.identity, first.operator) == (CARLOS, ANA)
    marked: dict[str, Any] = {one.name: object() for one in fields(Session) if one.name not in KEPT}
    used = replace(first, **{**marked, "history": (Exchange("oi", "olá"),)})
    new = session_for(used, MARIA)
    for one in fields(Session):
        if one.name not in {*KEPT, "session_id"}:
            assert getattr(new, one.name) == getattr(Session(MARIA), one.name), one.name
    assert new.session_id != used.session_id
    assert (new.identity, new.operator, new.role, new.page) == (MARIA, ANA, Role.OPERATOR, 7)
    nobody = session_for(new, None)
    assert (nobody.identity, nobody.operator) == (ANA, None)
    assert "Maria" not in repr(nobody)


OTHERS = {
    Language.PT: ("o João Souza", "a Joana Lima", "o seu Carlos", "a dona Rita Alves"),
    Language.EN: ("John Smith", "Mrs. Alves", "patient Pedro Nunes"),
}
OF_OTHERS = {
    Language.PT: ("{} quer um cardiologista", "próximo paciente: {}", "agora é {}", "o mesmo pra {}", "volta pra {}"),
    Language.EN: ("{} needs a cardiologist", "next patient: {}", "back to {}", "the same for {}", "switch to {}"),
}
OF_THE_SERVED = {
    Language.PT: (
        *(
            "marca um cardiologista pra Maria",
            "marca um cardiologista pra dona Maria",
            "ela precisa de um cardiologista",
        ),
        *("quero um cardiologista pra Maria Silva", "a paciente quer um cardiologista", "um cardiologista pra ela"),
    ),
    Language.EN: (
        *("book a cardiologist for Maria", "I need a cardiologist for Mrs. Silva", "she wants a cardiologist"),
        *("a cardiologist for Maria Silva", "the patient needs a cardiologist", "book a cardiologist for her"),
    ),
}
NOBODY_ELSE = (
    "Segunda Feira pode?",
    "Boa Tarde quero um cardiologista",
    "a Dra. Marina Couto atende na Clínica F?",
    "Good Morning",
)


@pytest.mark.parametrize("language", Language)
def test_another_person_is_heard_however_they_are_named(language: Language) -> None:
    session = session_for(Session(ANA, role=Role.OPERATOR, language=language), MARIA)
    said = [frame.format(who) for frame in OF_OTHERS[language] for who in OTHERS[language]]
    assert [one for one in said if not names_patient(one, session, CLINICS)] == []
    assert [one for one in NOBODY_ELSE if names_patient(one, session, CLINICS)] == []


@pytest.mark.parametrize("language", Language)
def test_whom_an_operator_serves_is_booked_for_by_their_name(language: Language) -> None:
    wrong = []
    for said in OF_THE_SERVED[language]:
        session = session_for(Session(ANA, role=Role.OPERATOR, language=language), MARIA)
        desk = Desk(replace(session, language=language), consent_given=False)
        assert not names_patient(said, session, CLINICS)
        desk.say(said, "1")
        if desk.session.proposal is None:
            wrong.append(said)
    assert wrong == []


NAMED = {
    Language.PT: ("a Joana Lima", "o Renato", "dona Quitéria", "a Tainá Duarte", "a Paula", "CARD-001"),
    Language.EN: ("Gwen Parker", "Greg", "Ms. O'Hara", "Priya Nair", "Martha", "CARD-001"),
}
OF_ANYBODY = {
    Language.PT: (
        *(
            "cancela a consulta de {}",
            "põe {} com o Dr. Fernando sexta",
            "tem cardio pra {}?",
            "{} quer trocar o horário",
        ),
        *(
            "que horas é a consulta de {}?",
            "fecha o segundo pra {}",
            "é pra {}, um cardiologista",
            "{} não vai poder vir",
        ),
    ),
    Language.EN: (
        *(
            "cancel {}'s appointment",
            "put {} with Dr. Fernando on Friday",
            "any cardio for {}?",
            "{} wants another slot",
        ),
        *("what time is {}'s visit?", "then book 1 for {}", "{} would like to see Dr. Fernando", "{} isn't coming"),
    ),
}
SPOKEN_OF = {
    Language.PT: ("ela", "a Maria", "a dona Maria", "a paciente", "a senhora Silva", "a Maria Silva"),
    Language.EN: ("she", "Maria", "Mrs. Silva", "the patient", "Maria Silva"),
}
VISITS = {
    Language.PT: ("quais consultas {} tem?", "{} tem alguma consulta marcada?", "quando é a consulta d{}?"),
    Language.EN: ("what appointments does {} have?", "does {} have an appointment?", "when is {}'s appointment?"),
}


@pytest.mark.parametrize("language", Language)
def test_what_is_wanted_for_another_person_is_never_done_for_whom_is_served(language: Language) -> None:
    serving = session_for(Session(ANA, role=Role.OPERATOR, language=language), MARIA)
    said = [frame.format(who) for frame in OF_ANYBODY[language] for who in NAMED[language]]
    assert [one for one in said if not names_patient(one, serving, CLINICS)] == []
    of_hers = [frame.format(who) for frame in VISITS[language] for who in SPOKEN_OF[language]]
    assert [one for one in (*of_hers, *NOBODY_ELSE) if names_patient(one, serving, CLINICS)] == []
    assert not names_patient("the Tuesday one is over 400, in São Paulo", serving, CLINICS)


@pytest.mark.parametrize("language", Language)
def test_the_visits_of_whom_is_served_are_told_however_they_are_spoken_of(language: Language) -> None:
    wrong = []
    for frame in VISITS[language]:
        for who in SPOKEN_OF[language]:
            said = frame.format(who).replace("she's", "her")
            session = session_for(Session(ANA, role=Role.OPERATOR, language=language), MARIA)
            if Desk(replace(session, language=language)).say(said).topic is not Topic.NO_APPOINTMENTS:
                wrong.append(said)
    assert wrong == []


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("agora a Ana Prado 390.533.447-05", "Ana Prado"),
        ("atender João Pedro, cpf 390.533.447-05", "João Pedro"),
        ("o CPF da Bia Rocha é 390.533.447-05", "Bia Rocha"),
        ("it's Kate Brown, CPF 390.533.447-05", "Kate Brown"),
        ("Lucy Reis's CPF is 390.533.447-05", "Lucy Reis"),
        ("with Tobias Klein, cpf 39053344705", "Tobias Klein"),
    ],
)
def test_a_name_and_its_cpf_serve_that_person_by_the_whole_name(said: str, name: str) -> None:
    served = served_in(said)
    assert served is not None
    assert (served.name, (served.cpf or "").replace(".", "").replace("-", "")) == (name, "39053344705")


@pytest.mark.parametrize(
    "said", ["vou atender Bia Rocha, cpf 390.533.447-05, quer um cardio", "CPF 390.533.447-05 wants a derm"]
)
def test_a_wish_behind_a_cpf_is_not_dropped_without_a_word(said: str) -> None:
    assert served_in(said) is None
    assert names_patient(said, session_for(Session(ANA, role=Role.OPERATOR), MARIA), CLINICS)
