"""A pick with a question or a remark beside it, whichever comes first, brings the card of that pick, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product

import pytest

from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Session
from tests.support.clinics import Clinics
from tests.support.talk import CARLOS, Talk, open_talk

LISTS = {"in Portuguese": "quero um cardiologista", "in English": "I need a cardiologist"}
PICKS = {
    "in Portuguese": ("quero o 2", "fico com o 3", "o primeiro", "pode marcar o último"),
    "in English": ("I'll take 2", "number 3 please", "the first one", "book the last one"),
}
QUESTIONS = {
    "in Portuguese": {
        "quanto custa?": "Consulta particular",
        "onde fica?": "Endereço",
        "aceita Unimed?": "Unimed",
        "aceita Bradesco?": "Bradesco",
        "tem elevador?": "informa",
        "precisa levar exame?": "O que levar",
    },
    "in English": {
        "how much is it?": "Private visit",
        "where is it?": "Address",
        "do they take Unimed?": "Unimed",
        "do they take Bradesco?": "Bradesco",
        "is there a lift?": "state",
        "do I need to bring tests?": "What to bring",
    },
}
REMARKS = {
    "in Portuguese": ("que bom", "ótimo", "obrigado", "tô com pressa", "minha filha tá doente"),
    "in English": ("great", "lovely", "thanks", "I'm in a hurry", "my daughter is ill"),
}
JOINTS = (". ", ", ", "; ")
PEOPLE = count()


@pytest.fixture
def talk(running: Clinics) -> Iterator[Talk]:
    with open_talk(running.registry, consent_given=False) as talk:
        talk.session = Session(Identity.of(CARLOS.name, f"{12346700000 + next(PEOPLE):011}"))
        yield talk
        running.give_back(talk.session)


def card(session: Session) -> list[object]:
    return [step.call for step in session.proposal.plan.steps] if session.proposal is not None else []


@pytest.mark.parametrize("language", LISTS)
def test_a_pick_is_taken_with_what_is_asked_beside_it(talk: Talk, language: str) -> None:
    talk.say(LISTS[language])
    listed, wrong = talk.session, []
    for pick, (question, answer), joint in product(PICKS[language], QUESTIONS[language].items(), JOINTS):
        talk.session = listed
        talk.say(pick)
        picked = card(talk.session)
        for said in (f"{pick}{joint}{question}", f"{question} {pick}"):
            talk.session = listed
            reply = talk.say(said)
            if card(talk.session) != picked or talk.session.appointments or answer not in reply.plain:
                wrong.append(f"{said}: {reply.plain[:150]!r}")
    talk.session = listed
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LISTS)
def test_no_remark_beside_a_pick_is_a_yes_to_its_card(talk: Talk, language: str) -> None:
    talk.say(LISTS[language])
    listed, written = talk.session, []
    for pick, remark, joint in product(PICKS[language], REMARKS[language], JOINTS):
        for said in (f"{pick}{joint}{remark}", f"{remark}{joint}{pick}"):
            talk.session = listed
            reply = talk.say(said)
            if talk.session.appointments:
                written.append(f"{said}: {reply.plain[:150]!r}")
    assert not written, "\n".join(written)
