"""A card that is refused is let go, whatever reason is told: what one does then, or what others arranged for one."""

from itertools import product

import pytest

from orchestrator import turn
from orchestrator.turn import LIST, Language, PlanKind
from tests.unit.planner.desk import Desk

_REFUSALS = {
    Language.EN: ("I can't make that one", "I can't do that day", "that doesn't work for me", "no good for me"),
    Language.PT: ("essa não dá", "nesse dia não posso", "não vai dar pra mim", "não posso nessa"),
}
_REASONS = {
    Language.EN: (
        "they've scheduled a training on Friday",
        "my boss moved our meeting to that day",
        "work organised an audit on Friday",
        "my exam was moved to Friday",
        "my kids are home on Friday",
        "there is a parents evening that day",
    ),
    Language.PT: (
        "marcaram um treinamento na sexta",
        "a firma marcou auditoria na sexta",
        "meu chefe remarcou a reunião pra esse dia",
        "me escalaram na sexta",
        "meus filhos ficam em casa na sexta",
        "é meu plantão na sexta",
    ),
}
_CARD = {Language.EN: ("a cardiologist on Friday", "1"), Language.PT: ("cardiologista na sexta", "1")}
_ORDERS = ("{refusal}, {reason}", "{refusal}. {reason}", "{reason}, {refusal}", "{reason} - {refusal}")


def _with_card(language: Language) -> Desk:
    desk = Desk.open(language, consent_given=False)
    desk.say(*_CARD[language])
    assert desk.session.proposal is not None
    return desk


@pytest.mark.parametrize("language", Language)
def test_a_refused_card_is_let_go_whatever_reason_is_told(language: Language) -> None:
    for refusal, reason, order in product(_REFUSALS[language], _REASONS[language], _ORDERS):
        desk, said = _with_card(language), order.format(refusal=refusal, reason=reason)
        plan = desk.say(said)
        assert desk.session.proposal is None, said
        assert {step.action for step in plan.steps} <= {LIST}, said


@pytest.mark.parametrize(
    "said",
    [
        *("my wife booked an appointment for Friday", "they booked me with Dr Fernando on Friday"),
        *("minha filha marcou uma consulta na sexta", "minha mulher marcou o cardiologista na sexta"),
    ],
)
def test_a_visit_that_others_arranged_is_no_obligation_beside_it(said: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("cardiologista na sexta")
    assert desk.say(said).steps[0].taken == desk.session.offers[0].slot


_PLAINLY = {
    Language.EN: ("no", "that's not gonna work", "can't", "ugh can't do that", "afraid not", "not that one"),
    Language.PT: ("não", "ih, não dá", "nesse não posso", "puts não consigo", "esse horário me complica"),
}
_OBLIGATIONS = {
    Language.EN: (
        *("I have a dentist appointment", "I need to drop the kids off", "my boss won't let me off"),
        *("I'm at the gym then", "it's my son's birthday", "traffic is awful at that hour"),
    ),
    Language.PT: (
        *("tenho dentista", "tenho que levar minha mãe no médico", "vou estar na academia"),
        *("é hora de buscar as crianças", "meu chefe não libera", "viajo nesse dia"),
    ),
}
_WAYS = {
    Language.EN: ("{refusal}, {reason}", "{refusal} because {reason}", "{reason}, {refusal}"),
    Language.PT: ("{refusal}, {reason}", "{refusal} pq {reason}", "{reason}, {refusal}"),
}


@pytest.mark.parametrize("language", Language)
def test_a_plain_obligation_beside_a_refusal_is_neither_answered_nor_doubted(language: Language) -> None:
    wrong = []
    for refusal, reason, way in product(_PLAINLY[language], _OBLIGATIONS[language], _WAYS[language]):
        desk, said = _with_card(language), way.format(refusal=refusal, reason=reason)
        refused = desk.session.offers[0].slot
        plan = desk.say(said)
        listed = {step.action for step in plan.steps} == {LIST}
        if desk.session.proposal or not listed or refused in [one.slot for one in desk.session.offers]:
            wrong.append(said)
    assert wrong == []


@pytest.mark.parametrize("said", ["não dá, estou com dor no peito", "can't, my chest hurts and I can't breathe"])
def test_a_danger_beside_a_refusal_is_heard(said: str) -> None:
    desk = _with_card(Language.EN if "chest" in said else Language.PT)
    assert desk.say(said).kind is PlanKind.EMERGENCY


_UNSUITED = {
    Language.EN: (
        "that day doesn't work",
        "not that day",
        "I can't do that day",
        "that time is no good",
        "not that time",
    ),
    Language.PT: (
        "nesse dia não dá",
        "não posso nesse dia",
        "esse dia não rola",
        "esse horário não dá",
        "nesse horário não posso",
    ),
}


@pytest.mark.parametrize("language", Language)
def test_where_only_the_day_or_the_hour_does_not_suit_others_are_shown(language: Language) -> None:
    for said in _UNSUITED[language]:
        desk = _with_card(language)
        slot = desk.session.proposal.plan.steps[0].taken if desk.session.proposal is not None else None
        assert slot is not None
        desk.say(said)
        assert desk.session.offers, said
        assert not [one for one in desk.session.offers if turn.fits(_same(slot, said), one.slot)], said


def _same(slot: turn.Appointment, said: str) -> turn.Filter:
    if "day" in said or "dia" in said:
        return turn.OnDates((turn.DateRange(slot.date, slot.date),))
    return turn.AtTimes((turn.TimeRange(slot.time, slot.time),))
