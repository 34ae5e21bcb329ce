"""A card that moves a visit is corrected in plain words: another visit, another hour or day, or none at all."""

from collections.abc import Mapping
from datetime import date, time

import pytest

from orchestrator import turn
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import Appointment, Language, Topic
from tests.unit.planner.desk import FERNANDO, GUSTAVO, MARINA_TELES, RICARDO, Desk

HEART = Appointment("clinic_a", RICARDO, date(2025, 7, 22), time(15))
SKIN = Appointment("clinic_b", MARINA_TELES, date(2025, 7, 24), time(9))
BONE = Appointment("clinic_d", GUSTAVO, date(2025, 7, 29), time(16))
TO = (date(2025, 7, 21), time(9))
MOVE = {
    Language.PT: "muda a consulta com o Dr. Ricardo Lopes pro dia 21 às 9h",
    Language.EN: "move my appointment with Dr. Ricardo Lopes to July 21 at 9am",
}

OTHER: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "a outra",
        "não, a outra",
        "não essa, a outra consulta",
        "era a outra consulta",
        "consulta errada, é a outra",
    ),
    Language.EN: ("the other one", "no, the other appointment", "not this one, the other", "I meant the other visit"),
}
SKIN_NAMED: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("a da Dra. Marina Teles", "a de pele", "a consulta do dermatologista", "minha dermatologista"),
    Language.EN: ("the one with Dr. Teles", "the skin one", "my dermatologist", "my clinic B appointment"),
}
NAMING: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "não, {visit}",
        "não essa, {visit}",
        "quis dizer {visit}",
        "consulta errada, é {visit}",
        "na verdade {visit}",
    ),
    Language.EN: ("no, {visit}", "I meant {visit}", "wrong one, it's {visit}", "no, it's {visit} I want to move"),
}
SAME_DAY: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "não, mantém o dia e muda só a hora",
        "o dia tá bom, o horário não",
        "muda só a hora",
        "fica no mesmo dia, troca a hora",
    ),
    Language.EN: (
        "keep the day, change the hour",
        "the day is fine, the time isn't",
        "just change the time",
        "right day, wrong time",
        "the day works but not the time",
    ),
}
UNSUITED: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("não posso nesse dia", "esse dia não rola", "esse horário não dá", "não gostei desse horário"),
    Language.EN: ("that day doesn't work", "oh no, not that day", "not that time", "I don't like that time"),
}
STAYS: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("fica com o horário antigo", "mantém a de antes", "deixa no dia que estava"),
    Language.EN: ("leave it on the original day", "keep the old one", "stick with the original time"),
}
ASKED: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "qual era o horário antigo?",
        "que dia era antes?",
        "eu perco o horário antigo?",
        "é a consulta de qual médico?",
    ),
    Language.EN: (
        "what was the old time?",
        "what day was it before?",
        "do I lose the old slot?",
        "which appointment is that?",
    ),
}
SAME_HOUR: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("mantém a hora e muda só o dia", "o horário tá bom, o dia não", "essa hora pode ser, mas outro dia"),
    Language.EN: (
        "keep the time and change the day",
        "the time is fine, the day isn't",
        "that hour works, but another day",
    ),
}
GIVEN_BACK: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "melhor cancelar a consulta",
        "melhor cancelar de vez",
        "na verdade cancela a consulta",
        "não, quero desmarcar a consulta",
    ),
    Language.EN: (
        "actually cancel the appointment",
        "no, I want to cancel my visit",
        "better to cancel altogether",
        "I'd rather cancel the appointment",
    ),
}


def at_card(language: Language, *held: Appointment) -> Desk:
    desk = Desk.holding(language, *held)
    desk.say(MOVE[language])
    assert desk.session.proposal is not None
    return desk


def visit_moved(plan: turn.Plan) -> tuple[str, ...] | None:
    """The visit that a plan goes on to move, by doctor and day."""
    known = plan.question.known if plan.question is not None else {}
    return (known["doctor"], known["original_date"]) if "original_date" in known else None


@pytest.mark.parametrize("language", Language)
def test_another_visit_than_that_of_the_card_is_moved_where_it_is_meant(language: Language) -> None:
    said = [*OTHER[language], *(one.format(visit=name) for one in NAMING[language] for name in SKIN_NAMED[language])]
    plans = {text: at_card(language, HEART, SKIN).say(text) for text in said}
    wrong = [text for text, plan in plans.items() if plan.writes or visit_moved(plan) != (MARINA_TELES, "2025-07-24")]
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_of_three_visits_it_is_asked_which_other_one(language: Language) -> None:
    plan = at_card(language, HEART, SKIN, BONE).say(OTHER[language][0])
    assert (plan.topic, len(plan.question.choices if plan.question else ())) == (Topic.ASK_WHICH_APPOINTMENT, 2)


