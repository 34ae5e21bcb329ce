"""Letting go is one act: of a card, a list or a question, with any reason around it, unless more is asked behind it."""

from __future__ import annotations

from itertools import product

import pytest

from orchestrator.planner.understanding import answer
from orchestrator.turn import Topic
from tests.unit.planner.desk import Desk

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
