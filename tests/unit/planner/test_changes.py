"""Moving and giving back appointments."""

from __future__ import annotations

import pytest

from orchestrator.turn.identity import Language
from orchestrator.turn.plan import PlanKind, Topic
from orchestrator.turn.wish import spans_of
from tests.support.sentences import rows, sentences
from tests.unit.planner.desk import FERNANDO, MARINA_TELES, RICARDO, Call, Desk, calls

FERNANDO_18 = {"doctor": FERNANDO, "date": "2025-07-18", "time": "10:00"}
CANCEL_FERNANDO = [("clinic_c", "cancel_appointment", FERNANDO_18)]


def moved(day: str, at: str) -> list[Call]:
    return [
        (
            "clinic_c",
            "reschedule_appointment",
            {
                "original_date": "2025-07-18",
                "original_time": "10:00",
                "doctor": FERNANDO,
                "new_date": day,
                "new_time": at,
            },
        )
    ]


def with_fernando(language: Language = Language.PT, *, consent_given: bool = True) -> Desk:
    """A conversation in which Dr. Fernando was booked for Friday the 18th at ten."""
    desk = Desk.open(language, consent_given=consent_given)
    desk.say("marca com o Dr. Fernando dia 18 às 10h", *([] if consent_given else ["sim"]))
    return desk


@pytest.mark.parametrize("text", sentences("changes.txt", "the appointment of the conversation is cancelled"))
def test_the_appointment_of_the_conversation_is_cancelled(text: str) -> None:
    assert calls(with_fernando().say(text)) == CANCEL_FERNANDO


@pytest.mark.parametrize(("text", "day", "at"), rows("changes.txt", "the appointment of the conversation is moved"))
def test_the_appointment_of_the_conversation_is_moved(text: str, day: str, at: str) -> None:
    assert calls(with_fernando().say(text)) == moved(day, at)


def test_a_move_without_a_certain_target_lists_the_doctors_openings_and_goes_on() -> None:
    for answer in ("às 8:30", "o último", "o terceiro", "dia 25 às 8h30"):
        desk = with_fernando()
        desk.session = desk.session.__class__(desk.session.identity, receipts=desk.session.receipts)
        listed = desk.say("quero remarcar")
        assert calls(listed) == [("clinic_c", "list_available_slots", {"doctor": FERNANDO})]
        assert calls(desk.say(answer)) == moved("2025-07-25", "08:30")


def test_a_weekday_before_the_appointment_may_be_the_one_after_it() -> None:
    desk = Desk.open()
    listed = desk.say("marca com o Dr. Ricardo dia 21 às 9h", "muda pra quarta às 8")
    assert [(span.first.day, span.last.day) for span in spans_of(listed.wish.chain[0])] == [(16, 16), (23, 23)]
    assert calls(listed) == [("clinic_a", "list_available_slots", {"doctor": RICARDO})]
    ((_, action, parameters),) = calls(desk.say("pode ser"))
    assert (action, parameters["new_date"], parameters["new_time"]) == ("reschedule_appointment", "2025-07-23", "08:00")


def test_a_move_that_is_done_is_not_gone_on_with() -> None:
    desk = with_fernando()
    desk.say("quero remarcar", "dia 19 às 14h", "horários do Dr. Fernando")
    assert calls(desk.say("o último")) == [
        ("clinic_c", "book_appointment", {"doctor": FERNANDO, "date": "2025-07-25", "time": "08:30"})
    ]


def test_several_appointments_are_asked_about() -> None:
    desk = with_fernando()
    desk.say("marca com a Marina Teles dia 17 às 9h")
    asked = desk.say("quero cancelar")
    assert (asked.kind, asked.topic, len(asked.choices)) == (PlanKind.CLARIFY, Topic.ASK_WHICH_APPOINTMENT, 2)
    assert calls(desk.say("a do Fernando")) == CANCEL_FERNANDO
    assert calls(desk.say("quero cancelar")) == [
        ("clinic_b", "cancel_appointment", {"doctor": MARINA_TELES, "date": "2025-07-17", "time": "09:00"})
    ]


@pytest.mark.parametrize("text", ["a primeira", "1", "a de sexta", "a do dia 18", "a da cardiologia"])
def test_one_of_several_appointments_is_named_in_many_ways(text: str) -> None:
    desk = with_fernando()
    desk.say("marca com a Marina Teles dia 17 às 9h", "quero cancelar")
    assert calls(desk.say(text)) == CANCEL_FERNANDO


def test_a_weekday_that_may_be_a_row_cancels_nothing() -> None:
    desk = Desk.open()
    desk.say("marca com o Ricardo Lopes dia 21 às 9h", "marca com a Marina Teles dia 17 às 9h", "cancelar")
    assert desk.say("a segunda").topic is Topic.ASK_WHICH_APPOINTMENT


