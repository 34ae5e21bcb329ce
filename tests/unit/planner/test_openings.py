"""Asking what is free."""

from __future__ import annotations

from datetime import date, time

import pytest

from orchestrator.turn.identity import Language
from orchestrator.turn.opening_filter import Axis, DateRange, TimeRange, axes_of
from orchestrator.turn.plan import PlanKind, Topic
from orchestrator.turn.wish import hours_of, spans_of, weekdays_of
from tests.support.sentences import sentences
from tests.unit.planner.desk import FERNANDO, GUSTAVO, MARINA_COUTO, MARINA_TELES, RICARDO, Call, Desk, calls

LIST = "list_available_slots"
CARDIOLOGY: list[Call] = [("clinic_a", LIST, {}), ("clinic_c", LIST, {})]
DERMATOLOGY: list[Call] = [("clinic_b", LIST, {}), ("clinic_f", LIST, {})]
ORTHOPEDICS: list[Call] = [("clinic_d", LIST, {}), ("clinic_e", LIST, {})]


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("gostaria de passar com um cardiologista", CARDIOLOGY),
        ("aí na clínica tem cardiologista?", CARDIOLOGY),
        ("oi, bom dia! queria um dermato pfv", DERMATOLOGY),
        ("consegue p/ amanha c/ derma?", DERMATOLOGY),
        ("preciso de um médico dos ossos", ORTHOPEDICS),
        ("quero um ortopdeista", ORTHOPEDICS),
        ("find me a dermatologist please", DERMATOLOGY),
        ("any orthopedic openings next week?", ORTHOPEDICS),
        ("cardio e dermato", CARDIOLOGY + DERMATOLOGY),
        ("quero um ortopedista e também um cardio", ORTHOPEDICS + CARDIOLOGY),
        ("both a dermatologist and an orthopedist", DERMATOLOGY + ORTHOPEDICS),
        ("outro cardiologista que não seja o Dr. Ricardo", CARDIOLOGY),
        ("alguém que não seja o Dr. Ricardo", CARDIOLOGY),
    ],
)
def test_a_specialty_is_asked_of_every_clinic_that_has_it(text: str, steps: list[Call]) -> None:
    plan = Desk.open().say(text)
    assert plan.kind is PlanKind.STEPS
    assert calls(plan) == steps
    assert [step.step_id for step in plan.steps] == list(range(1, len(steps) + 1))


@pytest.mark.parametrize(
    ("text", "clinic", "doctor"),
    [
        ("quando o Dr. Ricardo Lopes atende?", "clinic_a", RICARDO),
        ("horários do doutor fernando", "clinic_c", FERNANDO),
        ("I'd like to see Dr. Mendes", "clinic_c", FERNANDO),
        ("quero marcar com o gustavo rezende", "clinic_d", GUSTAVO),
    ],
)
def test_a_doctor_is_asked_of_their_clinic_alone(text: str, clinic: str, doctor: str) -> None:
    assert calls(Desk.open().say(text)) == [(clinic, LIST, {"doctor": doctor})]


def test_a_named_clinic_is_asked_alone() -> None:
    assert calls(Desk.open().say("dermatologista na clínica F")) == [("clinic_f", LIST, {})]
    assert calls(Desk.open().say("tem vaga na clínica B?")) == [("clinic_b", LIST, {})]


def test_when_it_suits_becomes_a_filter_and_no_parameter() -> None:
    plan = Desk.open().say("cardiologista semana que vem depois das 15h, menos segunda")
    assert calls(plan) == CARDIOLOGY
    assert spans_of(plan.wish.chain[0]) == (DateRange(date(2025, 7, 21), date(2025, 7, 27)),)
    assert hours_of(plan.wish.filter) == (TimeRange(time(15), time.max),)
    assert weekdays_of(plan.wish.filter) == {0}


@pytest.mark.parametrize("text", ["quero o cardiologista mais cedo possível", "cardiologist asap", "cardio urgente"])
def test_the_earliest_is_marked_when_it_is_asked_for(text: str) -> None:
    assert Desk.open().say(text).nearest


@pytest.mark.parametrize("text", ["a vaga mais perto de hoje com cardio", "cardiology, the slot closest to today"])
def test_closest_to_today_is_the_earliest_and_not_only_today(text: str) -> None:
    plan = Desk.open().say(text)
    assert (plan.nearest, spans_of(plan.wish.chain[0])) == (True, ())


def test_a_filter_is_refined_from_turn_to_turn() -> None:
    desk = Desk.open()
    desk.say("dermatologista semana que vem")
    refined = desk.say("e de manhã?")
    assert calls(refined) == DERMATOLOGY
    assert spans_of(refined.wish.chain[0]) == (DateRange(date(2025, 7, 21), date(2025, 7, 27)),)
    assert hours_of(refined.wish.filter) == (TimeRange(time(6), time(11, 59)),)
    assert spans_of(desk.say("pode ser qualquer dia").wish.chain[0]) == ()


