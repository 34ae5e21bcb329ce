"""What is said in between, and how the conversation goes on after it."""

from __future__ import annotations

import pytest

from orchestrator.turn.identity import Language
from orchestrator.turn.plan import PlanKind, Topic
from orchestrator.turn.wish import weekdays_of
from tests.support.sentences import sentences
from tests.unit.planner.desk import FERNANDO, MARINA_COUTO, RICARDO, Desk, calls

LIST, BOOK, CANCEL, MOVE = ("list_available_slots", "book_appointment", "cancel_appointment", "reschedule_appointment")


def with_fernando(language: Language = Language.PT, *, consent_given: bool = True) -> Desk:
    desk = Desk.open(language, consent_given=consent_given)
    desk.say("marca com o Dr. Fernando dia 18 às 10h", *([] if consent_given else ["sim"]))
    return desk


def actions(desk: Desk, text: str) -> list[str]:
    return [action for _, action, _ in calls(desk.say(text))]


@pytest.mark.parametrize("text", sentences("asides.txt", "ones own appointments are those of the conversation"))
def test_ones_own_appointments_are_those_of_the_conversation(text: str) -> None:
    none = Desk.open().say(text)
    assert (none.kind, none.topic) == (PlanKind.CLARIFY, Topic.NO_APPOINTMENTS)
    own = with_fernando().say(text)
    assert (own.kind, own.topic, len(own.choices)) == (PlanKind.CLARIFY, Topic.MY_APPOINTMENTS, 1)


def test_an_appointment_is_chosen_by_its_row_after_they_were_shown() -> None:
    desk = with_fernando()
    desk.say("marca com o Dr. Ricardo dia 23 às 8h", "quais são as minhas consultas?")
    ((_, action, given),) = calls(desk.say("cancela a 2"))
    assert (action, given["doctor"]) == (CANCEL, RICARDO)


@pytest.mark.parametrize(
    "text",
    [
        "não vou conseguir ir na consulta",
        "infelizmente vou ter que faltar",
        "apareceu um compromisso, não dá pra ir",
        "I can't make it",
        "something came up, I won't be able to come",
    ],
)
def test_who_cannot_come_is_asked_whether_to_cancel_or_move(text: str) -> None:
    for answer, expected in (("cancelar", CANCEL), ("cancel it", CANCEL), ("remarca pra sábado às 14h", MOVE)):
        desk = with_fernando()
        asked = desk.say(text)
        assert (asked.kind, asked.topic, asked.steps) == (PlanKind.CLARIFY, Topic.ASK_CHANGE, ())
        assert actions(desk, answer) == [expected]


def test_a_new_day_alone_answers_the_question_what_to_do() -> None:
    desk = with_fernando()
    desk.say("não vou poder ir")
    ((_, action, given),) = calls(desk.say("sábado às 14h"))
    assert (action, given["new_date"]) == (MOVE, "2025-07-19")


def test_which_appointment_cannot_be_kept_is_remembered() -> None:
    desk = with_fernando()
    desk.say("marca com o Dr. Ricardo dia 21 às 9h", "não vou conseguir ir na de sexta")
    ((_, _, given),) = calls(desk.say("cancela"))
    assert given["doctor"] == FERNANDO
    desk = Desk.open()
    desk.say("não consigo comparecer na consulta do Dr. Ricardo, dia 21 às 9h")
    assert calls(desk.say("pode cancelar")) == [
        ("clinic_a", CANCEL, {"doctor": RICARDO, "date": "2025-07-21", "time": "09:00"})
    ]


def test_a_day_that_does_not_suit_while_choosing_is_only_left_out() -> None:
    desk = Desk.open()
    listed = desk.say("quero um cardiologista", "não consigo ir na sexta")
    assert weekdays_of(listed.wish.filter) == {4}
    assert actions(desk, "na segunda") == [LIST, LIST]


@pytest.mark.parametrize("text", sentences("asides.txt", "what only the desk knows is said so"))
def test_what_only_the_desk_knows_is_said_so(text: str) -> None:
    plan = Desk.open().say(text)
    assert (plan.kind, plan.topic, plan.steps) == (PlanKind.CLARIFY, Topic.CLINIC_MATTERS, ())


@pytest.mark.parametrize("text", sentences("asides.txt", "what clinics state of themselves is asked of them"))
def test_what_clinics_state_of_themselves_is_asked_of_them(text: str) -> None:
    plan = Desk.open().say(text)
    assert (plan.kind, plan.topic, plan.steps) == (PlanKind.CLARIFY, Topic.CLINIC_FACTS, ())


def test_a_request_is_not_hidden_by_a_question_about_insurance() -> None:
    assert actions(Desk.open(), "aceitam convênio? quero marcar um ortopedista") == [LIST, LIST]


