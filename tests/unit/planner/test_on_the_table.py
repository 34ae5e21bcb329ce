"""What a bare answer is about: always what was shown or asked last, and never a dead end."""

from __future__ import annotations

import random

import pytest

from orchestrator.planner.text import normalise
from orchestrator.planner.understanding import answer, row_said, rows_said
from orchestrator.turn import BOOK, CANCEL, LIST, MOVE, Book, Topic
from tests.unit.planner.desk import Desk

AROUND = {
    "pt": (
        ("", "então ", "ok, ", "quero o ", "fico com o ", "pode ser a ", "voltando, a "),
        ("", " por favor", ", tá bom"),
    ),
    "en": (("", "so, ", "ok, ", "let's do ", "I'll take ", "well, the "), ("", " please", " works", ", thanks")),
}
NUMBERS = {
    "pt": (
        ("1", "número 1", "primeira", "opção 1"),
        ("2", "#2", "opção 2", "segunda opção"),
        ("3", "terceira", "a opção 3"),
    ),
    "en": (("1", "first", "first one", "1st one"), ("2", "#2", "second", "option 2"), ("3", "third one", "3rd option")),
}


@pytest.mark.long(but=40)
@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("seed", range(40))
def test_a_row_is_a_row_whatever_stands_around_it(language: str, seed: int) -> None:
    chance = random.Random(f"{language} {seed}")
    before, behind = (chance.choice(words) for words in AROUND[language])
    row = chance.randrange(3)
    said = before + chance.choice(NUMBERS[language][row]) + behind
    desk = Desk.open(consent_given=False)
    desk.say("quero um cardiologista" if language == "pt" else "I need a cardiologist")
    wanted = desk.session.printed[row]
    plan = desk.say(said)
    taken = [step.taken for step in plan.steps if isinstance(step.call, Book)]
    assert taken == [wanted.slot], said


TWO_ROWS = {
    "pt": ("{} e {}", "{}, {}", "{} e a {}", "{} e o {}", "{} {}", "{} mais a {}"),
    "en": ("{} and {}", "{}, {}", "{} and the {}", "{} plus {}"),
}
ONE_OF_TWO = {
    "pt": ("{} ou {}", "a {} ou a {}", "nem a {} nem a {}", "menos {} e {}"),
    "en": ("{} or {}", "neither {} nor {}"),
}


@pytest.mark.long(but=40)
@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("seed", range(40))
def test_several_rows_are_proposed_together_and_one_of_several_is_asked_about(language: str, seed: int) -> None:
    chance = random.Random(f"{language} {seed}")
    before, behind = (chance.choice(words) for words in AROUND[language])
    rows = chance.sample(range(1, 7), 2)
    both, either = (chance.choice(words[language]).format(*rows) for words in (TWO_ROWS, ONE_OF_TWO))
    desk, other = Desk.open(consent_given=True), Desk.open(consent_given=True)
    for one in (desk, other):
        one.say("quero um cardiologista" if language == "pt" else "I need a cardiologist")
    wanted = {offer.slot for offer in desk.session.printed if offer.number in rows}
    assert not any(step.action == BOOK for step in other.say(either).steps), either
    plan = desk.say(before + both + behind)
    assert {step.taken for step in plan.steps} == wanted, both
    assert plan.asks_first


@pytest.mark.parametrize(
    ("said", "rows"),
    [("as duas primeiras", (1, 2)), ("the first three", (1, 2, 3)), ("os 2 últimos", (5, 6)), ("last two", (5, 6))],
)
def test_rows_are_counted_from_an_end_of_the_list(said: str, rows: tuple[int, ...]) -> None:
    assert rows_said(normalise(said).folded, range(1, 7)) == rows


@pytest.mark.parametrize(
    "said", ["one moment", "dia 2", "às 2", "2 pessoas", "the first of december", "segunda", "hmm", "2 e 3"]
)
def test_what_is_more_than_a_row_is_none(said: str) -> None:
    assert row_said(said) is None


def test_a_weekday_of_the_list_stays_a_weekday() -> None:
    assert row_said("a quarta", frozenset({2})) is None
    assert row_said("a quarta", frozenset({0})) == 4
    assert row_said("a quarta opcao", frozenset({2})) == 4


@pytest.mark.parametrize("yes", ["sim", "ok", "yes", "👍"])
def test_a_yes_to_nothing_says_so_and_offers_the_next_step(yes: str) -> None:
    desk = Desk.open(consent_given=False)
    assert desk.say(yes).topic is Topic.NOTHING_OPEN
    assert {step.action for step in desk.say("cardiologia").steps} == {LIST}


