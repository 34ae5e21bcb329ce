"""What a model says that a person said of themselves is kept in that person's own words, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.planner.about_self.quotation import own_words, say_much_the_same, speaks_of_memory
from orchestrator.planner.text.normalised_text import fold_phrase, normalise

QUOTED = [
    ("não posso às sextas", "Não pode às sextas", "não posso às sextas"),
    ("quero um cardiologista, mas não posso às sextas", "Não pode às sextas-feiras", "não posso às sextas"),
    (
        "não posso às sextas porque busco meus filhos na escola",
        "Não pode às sextas-feiras porque busca os filhos na escola",
        "não posso às sextas porque busco meus filhos na escola",
    ),
    ("Oi, moro em Santo André e quero marcar um dermato", "Mora em Santo André", "moro em Santo André"),
    ("queria dizer que moro em Santo André. Tem horário?", "mora em Santo André", "moro em Santo André"),
    ("anota aí que só posso de manhã", "Só pode de manhã", "só posso de manhã"),
    ("tenho filhos pequenos e trabalho à noite", "Tem filhos pequenos", "tenho filhos pequenos"),
    ("tenho filhos pequenos e trabalho à noite", "Trabalha à noite", "trabalho à noite"),
    ("prefiro a Dra. Marina Teles, obrigada", "Prefere a Dra. Marina Teles", "prefiro a Dra. Marina Teles"),
    ("costumo viajar a trabalho, tem cardiologista?", "Costuma viajar a trabalho", "costumo viajar a trabalho"),
    ("nunca consigo antes das 9", "Nunca consegue antes das 9", "nunca consigo antes das 9"),
    ("já te disse que não consigo às quintas", "Não consegue às quintas", "já te disse que não consigo às quintas"),
    ("eu costumo chegar cedo: mostrem tudo", "Costuma chegar cedo: mostrem tudo", "eu costumo chegar cedo"),
    (
        "I prefer mornings because of school",
        "Prefers mornings because of school",
        "I prefer mornings because of school",
    ),
    ("I prefer mornings. What is free?", "Prefers mornings", "I prefer mornings"),
    ("I can't do Fridays because I pick up my kids", "Can't do Fridays", "I can't do Fridays"),
    ("just so you know, I live in Santo André and I need a doctor", "Lives in Santo André", "I live in Santo André"),
]

REFUSED = [
    # made up, in whole or in a number
    ("não posso às sextas", "Tem pressa e mora longe da clínica"),
    ("não posso às sextas", "Toma insulina todos os dias"),
    ("nunca consigo antes das 9", "Nunca consegue antes das 8"),
    ("quero um cardiologista", "Prefere a Clínica A de manhã"),
    ("oi", ""),
    ("não posso às sextas", "não pode"),
    # of somebody else, or what somebody else said
    ("minha mãe não pode às sextas", "Não pode às sextas"),
    ("eu sei que meu marido trabalha à noite", "Trabalha à noite"),
    ("my mother lives in Santo André", "Lives in Santo André"),
    ('ele disse "não posso às sextas"', "Não pode às sextas"),
    ("minha mãe disse: não posso às sextas", "Não pode às sextas"),
    ("he said I prefer mornings", "Prefers mornings"),
    # asked, wished, supposed, chosen
    ("não posso às sextas?", "Não pode às sextas"),
    ("não posso às sextas, né?", "Não pode às sextas"),
    ("tem vaga quando costumo viajar?", "Costuma viajar"),
    ("costumo viajar quando mesmo?", "Costuma viajar"),
    ("se eu não posso às sextas vou em outra", "Não pode às sextas"),
    ("acho que prefiro de manhã", "Prefere de manhã"),
    ("quero marcar de manhã", "Quer de manhã"),
    ("prefiro a opção 2", "Prefere a opção 2"),
    ("prefiro o primeiro horário", "Prefere o primeiro horário"),
    ("I want a doctor in the morning", "Wants mornings"),
    ("maybe I prefer mornings", "Prefers mornings"),
    # of one day, or of now
    ("não posso na sexta", "Não pode na sexta"),
    ("não posso dia 18", "Não pode dia 18"),
    ("hoje estou em Santo André", "Está em Santo André"),
    ("estou no trânsito agora", "Está no trânsito"),
    ("I can't do this Friday", "Can't do Fridays"),
    ("tenho uma consulta marcada em Santo André", "Tem consulta em Santo André"),
    ("meu nome é Fulano de Tal e moro em Santo André", "Meu nome é Fulano de Tal"),
]


@pytest.mark.parametrize(("said", "content", "kept"), QUOTED, ids=lambda value: value[:40])
def test_a_statement_is_kept_as_the_person_typed_it(said: str, content: str, kept: str) -> None:
    assert own_words(content, normalise(said)) == kept


@pytest.mark.parametrize(("said", "content"), REFUSED, ids=lambda value: value[:40])
def test_what_the_person_did_not_state_of_themselves_is_not_kept(said: str, content: str) -> None:
    assert own_words(content, normalise(said)) is None


WORDS = st.lists(
    st.sampled_from(
        ["não posso", "só", "às sextas", "moro em", "Santo André", "eu", "prefiro", "9", ",", ".", "e", "?"]
    ),
    min_size=3,
    max_size=14,
).map(" ".join)


@given(content=WORDS, said=WORDS)
def test_whatever_comes_together_nothing_is_kept_that_was_not_typed_in_one_piece(content: str, said: str) -> None:
    kept = own_words(content, normalise(said))
    assert kept is None or kept in said


@given(content=st.text(max_size=60), said=st.text(max_size=120))
def test_any_text_may_be_looked_up_in_any_other(content: str, said: str) -> None:
    kept = own_words(content, normalise(said))
    typed = iter(said)
    assert kept is None or all(sign in typed for sign in kept if not sign.isspace())


@pytest.mark.parametrize("said", ["não posso às sextas", "não posso\tàs   sextas", "NÃO POSSO ÀS SEXTAS!!!"])
def test_what_is_kept_is_one_line_of_what_was_typed(said: str) -> None:
    kept = own_words("Não pode às sextas", normalise(said))
    assert kept is not None
    assert "\t" not in kept
    assert fold_phrase(kept) in fold_phrase(" ".join(said.split()))


def test_two_wordings_of_a_fact_are_much_the_same_and_two_facts_are_not() -> None:
    assert say_much_the_same("não posso às sextas-feiras", "não posso às sextas")
    assert not say_much_the_same("não posso às sextas", "moro em Santo André")


def test_asking_after_what_is_remembered_is_told_from_other_requests() -> None:
    assert speaks_of_memory(normalise("você lembra onde eu moro?"))
    assert speaks_of_memory(normalise("what do you know about me?"))
    assert not speaks_of_memory(normalise("quero um cardiologista"))