@pytest.mark.parametrize("language", Language)
def test_the_day_or_the_hour_of_the_card_stays_where_only_the_other_is_wrong(language: Language) -> None:
    wrong = []
    for text in (*SAME_DAY[language], *SAME_HOUR[language]):
        plan = at_card(language, HEART, SKIN).say(text)
        axis = turn.Axis.DAY if text in SAME_DAY[language] else turn.Axis.TIME
        fits = [turn.fits(plan.wish.widest, Appointment("clinic_a", RICARDO, *one)) for one in AROUND[axis]]
        wrong += [] if visit_moved(plan) == (RICARDO, "2025-07-22") and fits == [False, True, False] else [text]
    assert wrong == []


AROUND = {  # the slot of the card, one that keeps what is right of it, and one that does not
    turn.Axis.DAY: (TO, (TO[0], time(10, 30)), (date(2025, 7, 23), time(10, 30))),
    turn.Axis.TIME: (TO, (date(2025, 7, 23), TO[1]), (date(2025, 7, 23), time(10, 30))),
}


@pytest.mark.parametrize("language", Language)
def test_the_visit_of_the_card_is_given_back_where_it_is_to_be_cancelled(language: Language) -> None:
    for text in GIVEN_BACK[language]:
        plan = at_card(language, HEART, SKIN).say(text)
        assert [(one.action, one.given_back) for one in plan.steps] == [(turn.CANCEL, HEART)], text


@pytest.mark.parametrize("language", Language)
def test_a_day_or_an_hour_that_does_not_suit_shows_others_of_the_same_visit(language: Language) -> None:
    for text in UNSUITED[language]:
        desk = at_card(language, HEART, SKIN)
        assert desk.session.proposal is not None
        assert OfflinePlanner().consent(text, desk.session.proposal) is None
        plan = desk.say(text)
        assert visit_moved(plan) == (RICARDO, "2025-07-22"), text
        assert not turn.fits(plan.wish.widest, Appointment("clinic_a", RICARDO, *TO)), text


@pytest.mark.parametrize("language", Language)
def test_a_visit_that_is_to_stay_where_it_was_is_left_there(language: Language) -> None:
    for text in STAYS[language]:
        plan = at_card(language, HEART, SKIN).say(text)
        assert not plan.steps, text
        assert plan.topic in {Topic.NOTHING_DONE, Topic.LET_GO}, text


@pytest.mark.parametrize("language", Language)
def test_a_question_about_the_visit_of_the_card_looks_for_no_openings(language: Language) -> None:
    for text in ASKED[language]:
        plan = at_card(language, HEART, SKIN).say(text)
        assert not any(step.action == turn.LIST for step in plan.steps), text
        assert plan.topic is not Topic.ASK_SPECIALTY, text


@pytest.mark.parametrize(("language", "said"), [(Language.PT, "não, terça"), (Language.EN, "no, Tuesday")])
def test_the_weekday_that_the_visit_has_now_is_a_correction_too(language: Language, said: str) -> None:
    plan = at_card(language, HEART, SKIN).say(said)
    assert not plan.writes
    assert visit_moved(plan) == (RICARDO, "2025-07-22")


NOT_HELD: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "a da Dra. Sílvia Antunes",
        "a consulta com o Dr. Fernando Mendes",
        "a de sexta",
        "a do dia 30",
        "a das 11h45",
    ),
    Language.EN: (
        "the one with Dr. Antunes",
        "my appointment with Dr. Fernando Mendes",
        "the Friday one",
        "the 11:45 one",
    ),
}
CHANGES: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "muda {visit} pra quarta",
        "joga {visit} pra quarta",
        "tem como passar {visit} pra quarta?",
        "desmarca {visit}",
    ),
    Language.EN: (
        "move {visit} to Wednesday",
        "can you push {visit} to Wednesday?",
        "change {visit} to Wednesday",
        "cancel {visit}",
    ),
}


@pytest.mark.parametrize("held", [(HEART,), (HEART, SKIN)])
@pytest.mark.parametrize("language", Language)
def test_a_visit_that_nobody_holds_is_said_to_be_none_and_no_other_is_changed(
    language: Language, held: tuple[Appointment, ...]
) -> None:
    wrong = []
    for text in (one.format(visit=visit) for one in CHANGES[language] for visit in NOT_HELD[language]):
        plan = Desk.holding(language, *held).say(text)
        wrong += [] if not plan.steps and plan.note is Topic.NO_SUCH_APPOINTMENT else [text]
    assert wrong == []


assert FERNANDO not in {HEART.doctor, SKIN.doctor, BONE.doctor}