def test_a_yes_behind_a_cancellation_goes_on_with_another_time() -> None:
    desk = Desk.open()
    desk.say("marca com o Ricardo Lopes dia 21 às 9h", "cancela minha consulta")
    assert desk.session.appointments == ()
    assert desk.say("sim").topic is Topic.ASK_ANOTHER_TIME
    assert {step.doctor for step in desk.say("qualquer dia").steps} == {"Dr. Ricardo Lopes"}


@pytest.mark.parametrize(
    "said", ["hmm", "one moment", "peraí", "deixa eu ver aqui", "let me think about it", "espera um pouco"]
)
@pytest.mark.parametrize("proposed", [False, True])
def test_who_takes_a_moment_is_not_hurried_and_loses_nothing(said: str, proposed: bool) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero um cardiologista", *(["2"] if proposed else []))
    wanted = desk.session.printed[1].slot
    plan = desk.say(said)
    assert plan.topic is Topic.NO_HURRY
    assert plan.keeps_proposal is proposed
    if not proposed:
        assert [step.taken for step in desk.say("2").steps] == [wanted]


@pytest.mark.parametrize("said", ["blergh zzz", "gluck"])
def test_what_is_not_understood_beside_a_list_is_asked_about_the_list_which_stays(said: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero um cardiologista")
    wanted = desk.session.printed[1].slot
    assert desk.say(said).topic is Topic.ASK_WHICH_OFFER
    assert [step.taken for step in desk.say("2").steps] == [wanted]


@pytest.mark.parametrize("said", ["hmm", "um minuto", "wait a moment please"])
def test_what_is_not_understood_beside_a_move_keeps_the_proposal(said: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Ricardo Lopes dia 21 às 9h", "sim", "muda minha consulta para dia 23 às 8h")
    assert desk.session.proposal is not None
    assert desk.say(said).keeps_proposal


@pytest.mark.parametrize("either", ["tanto faz", "you choose", "whatever is first", "o mais cedo"])
def test_no_preference_in_a_move_takes_the_earliest_of_the_list_and_asks(either: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Ricardo Lopes dia 21 às 9h", "sim", "preciso remarcar minha consulta")
    others = [one.slot for one in desk.session.offers if one.slot not in desk.session.appointments]
    earliest = min(others, key=lambda one: (one.date, one.time))
    plan = desk.say(either)
    assert [(step.action, step.taken) for step in plan.steps] == [(MOVE, earliest)]


def test_a_question_is_counted_as_long_as_nothing_comes_of_it() -> None:
    desk = Desk.open(consent_given=False)
    times = []
    for said in ("quero remarcar", "zzz", "blergh", "oi", "zzz"):
        plan = desk.say(said)
        assert plan.question is not None
        times.append(plan.question.times)
    assert times == [1, 2, 3, 3, 4]


@pytest.mark.parametrize(
    "said",
    [
        *("bora", "vou querer", "esse horário tá ótimo", "por mim tá bom", "simbora", "é esse mesmo", "claro que sim"),
        *("yeah go for it", "that'll work", "sounds perfect", "lets do that", "fine by me", "book me in", "deal"),
    ],
)
def test_a_booking_is_consented_to_in_many_words(said: str) -> None:
    assert answer(said, BOOK) is True


@pytest.mark.parametrize(
    "said", ["fica com ela", "vou querer", "é essa mesmo", "esse dia tá ótimo", "I'm in", "that'll do"]
)
def test_to_have_what_there_is_is_no_yes_to_a_cancellation(said: str) -> None:
    assert answer(said, CANCEL) is not True


@pytest.mark.parametrize("said", ["isso messmo", "cofnirma", "go ahaed", "yes pelase"])
def test_a_yes_may_be_mistyped(said: str) -> None:
    assert answer(said) is True


@pytest.mark.parametrize(
    "said", ["the Friday one at 8:30", "fri at 8:30 works", "o de sexta às 8h30", "fico com sexta 8:30"]
)
def test_a_weekday_and_an_hour_beside_a_list_are_its_row_though_not_of_the_coming_week(said: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero um cardiologista")
    (row,) = (one.slot for one in desk.session.printed if one.date.weekday() == 4 and one.time.hour == 8)
    assert [step.taken for step in desk.say(said).steps] == [row]


def test_a_weekday_and_an_hour_beside_the_list_of_a_move_are_its_row() -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Fernando Mendes dia 18 às 10h", "sim", "preciso remarcar minha consulta")
    plan = desk.say("friday at 8:30")
    assert [(step.action, step.taken.date.day if step.taken else 0) for step in plan.steps] == [(MOVE, 25)]
