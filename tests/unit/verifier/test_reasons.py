"""What a planning model says that it thought is held to what an answer could say."""

from __future__ import annotations

import pytest

from orchestrator.turn.plan import Plan, PlanKind
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import CLINICS, SESSION
from tests.support.sentences import sections, sentences
from tests.support.steps import step_of

STEPS = tuple(
    step_of(number, clinic, "list_available_slots") for number, clinic in enumerate(("clinic_a", "clinic_c"), 1)
)


def told(*reasoning: str) -> tuple[str, ...]:
    plan = Plan(PlanKind.STEPS, SESSION.language, STEPS)
    return RuleVerifier().check_reasoning(reasoning, SESSION, plan, CLINICS)


def test_what_the_blueprint_gives_as_an_example_is_told() -> None:
    example = (
        "A pessoa quer uma consulta com um cardiologista.",
        "Cardiologia é da clinic_a e da clinic_c (Regra 10).",
        "Preciso listar os horários disponíveis em ambas as clínicas.",
        "Nenhuma combinação de dados entre clínicas é necessária.",
    )
    assert told(*example) == example


@pytest.mark.parametrize(
    "lie", sentences("reasons.txt", "a line that no answer could hold is left out and the others are told")
)
def test_a_line_that_no_answer_could_hold_is_left_out_and_the_others_are_told(lie: str) -> None:
    assert told("A pessoa quer ver horários.", lie) == ("A pessoa quer ver horários.",)


def test_a_line_of_words_that_could_claim_something_is_left_out_though_no_rule_knows_the_claim() -> None:
    lies = [lie for name, lies in sections("hostile.txt") if name.endswith(("LIST_PT", "LIST_EN")) for lie in lies]
    assert len(lies) > 900
    assert [line for lie in lies for line in told(lie)] == []


@pytest.mark.parametrize(
    "line",
    ["Cardiologia é da clinic_b.", "Preciso ver o Dr. Ricardo Lopes na Clínica C.", "Dermatology is the clinic_a."],
)
def test_names_of_the_directory_that_do_not_belong_together_are_not_told(line: str) -> None:
    assert told(line) == ()


def test_a_model_may_think_in_english_for_a_person_who_speaks_portuguese() -> None:
    thoughts = ("I need to list the openings at both clinics.", "The person wants the earliest one.")
    assert told(*thoughts) == thoughts
