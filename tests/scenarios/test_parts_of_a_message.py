"""A pick with a question or a remark beside it, whichever comes first, brings the card of that pick, and no more."""

from __future__ import annotations

from itertools import product

import pytest

from orchestrator.turn.session import Session
from tests.support.talk import Talk

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


def card(session: Session) -> list[object]:
    return [step.call for step in session.proposal.plan.steps] if session.proposal is not None else []


@pytest.mark.parametrize("language", LISTS)
def test_a_pick_is_taken_with_what_is_asked_beside_it(own_talk: Talk, language: str) -> None:
    own_talk.say(LISTS[language])
    listed, wrong = own_talk.session, []
    for pick, (question, answer), joint in product(PICKS[language], QUESTIONS[language].items(), JOINTS):
        own_talk.session = listed
        own_talk.say(pick)
        picked = card(own_talk.session)
        for said in (f"{pick}{joint}{question}", f"{question} {pick}"):
            own_talk.session = listed
            reply = own_talk.say(said)
            if card(own_talk.session) != picked or own_talk.session.appointments or answer not in reply.plain:
                wrong.append(f"{said}: {reply.plain[:150]!r}")
    own_talk.session = listed
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LISTS)
def test_no_remark_beside_a_pick_is_a_yes_to_its_card(own_talk: Talk, language: str) -> None:
    own_talk.say(LISTS[language])
    listed, written = own_talk.session, []
    for pick, remark, joint in product(PICKS[language], REMARKS[language], JOINTS):
        for said in (f"{pick}{joint}{remark}", f"{remark}{joint}{pick}"):
            own_talk.session = listed
            reply = own_talk.say(said)
            if own_talk.session.appointments:
                written.append(f"{said}: {reply.plain[:150]!r}")
    assert not written, "\n".join(written)