@pytest.mark.parametrize(
    "text", ["todos os horários", "mostra todos", "quero ver tudo", "all openings", "show me all of them"]
)
def test_all_openings_clear_the_filter(text: str) -> None:
    desk = Desk.open()
    desk.say("dermatologista na sexta de manhã")
    everything = desk.say(text)
    assert calls(everything) == DERMATOLOGY
    assert axes_of(everything.wish.filter) <= {Axis.SPECIALTY}


@pytest.mark.parametrize("text", sentences("openings.txt", "asking to see never takes even the only opening that fits"))
def test_asking_to_see_never_takes_even_the_only_opening_that_fits(text: str) -> None:
    desk = Desk.open()
    desk.say("quero um cardiologista")
    assert [action for _, action, _ in calls(desk.say(text))] == [LIST, LIST]
    desk = Desk.open(consent_given=False)
    desk.say("quero um cardiologista", "o primeiro")
    assert LIST in {action for _, action, _ in calls(desk.say(text))}


def test_a_part_of_a_day_of_a_month_is_both_a_day_and_a_part() -> None:
    plan = Desk.open(Language.EN).say("a cardiologist on July 24 in the afternoon")
    assert spans_of(plan.wish.chain[0]) == (DateRange(date(2025, 7, 24), date(2025, 7, 24)),)
    assert hours_of(plan.wish.filter) == (TimeRange(time(12), time(17, 59)),)


def test_another_week_is_the_next_one_or_the_one_after() -> None:
    plan = Desk.open().say("cardiologista na outra semana")
    assert spans_of(plan.wish.chain[0]) == (DateRange(date(2025, 7, 21), date(2025, 8, 3)),)


def test_a_missing_specialty_is_asked_for_and_the_answer_goes_on() -> None:
    desk = Desk.open()
    asked = desk.say("quero marcar uma consulta para sexta de manhã")
    assert (asked.kind, asked.topic) == (PlanKind.CLARIFY, Topic.ASK_SPECIALTY)
    answered = desk.say("ortopedia")
    assert calls(answered) == ORTHOPEDICS
    assert spans_of(answered.wish.chain[0]) == (DateRange(date(2025, 7, 18), date(2025, 7, 18)),)
    assert hours_of(answered.wish.filter) == (TimeRange(time(6), time(11, 59)),)


def test_what_was_said_before_the_specialty_is_kept_bit_by_bit() -> None:
    desk = Desk.open()
    desk.say("quero marcar uma consulta para sexta", "de manhã, o mais cedo possível")
    answered = desk.say("ortopedia")
    assert spans_of(answered.wish.chain[0]) == (DateRange(date(2025, 7, 18), date(2025, 7, 18)),)
    assert hours_of(answered.wish.filter) == (TimeRange(time(6), time(11, 59)),)
    assert answered.nearest


@pytest.mark.parametrize("text", ["não gostei de nenhum", "nenhum desses serve", "none of these work for me"])
def test_another_time_is_asked_for_when_no_opening_suits(text: str) -> None:
    desk = Desk.open()
    assert desk.say("quero um cardiologista", text).topic is Topic.ASK_ANOTHER_TIME
    assert calls(desk.say("na semana que vem")) == CARDIOLOGY


def test_coming_back_to_a_specialty_lists_it_again() -> None:
    desk = Desk.open()
    desk.say("quero um cardiologista", "tem dermato também?")
    assert calls(desk.say("voltando ao cardio, o primeiro")) == CARDIOLOGY
    assert [action for _, action, _ in calls(desk.say("o primeiro"))] == ["book_appointment"]


def test_a_question_stays_open_while_something_else_is_said() -> None:
    desk = Desk.open()
    desk.say("quero marcar uma consulta", "quanto custa?", "obrigado")
    assert calls(desk.say("cardiologia")) == CARDIOLOGY


def test_an_ambiguous_name_is_asked_about_and_the_choice_goes_on() -> None:
    for choice, doctor in (("Teles", MARINA_TELES), ("a segunda", MARINA_COUTO), ("2", MARINA_COUTO)):
        desk = Desk.open()
        asked = desk.say("horários da dra. Marina")
        assert (asked.topic, asked.choices) == (Topic.ASK_WHICH_DOCTOR, (MARINA_TELES, MARINA_COUTO))
        ((_, action, parameters),) = calls(desk.say(choice))
        assert (action, parameters) == (LIST, {"doctor": doctor})


@pytest.mark.parametrize(
    ("text", "language"), [("estou com dor no joelho", Language.PT), ("my knee hurts", Language.EN)]
)
def test_a_complaint_is_offered_a_specialty(text: str, language: Language) -> None:
    desk = Desk.open(language)
    offered = desk.say(text)
    assert (offered.kind, offered.topic) == (PlanKind.CLARIFY, Topic.OFFER_SPECIALTY)
    assert offered.facts == {"specialty": "Orthopedics"}
    assert calls(desk.say("sim" if language is Language.PT else "yes please")) == ORTHOPEDICS


