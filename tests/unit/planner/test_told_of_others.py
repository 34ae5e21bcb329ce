"""What others think of a clinic or doctor is no wish for it, nor against it; and a note is forgotten by its subject."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import ForgetMemory, Language, Memory, MemoryKind, SaveMemory, Source
from tests.unit.planner.desk import CLINICS, NOW, Desk

PT, EN = Language
PEOPLE = {
    PT: ("minha irmã", "meu marido", "uma amiga minha", "a patroa"),
    EN: ("my wife", "a friend of mine", "my boss"),
}
UNHAPPY = {
    PT: (
        "{} não gostou d{}",
        "{} foi mal atendida n{}",
        "{} reclamou d{}",
        "{} saiu decepcionada com {}",
        "{} odiou {}",
    ),
    EN: ("{} wasn't happy with {}", "{} had a bad experience at {}", "{} complained about {}", "{} says {} is awful"),
}
PLACES = {PT: ("a clínica A", "o Dr. Fernando"), EN: ("Clinic A", "Dr. Fernando")}
STATES = ((), ("cardiologista",), ("cardiologista", "1"))
FORGETTING = {
    PT: ("esquece o que eu falei da {}", "por favor apaga o que eu disse da {}", "tira o que anotou da {}"),
    EN: ("please erase what you noted about {}", "can you remove the note about {}", "get rid of the note about {}"),
}


def said() -> Iterator[tuple[Language, str]]:
    for language, people in PEOPLE.items():
        for frame, who, where in ((f, w, x) for f in UNHAPPY[language] for w in people for x in PLACES[language]):
            yield language, frame.format(who, where)


@cache
def opened(language: Language, before: tuple[str, ...]) -> Desk:
    desk = Desk.open(language, consent_given=False, remembers=True)
    if before:
        desk.say(*before)
    return desk


@pytest.mark.parametrize("before", STATES)
def test_what_others_did_not_like_is_neither_looked_for_nor_noted(before: tuple[str, ...]) -> None:
    wrong = []
    for language, words in said():
        desk = replace(opened(language, before))
        plan = desk.say(words)
        kept = plan.keeps_proposal or desk.session.proposal is not None or len(before) < 2
        if plan.steps or plan.memory or not kept or desk.session.offers != opened(language, before).session.offers:
            wrong.append(words)
    assert wrong == []


def test_a_wish_beside_it_is_of_every_clinic() -> None:
    wrong = []
    for language, words in said():
        wish = "quero cardiologista" if language is PT else "I need a cardiologist"
        plan = replace(opened(language, ())).say(f"{words}, {wish}")
        if {step.clinic for step in plan.steps} != {"clinic_a", "clinic_c"} or plan.memory:
            wrong.append(words)
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_a_note_is_forgotten_by_what_it_is_about(language: Language) -> None:
    told = {
        PT: ("não gosto da Clínica A", "não posso às quintas"),
        EN: ("I don't like Clinic A", "I can't do Thursdays"),
    }
    about = {PT: "clínica A", EN: "Clinic A"}[language]
    notes = tuple(Memory(one, one, MemoryKind.RESTRICTION, Source.CONVERSATION, "", NOW, NOW) for one in told[language])
    session = replace(Desk.open(language, remembers=True).session, recalled=notes)
    for frame in FORGETTING[language]:
        plan = OfflinePlanner().plan(frame.format(about), session, CLINICS, NOW)
        assert plan.memory == (ForgetMemory(told[language][0]),)


@pytest.mark.parametrize(
    "words", ["preciso de cardio e tô fora até dia 25", "I need a cardio, keep in mind I'm away until July 25"]
)
def test_being_away_is_noted_beside_a_wish(words: str) -> None:
    plan = Desk.open(PT, remembers=True).say(words)
    assert {step.clinic for step in plan.steps} == {"clinic_a", "clinic_c"}
    assert [type(one) for one in plan.memory] == [SaveMemory]


@pytest.mark.parametrize(
    "why", ["pq é muito corrido", "porque minha vida é uma correria", "because it's hectic", "as my mornings are busy"]
)
def test_why_only_some_hours_suit_is_no_question_about_time(why: str) -> None:
    desk = replace(opened(EN if " is" in why or "are" in why else PT, ("cardiologista", "o 1")))
    plan = desk.say(f"{'só posso à tarde' if desk.session.language is PT else 'I can only do afternoons'} {why}")
    assert [step.taken.time.hour for step in plan.steps if step.taken] == [14]
