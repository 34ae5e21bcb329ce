"""Several requests in one sentence: each is done, waits, or is asked about, and none is dropped."""

from __future__ import annotations

from itertools import permutations

import pytest

from orchestrator.agents.gate import check_plan
from orchestrator.agents.registry import Registry, RoutingRules
from orchestrator.agents.registry_file import read_registry
from orchestrator.turn.identity import Role
from orchestrator.turn.plan import PlanKind, Topic
from tests.support.form import second_ones_long
from tests.unit.planner.desk import Desk

LIST = "list_available_slots"

# what is said; the calls that it comes to
RECORDS = [
    ("lista os pacientes de ortopedia", {("clinic_d", "list_patients"), ("clinic_e", "list_patients")}),
    ("quais pacientes têm asma em ortopedia", {("clinic_d", "query"), ("clinic_e", "query")}),
    ("abre a ficha ORTH-001", {("clinic_d", "get_patient"), ("clinic_e", "get_patient")}),
]
OPENINGS = [
    ("mostra os horários de dermatologia", {("clinic_b", LIST), ("clinic_f", LIST)}),
    ("quero marcar com o Dr. Fernando Mendes", {("clinic_c", LIST)}),
]
PAIRS = [pair for records in RECORDS for openings in OPENINGS for pair in permutations((records, openings))]
PAIRS += [*permutations(OPENINGS)]


@pytest.mark.parametrize("joint", second_ones_long([" e ", ", e ", " e depois ", "; "]))
@pytest.mark.parametrize(("first", "second"), PAIRS, ids=lambda one: one[0])
def test_two_requests_that_read_are_one_plan_with_a_subtask_each(
    first: tuple[str, set[tuple[str, str]]], second: tuple[str, set[tuple[str, str]]], joint: str
) -> None:
    plan = Desk.open(role=Role.OPERATOR).say(f"{first[0]}{joint}{second[0]}")
    assert {(step.clinic, step.action) for step in plan.steps} == first[1] | second[1]
    assert [step.step_id for step in plan.steps] == list(range(1, len(plan.steps) + 1))
    assert plan.classification is not None
    assert {part.intent for part in plan.classification.subtasks} == {call[1] for call in first[1] | second[1]}


@pytest.mark.parametrize(
    "said",
    [
        "show me the dermatology openings and list the cardiology patients",
        "mostra os horários de dermatologia e lista os pacientes de cardiologia",
    ],
)
def test_where_the_registry_does_not_split_it_is_asked_which_comes_first(said: str) -> None:
    plan = Desk.open(role=Role.OPERATOR).say(said)
    registry = read_registry(8001)
    assert check_plan(registry, plan, said, "t-1")[0] is plan
    asking = Registry(dict(registry), RoutingRules(auto_split_if_conflict=False))
    assert check_plan(asking, plan, said, "t-1")[0].topic is Topic.ASK_WHICH_FIRST


@pytest.mark.parametrize(
    "said",
    [
        "marca com o Dr. Fernando e mostra os horários de dermatologia",
        "book me with Dr. Fernando and show me the dermatology openings",
        "quero o Dr. Fernando Mendes e um dermatologista",
    ],
)
def test_a_doctor_and_another_specialty_are_two_requests_that_are_gone_on_with(said: str) -> None:
    plan = Desk.open().say(said)
    assert {step.clinic for step in plan.steps} == {"clinic_b", "clinic_c", "clinic_f"}
    assert plan.question is not None
    assert len(plan.question.waiting) == 2


def test_openings_wait_behind_a_booking() -> None:
    plan = Desk.open().say("quero o Dr. Fernando Mendes dia 18/07 às 10h e mostra os horários de dermatologia")
    assert [(step.clinic, step.action) for step in plan.steps] == [("clinic_c", "book_appointment")]
    assert plan.question is not None
    assert len(plan.question.waiting) == 1


def test_who_may_not_see_patients_hears_so_beside_the_openings() -> None:
    plan = Desk.open().say("mostra os horários de cardiologia e lista os pacientes de dermatologia")
    assert (plan.note, {step.clinic for step in plan.steps}) == (Topic.OPERATORS_ONLY, {"clinic_a", "clinic_c"})


def test_what_cannot_be_done_in_one_turn_is_asked_about() -> None:
    said = "quero o Dr. Fernando Mendes dia 18/07 às 10h e lista os pacientes de dermatologia"
    plan = Desk.open(role=Role.OPERATOR).say(said)
    assert (plan.kind, plan.topic) == (PlanKind.CLARIFY, Topic.ASK_WHICH_FIRST)


@pytest.mark.parametrize(
    "said",
    [
        "quero dermatologista com o Dr. Ricardo",
        "a dermatologist, with Dr. Ricardo Lopes",
        "quero o Dr. Ricardo, não um dermatologista",
    ],
)
def test_one_request_that_contradicts_itself_stays_one(said: str) -> None:
    assert len({step.action for step in Desk.open().say(said).steps}) <= 1
    question = Desk.open().say(said).question
    assert question is None or not question.waiting


def test_a_number_that_is_no_row_and_no_hour_takes_nothing() -> None:
    plan = Desk.open().say("cardiologia por favor", "o número 40")
    assert (plan.kind, plan.topic, plan.steps) == (PlanKind.CLARIFY, Topic.ALL_SHOWN, ())
