"""A row of a list that is let go is left out, and "one" in a part of the day is an opening and no hour."""

from dataclasses import replace
from itertools import product

import pytest

from orchestrator.turn import Language
from tests.unit.planner.desk import Desk

LISTS = ("quero dermatologista", "cardiologist please")
ROWS = {
    Language.PT: (("o 2", "a opção 2"), ("o número 3", "o terceiro")),
    Language.EN: (("number 2", "the second one"), ("the 3rd", "the third")),
}
LETS_GO = {
    Language.PT: (
        *("esquece {}", "descarta {}", "ignora {} por favor", "tira {} da lista", "pula {}", "ah, risca {}"),
        *("{} esquece", "{} não", "não, {} não", "ok, elimina {}", "deixa {} pra lá", "dispenso {}", "corta {}"),
        "{} não quero",
    ),
    Language.EN: (
        *("forget {}", "ok forget about {}", "skip {} please", "scratch {}", "cross out {}", "never mind {}"),
        *("lose {}", "take {} off", "not {}", "ignore {} then", "rule out {}", "{} is no good", "actually drop {}"),
        "leave {} out",
    ),
}
IN_PART = (
    "is there one {}?",
    "got one {}?",
    "i need one {}",
    "find me one {} please",
    "could i get one {}",
    "only one {}?",
)


@pytest.mark.parametrize(("first", "language"), [*product(LISTS, Language)])
def test_a_row_that_is_let_go_is_left_out_and_not_taken(first: str, language: Language) -> None:
    wrong = []
    for frame, (place, names) in product(LETS_GO[language], enumerate(ROWS[language], 1)):
        for name in names:
            desk = Desk.open(language, consent_given=False)
            desk.say(first)
            listed = [offer.slot for offer in desk.session.offers]
            plan = desk.say(frame.format(name))
            kept = [offer.slot for offer in desk.session.offers]
            if desk.session.proposal or kept != [*listed[:place], *listed[place + 1 :]]:
                wrong.append((frame.format(name), plan.kind, plan.topic))
    assert wrong == []


@pytest.mark.parametrize("text", ["esquece {} e {}", "forget {} and {}", "{} e {} não", "not {} and {}"])
def test_two_rows_are_let_go_at_once(text: str) -> None:
    named = ("o 1", "o 2", "o 3") if " e " in text else ("1", "number 2", "the third")
    for first, second in ((0, 1), (0, 2), (1, 2)):
        desk = Desk.open(consent_given=False)
        desk.say("quero dermatologista")
        listed = [offer.slot for offer in desk.session.offers]
        desk.say(text.format(named[first], named[second]))
        kept = [slot for at, slot in enumerate(listed) if at not in {first, second}]
        assert [offer.slot for offer in desk.session.offers] == kept


