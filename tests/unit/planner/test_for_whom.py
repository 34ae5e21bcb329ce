"""Whoever a visit is for is heard in any plain word: the desk says for whom it books, and books for nobody else."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

import pytest

from orchestrator import turn
from orchestrator.turn import Language, Topic
from tests.unit.planner.desk import Desk

PEOPLE = {
    Language.PT: (
        *("minha vó", "meu velho", "minha ex-mulher", "a patroa", "um amigo meu", "minha mais velha", "meu afilhado"),
        *("minha amiga", "meu filho", "outra pessoa", "mainha", "minha criança", "minha melhor amiga", "as crianças"),
    ),
    Language.EN: (
        *(
            "my mother-in-law",
            "the wife",
            "a friend of mine",
            "my elderly mother",
            "my stepson",
            "my ex-wife",
            "my kid",
        ),
        *("my old man", "someone else", "our baby", "my best friend", "a family member", "my boss", "the kids"),
    ),
}
WISHES = {
    Language.PT: (
        *(
            "tem dermato pra {}?",
            "{} precisa passar num dermato",
            "quero levar {} num dermato",
            "é {} que precisa de dermato",
        ),
    ),
    Language.EN: (
        *(
            "could {} get an appointment with a dermatologist?",
            "can {} see a dermatologist?",
            "any dermatologist for {}?",
        ),
        "it's {} who needs a dermatologist",
    ),
}
REPLIES = {
    Language.PT: (
        "é pra {}",
        "quem vai é {}",
        "o paciente é {}",
        "não sou eu, é {}",
        "isso, no nome de {}",
        "o 1 pra {}",
    ),
    Language.EN: ("it's for {}", "{} is the one going", "the patient is {}", "it's not me, it's {}", "1 but for {}"),
}
AFTER_ALL = {
    Language.PT: (
        "o paciente sou eu",
        "então vou eu",
        "não é pra {}",
        "só pra mim então",
        "tá, então marca no meu nome",
    ),
    Language.EN: ("I'm the patient", "then I'll go", "it's not for {}", "just for me then", "ok in my name then"),
}
BOTH = {
    Language.PT: ("{} e eu queremos dermato", "dermato pra mim e {}", "marca dermato pra {} e pra mim também"),
    Language.EN: (
        "{} and I need a dermatologist",
        "a dermatologist for {} and me",
        "book a dermatologist for me and {}",
    ),
}
EACH = {
    Language.PT: ("{} precisa de ortopedista e eu de dermato", "preciso de dermato e {} de ortopedista"),
    Language.EN: ("{} needs an orthopedist and I need a dermatologist", "I need a dermatologist, {} an orthopedist"),
}
TOLD = {
    Language.PT: (
        "{} me indicou vocês, quero dermato",
        "quero dermato, {} vai me levar",
        "moro com {} e quero dermato",
    ),
    Language.EN: (
        "{} told me to see a dermatologist",
        "I need a dermatologist, {} is paying",
        "I live with {}, any derm?",
    ),
}
DERMATOLOGY = {"clinic_b", "clinic_f"}


def said_of(frames: Mapping[Language, tuple[str, ...]]) -> Iterator[tuple[Language, str, str]]:
    for language, all_ in frames.items():
        yield from ((language, frame.format(who), who) for frame in all_ for who in PEOPLE[language])


@cache
def opened(language: Language, *said: str) -> Desk:
    desk = Desk.open(language, consent_given=False)
    if said:
        desk.say(*said)
    return desk


def tells(plan: turn.Plan) -> bool:
    return Topic.FOR_SOMEBODY_ELSE in {plan.topic, plan.note}


def listed(plan: turn.Plan) -> set[str]:
    return {step.clinic for step in plan.steps}


def test_a_wish_for_somebody_else_is_listed_and_said_to_be_theirs() -> None:
    wrong = []
    for language, said, _ in said_of(WISHES):
        desk = replace(opened(language))
        plan = desk.say(said)
        told = tells(plan) and listed(plan) == DERMATOLOGY
        desk.say("1")
        if not told or desk.session.proposal is not None:
            wrong.append(said)
    assert wrong == []


@pytest.mark.parametrize("before", [("dermatologista",), ("dermatologista", "1")])
def test_nothing_stays_proposed_once_it_is_for_somebody_else(before: tuple[str, ...]) -> None:
    wrong = []
    for language, said, _ in said_of(REPLIES):
        desk = replace(opened(language, *before))
        plan = desk.say(said)
        if not tells(plan) or plan.keeps_proposal or desk.session.proposal is not None:
            wrong.append(said)
    assert wrong == []


def test_what_is_for_the_speaker_after_all_is_booked_for_them() -> None:
    wrong = []
    for language, said, who in said_of(AFTER_ALL):
        desk = replace(opened(language, WISHES[language][0].format(who)))
        desk.say(said)
        desk.say("1")
        if desk.session.proposal is None:
            wrong.append((said, who))
    assert wrong == []


@pytest.mark.parametrize("frames", [BOTH, EACH])
def test_the_speaker_is_booked_for_and_the_other_told_of(frames: Mapping[Language, tuple[str, ...]]) -> None:
    wrong = []
    for language, said, _ in said_of(frames):
        desk = replace(opened(language))
        plan = desk.say(said)
        told = tells(plan) and listed(plan) == DERMATOLOGY
        desk.say("1")
        if not told or desk.session.proposal is None:
            wrong.append(said)
    assert wrong == []


def test_somebody_who_is_only_told_of_is_no_patient() -> None:
    wrong = []
    for language, said, _ in said_of(TOLD):
        plan = replace(opened(language)).say(said)
        if tells(plan) or listed(plan) != DERMATOLOGY or plan.question is None or plan.question.for_whom is not None:
            wrong.append(said)
    assert wrong == []