@pytest.mark.parametrize(
    ("text", "answer", "steps"),
    [
        ("cardiologista dia 31/02", "dia 18", [("clinic_a", LIST, {}), ("clinic_c", LIST, {})]),
        ("marca com o Dr. Ricardo dia 30 de fevereiro às 9h", "dia 21", [("clinic_a", LIST, {"doctor": RICARDO})]),
        ("dermatologist on June 31st", "July 21", [("clinic_b", LIST, {}), ("clinic_f", LIST, {})]),
    ],
)
def test_a_day_that_no_calendar_has_is_said_and_asked_again(text: str, answer: str, steps: list[object]) -> None:
    desk = Desk.open()
    asked = desk.say(text)
    assert (asked.kind, asked.topic, asked.steps) == (PlanKind.CLARIFY, Topic.NO_SUCH_DAY, ())
    assert calls(desk.say(answer)) == steps


def test_a_move_to_a_day_that_no_calendar_has_goes_on() -> None:
    desk = with_fernando()
    assert desk.say("remarca para 31/06 às 14h").topic is Topic.NO_SUCH_DAY
    ((_, action, given),) = calls(desk.say("dia 19 às 14h"))
    assert (action, given["new_date"]) == (MOVE, "2025-07-19")
    assert desk.say("cancela a do dia 31/02").topic is Topic.NO_SUCH_DAY


@pytest.mark.parametrize(
    ("request_", "aside", "action"),
    [
        ("marca com o Dr. Ricardo dia 21 às 9h", "quanto custa?", BOOK),
        ("cancela minha consulta", "tem multa?", CANCEL),
        ("remarca para sábado às 14h", "o que você faz?", MOVE),
    ],
)
def test_a_yes_after_an_aside_proposes_the_same_again(request_: str, aside: str, action: str) -> None:
    desk = with_fernando(consent_given=False)
    proposed = desk.say(request_)
    assert desk.say(aside).steps == ()
    again = desk.say("sim")
    assert calls(again) == calls(proposed)
    assert [step.action for step in again.steps] == [action]
    assert len(desk.session.receipts) == 1
    desk.say("sim")
    assert len(desk.session.receipts) == 2


def test_an_exchange_is_proposed_again_after_an_aside() -> None:
    desk = with_fernando(consent_given=False)
    proposed = desk.say("troca pelo Dr. Ricardo dia 21 às 9h")
    desk.say("aceitam cartão?")
    again = desk.say("sim")
    assert calls(again) == calls(proposed)
    assert [step.after for step in again.steps] == [None, 1]


def test_a_no_after_an_aside_forgets_the_proposal() -> None:
    desk = with_fernando(consent_given=False)
    desk.say("cancela minha consulta", "tem multa?", "não")
    assert desk.say("sim").steps == ()


def test_a_question_is_gone_on_with_after_an_aside() -> None:
    desk = Desk.open()
    desk.say("horários da dra. Marina", "quanto custa?", "obrigada")
    assert calls(desk.say("a Couto")) == [("clinic_f", LIST, {"doctor": MARINA_COUTO})]


@pytest.mark.parametrize(
    "before", [("quero marcar",), ("quero um cardiologista",), ("quero cancelar",), ("horários da Marina",)]
)
@pytest.mark.parametrize("text", ["o que você consegue fazer?", "what can you do?", "ajuda"])
def test_help_is_given_while_a_question_is_open(before: tuple[str], text: str) -> None:
    desk = Desk.open()
    desk.say(*before)
    plan = desk.say(text)
    assert (plan.kind, plan.topic) == (PlanKind.SMALLTALK, Topic.HELP)


@pytest.mark.parametrize(
    ("correction", "day", "at"),
    [
        ("não, melhor o segundo", "2025-07-19", "14:00"),
        ("na verdade o último", "2025-07-25", "08:30"),
        ("actually, the third one", "2025-07-21", "09:00"),
        ("não, o do Ricardo às 10:30", "2025-07-21", "10:30"),
    ],
)
def test_a_proposal_is_corrected_by_pointing_at_another_row(correction: str, day: str, at: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero um cardiologista", "o primeiro")
    ((_, action, given),) = calls(desk.say(correction))
    assert (action, given["date"], given["time"]) == (BOOK, day, at)


def test_a_time_that_corrects_a_proposed_move_is_on_the_proposed_day() -> None:
    desk = with_fernando(consent_given=False)
    desk.say("remarca para sábado às 14h")
    ((_, action, given),) = calls(desk.say("não, melhor às 15h"))
    assert (action, given["new_date"], given["new_time"]) == (MOVE, "2025-07-19", "15:00")
