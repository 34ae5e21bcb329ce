"""Letting go is one act: of a card, a list or a question, with any reason around it, unless more is asked behind it."""

from __future__ import annotations

from itertools import product

import pytest

from orchestrator.planner.offline import OfflinePlanner
from orchestrator.planner.understanding import answer
from orchestrator.turn import Topic
from tests.unit.planner.desk import CLINICS, NOW, Desk

STATES = {
    "pt": ("marca com o Dr. Fernando dia 18 às 10h", "quero um cardiologista", "quero marcar uma consulta"),
    "en": ("book Dr. Fernando on July 18 at 10", "I need a cardiologist", "I want to book an appointment"),
}
REASONS = {
    "pt": ("", "hmm, sexta não dá pra mim, ", "puxa, amanhã eu trabalho, ", "meu plano não cobre, "),
    "en": ("", "hmm, Friday is bad for me, ", "ugh, I work tomorrow, ", "my plan does not cover it, "),
}
ACTS = {
    "pt": ("deixa pra lá", "esquece isso", "deixa pra outro dia", "depois eu vejo isso", "qualquer coisa eu te chamo"),
    "en": ("forget it", "leave it for now", "never mind", "I will get back to you", "I will call back later"),
}
ASKED_BEHIND = {
    "pt": (", quero dia 21", ", prefiro o Dr. Ricardo", ", tem dermatologista?"),
    "en": (", I want the 21st", ", I would prefer Dr. Ricardo", ", any dermatologist?"),
}


@pytest.mark.parametrize("language", ["pt", "en"])
def test_what_is_on_the_table_is_let_go_for_any_reason(language: str) -> None:
    for state, reason, act in product(STATES[language], REASONS[language], ACTS[language]):
        desk = Desk.open(consent_given=False)
        desk.say(state)
        if answer(reason + act) is False:
            continue  # a plain no, which is answered as one
        plan = desk.say(reason + act)
        assert (plan.topic, plan.steps) == (Topic.LET_GO, ()), (state, reason + act)
        assert desk.session.proposal is None


@pytest.mark.parametrize("language", ["pt", "en"])
def test_what_is_asked_behind_it_goes_on(language: str) -> None:
    for act, asked in product(ACTS[language][:3], ASKED_BEHIND[language]):
        desk = Desk.open(consent_given=False)
        desk.say(STATES[language][0])
        plan = desk.say(act + asked)
        assert plan.topic is not Topic.LET_GO, act + asked
        assert plan.steps, act + asked


YESES = {
    "pt": ("sim", "sim, por favor", "pode marcar", "quero sim", "confirmado", "isso, marca"),
    "en": ("yes", "yes please", "yes, book it", "yep, go ahead", "confirmed", "that works"),
}
SETTLES_NOTHING = {
    "pt": (
        "devo parar de tomar o remédio antes?",
        "preciso parar meu creme de acne?",
        "como chego aí de metrô?",
        "posso levar meu marido junto?",
        "vocês mandam lembrete?",
        "me avisa se abrir algo antes",
        "minha filha vai me levar",
        "tô meio nervoso",
        "moro pertinho",
        "e depois me mostra um dermatologista",
    ),
    "en": (
        "should I stop taking my pills?",
        "should I stop using my acne cream before going?",
        "how do I get there by metro?",
        "can my husband come along?",
        "do you send a reminder?",
        "let me know if anything opens up earlier",
        "my daughter will drive me",
        "I am a bit nervous",
        "I live just around the corner",
        "and then find me a dermatologist",
    ),
}
CORRECTS = {
    "pt": (
        "mas de manhã",
        "mas minha filha vai me levar",
        "se aceitar Unimed",
        "se minha filha puder me levar",
        "só que às 11",
        "desde que seja barato",
        "às 15h",
        "na segunda",
        "pra minha mãe",
        "com outro médico",
        "mais tarde",
        "tem algo antes?",
        "aceita meu plano?",
        "vou ver com a minha esposa",
        "minha filha me leva, menos sexta",
        "devo parar o remédio? se sim, cancela",
        "devo tomar o remédio? e põe às 15h",
        "não, espera",
    ),
    "en": (
        "but in the morning",
        "but my daughter will drive me",
        "if they take Unimed",
        "if my daughter can drive me",
        "only at 11",
        "as long as it is cheap",
        "at 3pm",
        "on Monday",
        "for my mother",
        "with another doctor",
        "a bit later",
        "is there anything sooner?",
        "do they accept my plan?",
        "I will ask my wife",
        "my daughter will drive me, unless it is Friday",
        "should I stop my pills? if so, cancel",
        "should I take my pills? and make it 3pm",
        "no, wait",
    ),
}
JOINTS = (", ", ". ", "! ")


def _agrees(desk: Desk, utterance: str) -> bool:
    planner, session = OfflinePlanner(), desk.session
    assert session.proposal is not None
    parts = planner.behind_yes(utterance, session, CLINICS, NOW)
    return planner.consent(utterance, session.proposal) is True or parts is not None


@pytest.mark.parametrize("language", ["pt", "en"])
def test_what_settles_nothing_behind_a_yes_leaves_it_a_yes(language: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say(STATES[language][0])
    for yes, joint, behind in product(YESES[language], JOINTS, SETTLES_NOTHING[language]):
        assert _agrees(desk, yes + joint + behind), yes + joint + behind


@pytest.mark.parametrize("language", ["pt", "en"])
def test_a_yes_that_is_limited_or_corrected_is_none(language: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say(STATES[language][0])
    also = [f"{one}. {limit}" for one, limit in product(SETTLES_NOTHING[language][:-1], CORRECTS[language])]
    for yes, joint, behind in product(YESES[language][:2], JOINTS[:2], (*CORRECTS[language], *also)):
        assert not _agrees(desk, yes + joint + behind), yes + joint + behind
