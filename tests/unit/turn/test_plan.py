import pytest

from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, PlanKind, Question, Topic
from orchestrator.turn.step_actions import CATALOGUE, is_write

WRITES = {"book_appointment", "reschedule_appointment", "cancel_appointment"}
OPERATOR_WRITES = {"open_slots", "close_slots"}


@pytest.mark.parametrize("tool", list(CATALOGUE))
def test_a_tool_writes_exactly_where_the_contract_does_not_call_it_read_only(tool: str) -> None:
    assert is_write(tool) == (tool in WRITES | OPERATOR_WRITES)


@pytest.mark.parametrize("action", ["raw_response", "", "BOOK_APPOINTMENT", "drop_table"])
def test_an_action_that_the_contract_does_not_know_counts_as_a_write(action: str) -> None:
    assert is_write(action)


def test_a_write_can_be_repeated_safely() -> None:
    assert all(CATALOGUE[tool].request_id == "request_id" for tool in WRITES)


def test_a_plan_and_a_question_accept_any_opening_unless_told_otherwise() -> None:
    assert not Plan(PlanKind.STEPS, Language.PT).wish
    assert not Question(Topic.ASK_SPECIALTY).wish
