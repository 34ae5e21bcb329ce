"""Tasks and results: made from steps and what became of them; of an answer they hold counts and remarks alone."""

from __future__ import annotations

import pytest

from generated.clinic.v1.clinic_service_pb2 import ListAvailableSlotsResponse, Slot
from generated.mesh.v1.remarks_pb2 import Remarks
from mesh.errors import DomainError
from orchestrator.turn.plan import Step
from orchestrator.turn.routing import StepResult, StepStatus, TaskStatus, task_of, task_result
from tests.support.steps import step_of

LIST = "list_available_slots"
STEPS = (step_of(1, "clinic_a", LIST, {"doctor": "Dr. Ricardo Lopes"}), step_of(2, "clinic_c", LIST))
TASK = task_of(LIST, "Cardiology", STEPS, "t-1")


def done(step: Step, entries: int = 1, elapsed_s: float = 0.01) -> StepResult:
    slots = [Slot(doctor="Dr. Ricardo Lopes", date="2025-07-21", time="09:00", available=True)] * entries
    return StepResult(step, StepStatus.DONE, ListAvailableSlotsResponse(available_slots=slots), elapsed_s=elapsed_s)


def down(step: Step) -> StepResult:
    return StepResult(step, StepStatus.UNREACHED, error=DomainError("UNREACHABLE", "a text"), elapsed_s=0.5)


def test_a_task_is_what_the_agents_of_one_domain_are_told() -> None:
    assert (TASK.intent, TASK.domains, TASK.trace_id) == (LIST, ("Cardiology",), "t-1")
    assert TASK.subtask_title == "list_available_slots (Cardiology)"
    assert TASK.inputs == {"clinic_a": ({"doctor": "Dr. Ricardo Lopes"},), "clinic_c": ({},)}
    assert "Ricardo" not in repr(TASK)


@pytest.mark.parametrize(
    ("results", "status"),
    [
        ((done(STEPS[0]), done(STEPS[1])), TaskStatus.SUCCESS),
        ((done(STEPS[0]), down(STEPS[1])), TaskStatus.PARTIAL),
        ((down(STEPS[0]), down(STEPS[1])), TaskStatus.FAILURE),
        ((StepResult(STEPS[0], StepStatus.SKIPPED), done(STEPS[1])), TaskStatus.PARTIAL),
        ((StepResult(STEPS[0], StepStatus.UNKNOWN),), TaskStatus.FAILURE),
        ((), TaskStatus.FAILURE),
    ],
)
def test_a_result_is_a_success_a_failure_or_partial(results: tuple[StepResult, ...], status: TaskStatus) -> None:
    assert task_result(TASK, results).status is status


def test_a_result_counts_and_explains_and_repeats_no_answer() -> None:
    result = task_result(TASK, (done(STEPS[0], entries=3), down(STEPS[1])))
    assert result.data == {"clinic_a": 3}
    assert result.metrics == {"done": 1, "unreached": 1, "elapsed_ms": 500.0}
    assert result.logs == ("clinic_a: done after 10.0 ms", "clinic_c: unreached after 500.0 ms")
    assert result.explanations == ("clinic_c: UNREACHABLE",)
    assert "Ricardo" not in repr(result)


def test_an_agent_that_says_that_its_answer_is_partial_makes_the_result_partial_and_explains_it() -> None:
    says = Remarks(partial=True, explanations=["August is not open."], warnings=["Bring your tests."])
    partly = StepResult(STEPS[0], StepStatus.DONE, ListAvailableSlotsResponse(remarks=says))
    result = task_result(TASK, (partly, done(STEPS[1])))
    assert result.status is TaskStatus.PARTIAL
    assert result.explanations == ("clinic_a: August is not open.", "clinic_a: Bring your tests.")
    assert "August" not in repr(result)


def test_results_of_other_tasks_are_not_its_own() -> None:
    other = done(step_of(3, "clinic_b", LIST))
    assert task_result(TASK, (done(STEPS[0]), done(STEPS[1]), other)).data == {"clinic_a": 1, "clinic_c": 1}


def test_the_calls_of_one_agent_are_made_one_after_the_other_so_their_times_add_up() -> None:
    steps = (step_of(1, "clinic_a", "query", {"query": "x"}), step_of(2, "clinic_a", "query", {"query": "y"}))
    task = task_of("query", "Cardiology", steps, "t-1")
    assert task.inputs == {"clinic_a": ({"query": "x"}, {"query": "y"})}
    assert task_result(task, [done(step, elapsed_s=0.25) for step in steps]).metrics["elapsed_ms"] == 500.0
