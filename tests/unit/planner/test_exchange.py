"""Moving to another doctor or clinic: the new slot first, the old appointment after it, both in one plan."""

from __future__ import annotations

import pytest

from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, Topic
from tests.unit.planner.desk import FERNANDO, GUSTAVO, RICARDO, Desk, calls

OLD = ("clinic_c", "cancel_appointment", {"doctor": FERNANDO, "date": "2025-07-18", "time": "10:00"})


def with_fernando(language: Language = Language.PT, *, consent_given: bool = True) -> Desk:
    desk = Desk.open(language, consent_given=consent_given)
    desk.say("marca com o Dr. Fernando dia 18 às 10h", *([] if consent_given else ["sim"]))
    return desk


def exchanged(plan: Plan, doctor: str, day: str, at: str) -> bool:
    """Whether a plan books this slot and then gives the old appointment back."""
    taking, giving = calls(plan)
    slot = {"doctor": doctor, "date": day, "time": at}
    return (taking[1:], giving, [step.after for step in plan.steps]) == (("book_appointment", slot), OLD, [None, 1])


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("troca pelo Dr. Ricardo, dia 21 às 9h", Language.PT),
        ("quero remarcar para o Ricardo Lopes na segunda que vem às nove da manhã", Language.PT),
        ("remarcar a consulta com o Dr. Fernando para o Dr. Ricardo dia 21 às 9h", Language.PT),
        ("move it to Dr. Ricardo on July 21 at 9 AM", Language.EN),
        ("could I see Dr. Ricardo on July 21 at 9 AM instead", Language.EN),
    ],
)
def test_a_slot_of_another_doctor_takes_the_place_of_the_appointment(text: str, language: Language) -> None:
    assert exchanged(with_fernando(language).say(text), RICARDO, "2025-07-21", "09:00")


@pytest.mark.parametrize(
    ("texts", "listed"),
    [
        (("quero mudar para o Dr. Ricardo", "o segundo"), ["clinic_a"]),
        (("prefiro remarcar na clínica A", "segunda às 10:30"), ["clinic_a"]),
        (("quero trocar de clínica", "às 10:30"), ["clinic_a"]),
        (("quero trocar de médico", "o do Ricardo às 10:30"), ["clinic_a"]),
        (("can I switch to another doctor?", "Monday at 10:30"), ["clinic_a"]),
    ],
)
def test_what_is_not_certain_is_chosen_from_the_openings_there(texts: tuple[str, str], listed: list[str]) -> None:
    desk = with_fernando()
    first = desk.say(texts[0])
    assert [(clinic, action) for clinic, action, _ in calls(first)] == [(one, "list_available_slots") for one in listed]
    assert exchanged(desk.say(texts[1]), RICARDO, "2025-07-21", "10:30")


def test_another_specialty_may_take_its_place() -> None:
    desk = with_fernando()
    assert [clinic for clinic, _, _ in calls(desk.say("troca minha consulta por um ortopedista"))] == [
        "clinic_d",
        "clinic_e",
    ]
    assert exchanged(desk.say("o primeiro"), GUSTAVO, "2025-07-16", "15:00")


def test_both_ends_named_in_full_need_no_conversation() -> None:
    plan = Desk.open().say("trocar a consulta do Dr. Fernando dia 18 às 10h pelo Dr. Ricardo dia 21 às 9h")
    assert exchanged(plan, RICARDO, "2025-07-21", "09:00")


def test_which_of_several_appointments_is_asked_and_the_answer_goes_on() -> None:
    desk = with_fernando()
    desk.say("marca com a Marina Teles dia 17 às 9h")
    assert desk.say("quero trocar pelo Dr. Ricardo dia 21 às 9h").topic is Topic.ASK_WHICH_APPOINTMENT
    assert exchanged(desk.say("a do Fernando"), RICARDO, "2025-07-21", "09:00")


def test_a_correction_keeps_what_was_not_corrected() -> None:
    desk = with_fernando(consent_given=False)
    desk.say("troca pelo Dr. Ricardo, dia 21 às 9h")
    assert exchanged(desk.say("não, melhor às 10:30"), RICARDO, "2025-07-21", "10:30")


@pytest.mark.parametrize("consent", ["sim", "pode remarcar", "pode trocar"])
def test_the_exchange_is_consented_to_as_a_whole(consent: str) -> None:
    desk = with_fernando(consent_given=False)
    desk.say("troca pelo Dr. Ricardo, dia 21 às 9h")
    assert exchanged(desk.say(consent), RICARDO, "2025-07-21", "09:00")
    assert [held.doctor for held in desk.session.appointments] == [RICARDO]


def test_naming_only_one_half_is_no_consent_to_both() -> None:
    desk = with_fernando(consent_given=False)
    desk.say("troca pelo Dr. Ricardo, dia 21 às 9h", "pode cancelar")
    assert [held.doctor for held in desk.session.appointments] == [FERNANDO]


@pytest.mark.parametrize(
    "text", ["quero outra consulta, com o Dr. Ricardo dia 21 às 9h", "marca também com o Ricardo dia 21 às 9h"]
)
def test_another_appointment_leaves_the_first_alone(text: str) -> None:
    assert [action for _, action, _ in calls(with_fernando().say(text))] == ["book_appointment"]