@pytest.mark.parametrize(
    "answer", ["sim", "quero", "pode ser", "claro, mostra", "sim, na sexta", "yes", "sure, show me"]
)
def test_a_yes_to_an_offered_specialty_lists_it(answer: str) -> None:
    desk = Desk.open()
    desk.say("apareceu uma mancha na minha pele")
    assert calls(desk.say(answer)) == DERMATOLOGY


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("quero marcar na clínica Z", Topic.UNKNOWN_CLINIC),
        ("see somebody at clinic_h on Friday", Topic.UNKNOWN_CLINIC),
        ("marcar com o Dr. João", Topic.UNKNOWN_DOCTOR),
        ("cardiologista ontem", Topic.MOMENT_IN_PAST),
    ],
)
def test_what_does_not_exist_is_said_and_not_asked(text: str, topic: Topic) -> None:
    plan = Desk.open().say(text)
    assert (plan.kind, plan.topic) == (PlanKind.CLARIFY, topic)


@pytest.mark.parametrize(
    "text", ["cardiologista dia 10/07", "marca com o Dr. Ricardo dia 10 de julho às 9h", "a cardiologist on July 10"]
)
def test_a_day_just_past_is_not_taken_for_that_of_next_year(text: str) -> None:
    assert Desk.open().say(text).topic is Topic.MOMENT_IN_PAST


@pytest.mark.parametrize(
    "text",
    [
        "cardiologista a partir do dia 20",
        "cardiologista dia 10/07/2026",
        "cardiologista em janeiro",
        "cardiologist after July 20",
        "cardiologista na semana do dia 17",
    ],
)
def test_a_day_to_come_is_asked_for(text: str) -> None:
    assert calls(Desk.open().say(text)) == CARDIOLOGY


@pytest.mark.parametrize(
    ("text", "kind", "topic"),
    [
        ("olá, como vai?", PlanKind.SMALLTALK, Topic.GREETING),
        ("você é um robô?", PlanKind.SMALLTALK, Topic.WHO_ANSWERS),
        ("muito obrigada!", PlanKind.SMALLTALK, Topic.THANKS),
        ("that's all, bye", PlanKind.SMALLTALK, Topic.FAREWELL),
        ("o que você faz?", PlanKind.SMALLTALK, Topic.HELP),
        ("how does this work?", PlanKind.SMALLTALK, Topic.HOW_IT_WORKS),
        ("quanto custa a consulta?", PlanKind.CLARIFY, Topic.CLINIC_FACTS),
        ("vocês aceitam convênio?", PlanKind.CLARIFY, Topic.CLINIC_FACTS),
        ("quero um ginecologista", PlanKind.OUT_OF_SCOPE, Topic.OTHER_SPECIALTY),
        ("I need a dentist", PlanKind.OUT_OF_SCOPE, Topic.OTHER_SPECIALTY),
        ("preciso de um eletricista", PlanKind.OUT_OF_SCOPE, Topic.OFF_TOPIC),
        ("me conta uma piada", PlanKind.OUT_OF_SCOPE, Topic.OFF_TOPIC),
        ("asdf qwer", PlanKind.CLARIFY, Topic.ASK_REQUEST),
        ("2", PlanKind.CLARIFY, Topic.ASK_REQUEST),
        ("👍", PlanKind.SMALLTALK, Topic.NOTHING_OPEN),
        ("", PlanKind.CLARIFY, Topic.ASK_REQUEST),
    ],
)
def test_what_needs_no_clinic_calls_none(text: str, kind: PlanKind, topic: Topic) -> None:
    plan = Desk.open().say(text)
    assert (plan.kind, plan.topic, plan.steps) == (kind, topic, ())


def test_a_courtesy_does_not_hide_a_request() -> None:
    assert Desk.open().say("oi, quero marcar uma consulta, obrigado").topic is Topic.ASK_SPECIALTY


def test_the_answer_is_in_the_language_of_the_utterance() -> None:
    desk = Desk.open(Language.PT)
    assert desk.say("I need a cardiologist").language is Language.EN
    assert desk.say("21/07").language is Language.EN
    assert desk.say("tem na sexta?").language is Language.PT


@pytest.mark.parametrize("text", ["que médicos vocês têm?", "quem atende aí?", "who are your doctors?"])
def test_who_the_doctors_are_is_answered_with_all_of_them_to_choose_from(text: str) -> None:
    desk = Desk.open()
    plan = desk.say(text)
    assert (plan.kind, plan.topic) == (PlanKind.CLARIFY, Topic.ASK_WHICH_DOCTOR)
    assert {RICARDO, FERNANDO, GUSTAVO} <= set(plan.choices)
    chosen = plan.choices.index(FERNANDO) + 1
    assert calls(desk.say(str(chosen))) == [("clinic_c", LIST, {"doctor": FERNANDO})]