@pytest.mark.parametrize("text", ["esquece o 1", "tira o 1", "o 1 não", "forget number 1", "not number 1"])
def test_a_card_is_let_go_by_its_row(text: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero dermatologista", "1")
    refused = desk.session.offers[0].slot
    desk.say(text)
    assert desk.session.proposal is None
    assert refused not in [offer.slot for offer in desk.session.offers]


@pytest.mark.parametrize(
    "text",
    [
        *("esquece o 2, quero o 3", "tira o 1, fico com o 3", "descarta o segundo e marca o terceiro"),
        *("forget number 2, the 3rd is fine", "skip the first, i'll take the third", "drop the 2, let's do 3"),
    ],
)
def test_a_row_that_is_taken_in_place_of_one_let_go_is_taken_alone(text: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero dermatologista")
    assert [step.taken for step in desk.say(text).steps] == [desk.session.offers[2].slot]


@pytest.mark.parametrize(("first", "frame"), [*product(("cardiologist please", "dermatologist please"), IN_PART)])
def test_one_in_a_part_of_the_day_is_an_opening_and_no_hour(first: str, frame: str) -> None:
    for part, mornings in (("in the morning", True), ("in the afternoon", False)):
        desk = Desk.open(Language.EN, consent_given=False)
        desk.say(first)
        fits = [offer.slot for offer in desk.session.offers if (offer.time.hour < 12) is mornings]
        if fits:
            desk.say(frame.format(part))
            assert [offer.slot for offer in desk.session.offers] == fits


@pytest.mark.parametrize("frame", ["what about one {}", "got one {}?", "is there one {}?", "I need one {}"])
def test_one_on_a_day_is_an_opening_and_no_hour(frame: str) -> None:
    for day, number in (("on Monday", 21), ("on Wednesday", 23)):
        desk = Desk.open(Language.EN, consent_given=False)
        desk.say("cardiologist please", frame.format(day))
        assert {offer.date.day for offer in desk.session.offers} == {number}


@pytest.mark.parametrize(
    ("frame", "row"),
    [
        *product(("corta {}", "elimina {}", "dispenso {}", "risca {}"), ("o de terça", "a Marina Teles")),
        *product(("scratch {}", "cross out {}"), ("the Tuesday one", "the 10am one")),
    ],
)
def test_a_row_that_is_named_by_what_it_is_is_let_go_by_any_verb(frame: str, row: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero dermatologista")
    listed = [offer.slot for offer in desk.session.offers]
    desk.say(frame.format(row))
    kept = [one for one in listed if (one.date.day != 22 if "Marina" not in row else "Teles" not in one.doctor)]
    assert [offer.slot for offer in desk.session.offers] == kept


DROPS = {
    Language.PT: (
        *("menos {}", "{} pode tirar", "todos menos {}", "elimina {}", "não me serve {}", "deixa {} pra lá"),
        *("{} tá fora", "{} não quero", "sem {}"),
    ),
    Language.EN: (
        *("no to {}", "get rid of {}", "cross {} out", "except {}", "any of them except {}", "I don't want {}"),
        *("take {} off the list", "{} isn't going to work", "without {}"),
    ),
}
DROPPED = {
    Language.PT: {"os dois primeiros": {0, 1}, "o 1 e o 3": {0, 2}, "os de segunda": {2, 3}, "os do Lopes": {2, 3, 4}},
    Language.EN: {"the first two": {0, 1}, "1 and 3": {0, 2}, "the Monday ones": {2, 3}, "the 9 one": {2}},
}


@pytest.mark.parametrize("language", Language)
def test_rows_are_dropped_by_what_they_are_in_any_plain_words(language: Language) -> None:
    desk = Desk.open(language, consent_given=False)
    desk.say("quero cardiologista")
    listed, wrong = [offer.slot for offer in desk.session.offers], []
    for frame, (rows, places) in product(DROPS[language], DROPPED[language].items()):
        after = replace(desk)
        after.say(said := frame.format(rows))
        left = [slot for at, slot in enumerate(listed) if at not in places]
        if after.session.proposal or [offer.slot for offer in after.session.offers] != left:
            wrong.append(said)
    assert wrong == []


@pytest.mark.parametrize("text", ["o {} não", "tira o {}", "menos o {}"])
def test_of_two_rows_at_one_moment_only_that_which_is_named_goes(text: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("cardiologista ou dermatologista na segunda")
    listed = desk.session.offers
    named, other = [one for one in listed if f"{one.time:%H:%M}" == "09:00"]
    desk.say(text.format(named.number))
    left = [offer.slot for offer in desk.session.offers]
    assert other.slot in left
    assert named.slot not in left


@pytest.mark.parametrize("none", ["none of these work", "none of those", "those don't work", "can't make any of them"])
@pytest.mark.parametrize("said", ["I need something before 10", "only mornings for me", "anything in the morning?"])
def test_what_is_wanted_behind_rows_of_which_none_suits_is_looked_for(none: str, said: str) -> None:
    desk = Desk.open(Language.EN, consent_given=False)
    desk.say("cardiologist please", f"{none} {said}")
    hours = {offer.time.hour for offer in desk.session.offers}
    assert desk.session.proposal is None
    assert hours <= ({8, 9} if "10" in said else {8, 9, 10})


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        *product(["cardiologist please"], ["no good any of them", "any of them is no good", "ugh, bad, any of these"]),
        *product(["quero um cardiologista"], ["todos ruins", "nossa, tudo ruim", "todas péssimas pra mim"]),
    ],
)
def test_rows_that_are_all_said_to_be_bad_are_none_of_them_taken(opening: str, said: str) -> None:
    desk = Desk.open(Language.EN if "please" in opening else Language.PT, consent_given=False)
    plan = desk.say(opening, said)
    assert desk.session.proposal is None
    assert not plan.steps
