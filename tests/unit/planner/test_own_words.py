"""What a model says that a person said of themselves is kept in that person's own words, or not at all."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.planner.about_self.clauses import own_words, say_much_the_same
from orchestrator.planner.text.normalised_text import fold_phrase, normalise
from tests.support.sentences import rows

QUOTED = rows("own_words.txt", "quoted")

REFUSED = rows("own_words.txt", "refused")


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


@dataclass(frozen=True)
class Told:
    """What a person said, and a model's report of it in parts that can be changed one by one."""

    said: str
    report: str  # with {denial}, {who} and {number}
    denial: str = ""
    number: str = ""


TOLD = [
    Told("só aceito acima de 2500", "{who}{denial}aceita valor mínimo de R$ {number} por plantão", number="2.500"),
    Told("não gosto do São Luiz", "{who}{denial}quer trabalhar no Hospital São Luiz", denial="não "),
    Told("tenho crianças pequenas", "{who}{denial}tem filhos pequenos"),
    Told("nunca consigo antes das 9", "{who}{denial}consegue antes das {number}", denial="nunca ", number="9"),
    Told("prefiro plantões noturnos", "{who}{denial}prefere plantões à noite"),
    Told("não faço plantão de sábado", "{who}{denial}faz plantão de sábado", denial="não "),
    Told("só atendo até as 18", "{who}{denial}atende somente até as {number}", number="18"),
    Told("moro em Santo André", "{who}{denial}mora em Santo André"),
    Told("I only accept more than 2000 per shift", "{who}{denial}minimum value of {number} per shift", number="2,000"),
    Told("I can't do Fridays", "{who}{denial}do Fridays", denial="cannot "),
]
REPORTERS = ("", "o médico ", "a paciente ", "ele ")
OTHERS = ("a mãe ", "o marido ", "minha chefe ", "the husband ")
INVENTIONS = (
    " e mora em Campinas",
    ", pois paga mal",
    " porque estuda medicina",
    " and plays tennis",
    " com o Dr. Ricardo",
)


@given(told=st.sampled_from(TOLD), who=st.sampled_from(REPORTERS))
def test_a_paraphrase_is_kept_where_numbers_negation_and_persons_agree(told: Told, who: str) -> None:
    report = told.report.format(who=who, denial=told.denial, number=told.number)
    assert own_words(report, normalise(told.said)) == told.said


@given(
    told=st.sampled_from(TOLD),
    who=st.sampled_from(REPORTERS),
    change=st.sampled_from(("denial", "number", "who", "fact")),
    data=st.data(),
)
def test_a_report_that_is_turned_around_of_another_or_of_more_is_dropped(
    told: Told, who: str, change: str, data: st.DataObject
) -> None:
    parts = {"who": who, "denial": told.denial, "number": told.number}
    added = ""
    match change:
        case "denial":
            parts["denial"] = "" if told.denial else data.draw(st.sampled_from(("não ", "nunca ", "never ")))
        case "number" if told.number:
            true = told.number.replace(".", "").replace(",", "")
            parts["number"] = str(data.draw(st.integers(1, 9999).filter(lambda number: str(number) != true)))
        case "who":
            parts["who"] = data.draw(st.sampled_from(OTHERS))
        case _:
            added = data.draw(st.sampled_from(INVENTIONS))
    assert own_words(told.report.format(**parts) + added, normalise(told.said)) is None
