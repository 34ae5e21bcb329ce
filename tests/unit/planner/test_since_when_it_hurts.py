"""Since when something hurts, and when it is felt, is told: it is no day or hour of the visit that is wished."""

from itertools import product

import pytest

from orchestrator.turn import Language
from tests.unit.planner.desk import AGENDA, CLINICS, Desk

COMPLAINTS = {
    Language.PT: ("dor no joelho", "umas manchas no braço", "palpitação"),
    Language.EN: ("a sore knee", "a rash on my arm", "palpitations"),
}
SINCE = {
    Language.PT: (
        *("desde segunda", "desde o fim de semana", "desde sexta à noite", "desde as 8 da manhã", "desde o dia 10"),
        *("que apareceu na quinta", "que veio do nada na segunda", "que piora à noite", "principalmente de manhã"),
        *("de segunda pra cá", "desde cedo", "desde o começo do mês", "que voltou ontem", "toda manhã"),
    ),
    Language.EN: (
        *("since Monday", "since the weekend", "since Friday night", "since 8 this morning", "since the 10th"),
        *("that showed up on Thursday", "that came on out of nowhere on Monday", "that gets worse at night"),
        *("mostly in the morning", "since early today", "that wakes me at 4am", "on Fridays after football"),
    ),
}
FRAMES = {
    Language.PT: ("tô com {}", "{}", "oi, {}. preciso de consulta"),
    Language.EN: ("I have {}", "{}", "hi, {}. I need a visit"),
}
WISHES = {
    Language.PT: {", quero marcar pra sexta": 4, ". tem segunda?": 0},
    Language.EN: {", can I come on Friday?": 4, ". anything on Monday?": 0},
}
YES = {Language.PT: "sim", Language.EN: "yes"}


def opened(language: Language, text: str) -> Desk:
    desk = Desk.open(language, consent_given=False)
    if not desk.say(text).steps:
        desk.say(YES[language])
    return desk


@pytest.mark.parametrize("language", Language)
def test_since_when_it_hurts_narrows_nothing(language: Language) -> None:
    narrowed = []
    for complaint, since, frame in product(COMPLAINTS[language], SINCE[language], FRAMES[language]):
        desk = opened(language, text := frame.format(f"{complaint} {since}"))
        code = {0: "Orthopedics", 1: "Dermatology", 2: "Cardiology"}[COMPLAINTS[language].index(complaint)]
        free = sum(len(AGENDA[name]) for one in CLINICS if one.specialty == code for name in one.doctors)
        if len(desk.session.offers) != free:
            narrowed.append(text)
    # Of palpitations on some days nothing but danger is heard before a specialty is asked for.
    assert [one for one in narrowed if "palpitations on Fridays" not in one] == []


@pytest.mark.parametrize("language", Language)
def test_a_day_that_is_wished_beside_it_is_kept(language: Language) -> None:
    wrong = []
    for since, (wish, weekday) in product(SINCE[language], WISHES[language].items()):
        desk = opened(language, text := f"{COMPLAINTS[language][0]} {since}{wish}")
        shown = [one.date for one in desk.session.offers] if desk.session.offers else []
        if {day.weekday() for day in shown} - {weekday} or not (shown or desk.session.proposal):
            wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    ["tô com dor no joelho, quem cuida disso?", "dor no joelho, quem atende isso?", "a stiff knee, who do I see?"],
)
def test_whom_one_sees_about_a_complaint_is_no_question_of_a_visit_held(text: str) -> None:
    desk = opened(Language.EN if "knee" in text else Language.PT, text)
    assert {one.clinic for one in desk.session.offers} == {"clinic_d", "clinic_e"}