def test_all_appointments_are_cancelled_at_once() -> None:
    desk = with_fernando()
    desk.say("marca com a Marina Teles dia 17 às 9h")
    assert [action for _, action, _ in calls(desk.say("cancela tudo"))] == ["cancel_appointment"] * 2


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            "cancelar minha consulta com o Dr. Ricardo Lopes dia 21/07 às 9h",
            [("clinic_a", "cancel_appointment", {"doctor": RICARDO, "date": "2025-07-21", "time": "09:00"})],
        ),
        (
            "remarcar a consulta com o Dr. Ricardo do dia 21 às 9h para dia 23 às 8h",
            [
                (
                    "clinic_a",
                    "reschedule_appointment",
                    {
                        "original_date": "2025-07-21",
                        "original_time": "09:00",
                        "doctor": RICARDO,
                        "new_date": "2025-07-23",
                        "new_time": "08:00",
                    },
                )
            ],
        ),
    ],
)
def test_an_appointment_of_another_day_is_changed_when_named_in_full(text: str, steps: list[Call]) -> None:
    assert calls(Desk.open().say(text)) == steps


def test_what_is_missing_of_an_unknown_appointment_is_asked_for_bit_by_bit() -> None:
    desk = Desk.open()
    for text in ("quero cancelar", "é com a dra. Marina Teles", "dia 17"):
        asked = desk.say(text)
        assert (asked.kind, asked.topic) == (PlanKind.CLARIFY, Topic.ASK_APPOINTMENT)
    assert calls(desk.say("às 9h")) == [
        ("clinic_b", "cancel_appointment", {"doctor": MARINA_TELES, "date": "2025-07-17", "time": "09:00"})
    ]


@pytest.mark.parametrize("answer", ["a primeira", "Teles", "1"])
def test_which_of_two_doctors_is_asked_and_the_change_goes_on(answer: str) -> None:
    desk = Desk.open()
    asked = desk.say("cancelar a consulta com a dra. Marina, dia 17 às 9h")
    assert (asked.topic, len(asked.choices)) == (Topic.ASK_WHICH_DOCTOR, 2)
    assert calls(desk.say(answer)) == [
        ("clinic_b", "cancel_appointment", {"doctor": MARINA_TELES, "date": "2025-07-17", "time": "09:00"})
    ]
    desk = Desk.open()
    desk.say("remarcar a consulta com a dra. Marina do dia 17 às 9h para o dia 22 às 10h")
    ((_, action, given),) = calls(desk.say(answer))
    assert (action, given["doctor"], given["new_date"]) == ("reschedule_appointment", MARINA_TELES, "2025-07-22")


def test_the_new_slot_is_kept_while_the_old_one_is_asked_for() -> None:
    desk = Desk.open()
    assert desk.say("remarcar minha consulta para dia 19 às 14h").topic is Topic.ASK_APPOINTMENT
    assert calls(desk.say("é com o Dr. Fernando, dia 18 às 10h")) == moved("2025-07-19", "14:00")


@pytest.mark.parametrize("text", ["dá pra remarcar pra quinta?", "remarcar", "cancelar", "desmarca aí pra mim"])
def test_without_an_appointment_nothing_is_changed(text: str) -> None:
    plan = Desk.open().say(text)
    assert (plan.kind, plan.steps) == (PlanKind.CLARIFY, ())


@pytest.mark.parametrize("text", sentences("changes.txt", "a denial or a question changes nothing"))
def test_a_denial_or_a_question_changes_nothing(text: str) -> None:
    assert with_fernando().say(text).steps == ()


def test_a_target_in_the_past_is_not_moved_to() -> None:
    assert with_fernando().say("remarcar para ontem às 10h").topic is Topic.MOMENT_IN_PAST


def test_cancelling_an_open_proposal_drops_it() -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Dr. Fernando dia 18 às 10h")
    assert desk.say("cancela").topic is Topic.NOTHING_DONE
    assert desk.session.proposal is None


def test_a_slot_of_another_doctor_is_booked_before_the_appointment_is_given_back() -> None:
    plan = with_fernando().say("quero mudar para o Dr. Ricardo dia 21 às 9h")
    booking = ("clinic_a", "book_appointment", {"doctor": RICARDO, "date": "2025-07-21", "time": "09:00"})
    assert calls(plan) == [booking, *CANCEL_FERNANDO]
    assert [step.after for step in plan.steps] == [None, 1]


@pytest.mark.parametrize(
    "text", ["não, melhor às 14h do dia 19", "na verdade prefiro sábado às 14h", "wait, make it Saturday at 2 PM"]
)
def test_a_correction_right_after_a_booking_moves_it(text: str) -> None:
    assert calls(with_fernando().say(text)) == moved("2025-07-19", "14:00")
    desk = with_fernando()
    desk.say("quero um dermatologista")
    assert all(action != "reschedule_appointment" for _, action, _ in calls(desk.say(text)))
