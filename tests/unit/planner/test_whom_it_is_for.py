"""A visit is for whom the sentence says, whoever that is to the speaker; who only tells or drives is no patient."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from orchestrator import turn
from orchestrator.turn import Language, Topic
from tests.unit.planner.desk import Desk

PT, EN = Language.PT, Language.EN
PEOPLE = {
    PT: (
        *("minha concunhada", "meu pai adotivo", "a moça da limpeza", "o rapaz que trabalha comigo", "meu treinador"),
        *("minha maninha", "o porteiro", "meu contador", "a senhora que eu cuido", "minha colega de quarto"),
    ),
    EN: (
        *("my grandnephew", "my lodger", "my carpool buddy", "my coach", "my significant other"),
        *("my neighbor's kid", "my accountant", "my kiddo", "my foster daughter", "a mate of mine"),
    ),
}
WISHED = {
    PT: (
        *("dá pra um cardio ver {}?", "{} me pediu pra marcar um cardio", "preciso que um cardio veja {}"),
        *("o cardio é pra {}", "marca uma de cardio pra {}", "{} precisa de cardio"),
    ),
    EN: (
        *("can a cardiologist see {}?", "{} asked me to book a cardiologist", "I have to take {} to a cardiologist"),
        *("I need a cardiologist to look at {}", "the cardiologist is for {}", "{} needs a cardiologist"),
    ),
}
TAKEN = {
    PT: ("o 1, {} que vai", "pega o 2 que {} vai"),
    EN: ("1, {} will go", "2, it's {} going", "{} will take number 1"),
}
TOLD = {
    PT: (
        *("{} conhece vcs, quero um cardio", "quero um cardio, {} me leva de carro", "{} mora perto daí, tem cardio?"),
        *("quero um cardio, {} vai ficar com as crianças", "{} me aconselhou a procurar um cardio"),
    ),
    EN: (
        *(
            "{} knows you, any cardiologist?",
            "I need a cardiologist, {} drives me there",
            "{} is paying, find a cardiologist",
        ),
        *("I need a cardiologist, {} will watch the kids", "{} advised me to find a cardiologist"),
    ),
}
EACH = {
    PT: ("{} dermato, eu cardio", "pra {} um dermato e pra mim um cardio"),
    EN: ("{} needs a dermatologist, I need a cardiologist", "a dermatologist for {} and a cardiologist for me"),
}


@cache
def listed(language: Language) -> Desk:
    desk = Desk.open(language, consent_given=False)
    desk.say("quero um cardiologista" if language is PT else "I need a cardiologist")
    return desk


def said_of(frames: Mapping[Language, tuple[str, ...]], language: Language) -> list[str]:
    said = [frame.format(who) for frame, who in product(frames[language], PEOPLE[language])]
    return [one.replace("pra o ", "pro ").replace("pra a ", "pra ") for one in said]


def is_told(plan: turn.Plan) -> bool:
    return Topic.FOR_SOMEBODY_ELSE in {plan.topic, plan.note}


@pytest.mark.parametrize("language", Language)
def test_what_somebody_else_needs_is_shown_and_never_booked_for_the_speaker(language: Language) -> None:
    wrong = []
    for said in said_of(WISHED, language):
        desk = Desk.open(language, consent_given=False)
        plan = desk.say(said)
        desk.say("1")
        if not is_told(plan) or not plan.steps or desk.session.proposal is not None:
            wrong.append(said)
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_a_row_taken_for_somebody_else_is_no_card_for_the_speaker(language: Language) -> None:
    plans = [(said, replace(listed(language)).say(said)) for said in said_of(TAKEN, language)]
    assert [said for said, plan in plans if plan.writes or not is_told(plan)] == []


@pytest.mark.parametrize("language", Language)
def test_who_only_tells_or_helps_is_nobody_to_book_for(language: Language) -> None:
    plans = [(said, Desk.open(language).say(said)) for said in said_of(TOLD, language)]
    of_others = [
        said for said, plan in plans if is_told(plan) or (plan.question and plan.question.for_whom is not None)
    ]
    assert of_others == []


@pytest.mark.parametrize("language", Language)
def test_of_two_who_need_doctors_the_speaker_is_booked_for(language: Language) -> None:
    plans = [(said, Desk.open(language).say(said)) for said in said_of(EACH, language)]
    assert [said for said, plan in plans if not is_told(plan)] == []
