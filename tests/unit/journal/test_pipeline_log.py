import json
import logging
import stat
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from generated.clinic.v1.clinic_service_pb2 import ListAvailableSlotsResponse
from generated.mesh.v1.remarks_pb2 import Remarks
from orchestrator.evaluation.figures import Rate
from orchestrator.evaluation.log_statistics import statistics_of
from orchestrator.evaluation.turn_log import log_files, read_turns
from orchestrator.journal.events import (
    ClinicAnswered,
    ClinicAsked,
    Event,
    FellBack,
    Gathered,
    MemoryDone,
    MemoryRecalled,
    ModelAnswered,
    ModelAsked,
    ModelFailure,
    ModelSuspended,
    ModelThrottled,
    Planned,
    Purpose,
    Routed,
    TurnFinished,
    TurnStarted,
    Usage,
    Verified,
)
from orchestrator.journal.pipeline_log import SCHEMA, PipelineLog
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.memory_calls import MemoryKind, MemoryStatus
from orchestrator.turn.plan import Classification, GivenClassification, Plan, PlanKind, Proposed, Subtask, Topic
from orchestrator.turn.reply import SAFE, Rule, TurnOutcome, Verdict
from orchestrator.turn.routing import (
    Candidate,
    FallbackPolicy,
    RoutingDecision,
    StepResult,
    StepStatus,
    task_of,
    task_result,
)
from tests.support.steps import step_of

CARLOS = Identity.of("Carlos Teste", "123.456.789-00")
LISTING = Plan(
    PlanKind.STEPS, Language.PT, (step_of(1, "clinic_a", "list_available_slots"), step_of(2, "clinic_c", "query"))
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "logs"


def log_in(folder: Path) -> PipelineLog:
    return PipelineLog(folder, CARLOS)


def turn(plan: Plan, turn_id: str = "turn-1", reply: str = "2 horários") -> list[Event]:
    return [TurnStarted("session-1", turn_id), Planned(plan, 0.0015), TurnFinished(TurnOutcome.OK, reply, 0.25)]


def tell(log: PipelineLog, events: list[Event]) -> None:
    for event in events:
        log(event)


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for file in files(folder) for line in file.read_text("utf-8").splitlines()]


def test_a_turn_is_one_line_with_every_field_of_the_schema(folder: Path) -> None:
    tell(
        log_in(folder),
        [
            TurnStarted("session-1", "turn-1"),
            MemoryRecalled(2, 0.0007),
            Planned(LISTING, 0.0015),
            ClinicAsked(1, "clinic_a", "list_available_slots"),
            ClinicAsked(2, "clinic_c", "query"),
            ClinicAnswered(2, "clinic_c", "query", StepStatus.UNREACHED, "UNREACHABLE", None, 0.35),
            ClinicAnswered(1, "clinic_a", "list_available_slots", StepStatus.DONE, None, 6, 0.0021),
            Verified("data", SAFE, 0.0005),
            Verified("reply", Verdict(Rule.R2, "a CPF of somebody else"), 0.001),
            MemoryDone("salvar_memoria", MemoryKind.RESTRICTION, MemoryStatus.SAVED, 0.004),
            TurnFinished(TurnOutcome.PARTIAL, "5 de 6 clínicas responderam", 0.4),
        ],
    )
    (line,) = lines(folder)
    assert datetime.fromisoformat(line.pop("at")).tzinfo == UTC
    step = {"step_id": 1, "clinic": "clinic_a", "action": "list_available_slots", "parameters": {}}
    down = {"step_id": 2, "clinic": "clinic_c", "action": "query", "status": "unreached", "reason": "UNREACHABLE"}
    done = {"step_id": 1, "clinic": "clinic_a", "action": "list_available_slots", "status": "done", "reason": None}
    assert line == {
        "schema": SCHEMA,
        "session_id": "session-1",
        "turn_id": "turn-1",
        "plan": {
            "kind": "steps",
            "language": "pt",
            "topic": None,
            "reasoning": [],
            "steps": [step, {**step, "step_id": 2, "clinic": "clinic_c", "action": "query"}],
            "proposed": None,
        },
        "results": [{**down, "items": None, "elapsed_ms": 350.0}, {**done, "items": 6, "elapsed_ms": 2.1}],
        "verdicts": [
            {"subject": "data", "safe": True, "rule": None, "note": "OK"},
            {"subject": "reply", "safe": False, "rule": "R2", "note": "a CPF of somebody else"},
        ],
        "model_calls": [],
        "model_suspended": None,
        "throttled": [],
        "routing": None,
        "memory": {
            "recalled": 2,
            "calls": [{"tool": "salvar_memoria", "kind": "restricao", "status": "saved", "elapsed_ms": 4.0}],
        },
        "outcome": "partial",
        "reply": "5 de 6 clínicas responderam",
        "elapsed_ms": {"recall": 0.7, "plan": 1.5, "verify_data": 0.5, "verify_reply": 1.0, "turn": 400.0},
    }


def test_what_a_model_proposed_and_consumed_stands_beside_the_plan(folder: Path) -> None:
    proposed = Proposed((step_of(1, "clinic_z", "query", {"query": "cpf 123.456.789-00"}),), used=False, notes=("why",))
    call = ModelAnswered(Purpose.PLAN, "gpt-x", Usage(900, 40, 0.0025, 512), 1, None, 1.25, 0.4321)
    failed = ModelAnswered(Purpose.WRITE, "gpt-x", Usage(), 2, ModelFailure.TIMED_OUT, 20.0)
    tell(
        log_in(folder),
        [
            TurnStarted("session-1", "turn-1"),
            ModelAsked(Purpose.PLAN),
            call,
            Planned(replace(LISTING, proposed=proposed), 1.3),
            failed,
            ModelSuspended(ModelFailure.TIMED_OUT, 30.0),
            TurnFinished(TurnOutcome.OK, "feito", 22.0),
        ],
    )
    (line,) = lines(folder)
    (step,) = line["plan"]["proposed"].pop("steps")
    assert line["plan"]["proposed"] == {"used": False, "notes": ["why"]}
    assert step == {"step_id": 1, "clinic": "clinic_z", "action": "query", "parameters": {"query": "cpf [CPF]"}}
    tokens = {"prompt_tokens": 900, "completion_tokens": 40, "cost_usd": 0.0025, "cached_tokens": 512}
    nothing = {"prompt_tokens": None, "completion_tokens": None, "cost_usd": None, "cached_tokens": None}
    assert line["model_calls"] == [
        {
            "purpose": "plan",
            "model": "gpt-x",
            **tokens,
            "retries": 1,
            "failure": None,
            "elapsed_ms": 1250.0,
            "first_token_ms": 432.1,
        },
        {"purpose": "write", "model": "gpt-x", **nothing, "retries": 2, "failure": "timed_out", "elapsed_ms": 20000.0},
    ]
    assert line["model_suspended"] == "timed_out"


def test_how_a_turn_was_routed_stands_in_its_line_without_names_and_numbers(folder: Path) -> None:
    task = task_of("list_available_slots", "Cardiology", LISTING.steps[:1], "turn-1")
    part = Subtask("Maria quer um horário", "ela disse", "list_available_slots", "Cardiology")
    given = GivenClassification("unknown", ("coração", "de 111.444.777-35"), (part,), 0.4)
    decision = RoutingDecision(
        Classification("list_available_slots", ("Cardiology",), (part,), 0.9, given),
        (Candidate("clinic_a", 0.8, "Cardiology", 1), Candidate("clinic_b", 0.5, "Dermatology", 0)),
        (task,),
        (step_of(2, "clinic_b", "query"),),
    )
    result = task_result(task, [StepResult(LISTING.steps[0], StepStatus.DONE, elapsed_s=0.01)])
    tell(
        log_in(folder),
        [
            TurnStarted("session-1", "turn-1"),
            ModelThrottled(Purpose.PLAN, 1.25),
            Planned(LISTING, 0.001),
            Routed(decision),
            Gathered((result,)),
            TurnFinished(TurnOutcome.OK, "feito", 0.1),
        ],
    )
    (line,) = lines(folder)
    told = {
        "intent": "list_available_slots",
        "domain": "Cardiology",
        "title": "[NAME] quer um horário",
        "reason": "ela disse",
    }
    assert line["routing"] == {
        "intent": "list_available_slots",
        "domains": ["Cardiology"],
        "confidence": 0.9,
        "subtasks": [told],
        "given": {
            "intent": "unknown",
            "domains": ["coração", line["routing"]["given"]["domains"][1]],
            "confidence": 0.4,
            "subtasks": [told],
        },
        "candidates": [{"agent": "clinic_a", "score": 0.8}, {"agent": "clinic_b", "score": 0.5}],
        "chosen": ["clinic_a"],
        "refused": [{"agent": "clinic_b", "action": "query"}],
        "fallback_used": None,
        "tasks": [{"intent": "list_available_slots", "domains": ["Cardiology"], "agents": ["clinic_a"]}],
        "results": [
            {
                "subtask": "list_available_slots (Cardiology)",
                "status": "success",
                "data": {},
                "logs": ["clinic_a: done after 10.0 ms"],
                "metrics": {"done": 1.0, "elapsed_ms": 10.0},
                "explanations": [],
            }
        ],
    }
    assert "111.444.777" not in json.dumps(line)
    assert "Maria" not in json.dumps(line)
    assert line["throttled"] == [{"purpose": "plan", "reason": "RESOURCE_EXHAUSTED", "retry_after_s": 1.25}]
    (turn_read,) = read_turns(log_files(folder))
    assert turn_read.routing is not None
    assert turn_read.routing.fallback_used is None
    assert statistics_of([turn_read]).misrouted == Rate(1, 1 + len(LISTING.steps))


def test_what_an_agent_says_of_its_answer_stands_redacted_in_the_result_of_its_task(folder: Path) -> None:
    says = Remarks(partial=True, explanations=["Maria Silva, CPF 111.444.777-35, is missing."])
    answered = StepResult(LISTING.steps[0], StepStatus.DONE, ListAvailableSlotsResponse(remarks=says))
    task = task_of("list_available_slots", "Cardiology", LISTING.steps, "turn-1")
    gathered = Gathered((task_result(task, [answered]),))
    routed = Routed(RoutingDecision(Classification("list_available_slots")))
    first, last = TurnStarted("session-1", "turn-1"), TurnFinished(TurnOutcome.OK, "", 0.1)
    tell(log_in(folder), [first, routed, gathered, last])
    (line,) = lines(folder)
    (result,) = line["routing"]["results"]
    assert result["status"] == "partial"
    (explanation,) = result["explanations"]
    assert explanation.startswith("clinic_a: ")
    assert "111.444.777" not in explanation


def test_an_auditors_own_note_stands_redacted_beside_the_verdict(folder: Path) -> None:
    verdict = Verdict(Rule.R2, "R2: found by the model's audit", "names 111.444.777-35")
    first, last = TurnStarted("session-1", "turn-1"), TurnFinished(TurnOutcome.REFUSED, "não", 0.1)
    tell(log_in(folder), [first, Verified("data", verdict, 0.1), last])
    (line,) = lines(folder)
    (logged,) = line["verdicts"]
    assert logged["note"] == verdict.note
    assert logged["audit"].startswith("names ")
    assert "111.444.777" not in logged["audit"]


def test_a_fallback_stands_in_the_line_of_its_turn(folder: Path) -> None:
    decision = RoutingDecision(Classification("off_topic"))
    routed: list[Event] = [Routed(decision), FellBack(FallbackPolicy.PROPOSE)]
    first, last = TurnStarted("session-1", "turn-1"), TurnFinished(TurnOutcome.REFUSED, "não", 0.1)
    tell(log_in(folder), [first, *routed, last])
    (turn_read,) = read_turns(log_files(folder))
    assert turn_read.routing is not None
    assert turn_read.routing.fallback_used is FallbackPolicy.PROPOSE


def test_turns_follow_one_another_in_todays_file_and_share_nothing(folder: Path) -> None:
    log = log_in(folder)
    before = datetime.now(UTC)
    tell(log, turn(LISTING))
    tell(log, turn(Plan(PlanKind.SMALLTALK, Language.EN, topic=Topic.THANKS), "turn-2", "You are welcome."))
    days = {f"pipeline_{day:%Y%m%d}.jsonl" for day in (before, datetime.now(UTC))}
    assert {file.name for file in files(folder)} <= days
    first, second = lines(folder)
    assert (first["turn_id"], second["turn_id"]) == ("turn-1", "turn-2")
    assert second["plan"] == {
        "kind": "smalltalk",
        "language": "en",
        "topic": "thanks",
        "reasoning": [],
        "steps": [],
        "proposed": None,
    }


def test_a_turn_that_was_consented_to_has_no_plan_of_its_own(folder: Path) -> None:
    tell(log_in(folder), [TurnStarted("session-1", "turn-1"), TurnFinished(TurnOutcome.OK, "feito", 0.1)])
    (line,) = lines(folder)
    assert line["plan"] is None


def test_two_logs_of_one_folder_add_to_one_file(folder: Path) -> None:
    tell(log_in(folder), turn(LISTING))
    tell(log_in(folder), turn(LISTING, "turn-2"))
    assert [line["turn_id"] for line in lines(folder)] == ["turn-1", "turn-2"]


def test_only_the_owner_may_read_the_log(folder: Path) -> None:
    tell(log_in(folder), turn(LISTING))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in files(folder)} == {0o600}


@pytest.mark.parametrize(
    "said", ["cpf 123.456.789-00", "cpf 12345678900", "sou o Carlos Teste", "ligue (19) 95550-0101"]
)
def test_personal_data_in_a_parameter_is_redacted(folder: Path, said: str) -> None:
    tell(log_in(folder), turn(Plan(PlanKind.STEPS, Language.PT, (step_of(1, "clinic_a", "query", {"query": said}),))))
    (file,) = files(folder)
    written = file.read_text("utf-8")
    assert "[" in json.loads(written)["plan"]["steps"][0]["parameters"]["query"]
    assert not any(secret in written for secret in ("123.456", "12345678900", "Carlos", "95550-0101"))


def test_a_folder_that_cannot_be_written_is_one_warning_and_then_silence(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.parent.write_text("a file where the folder should be")
    log = log_in(folder)
    with caplog.at_level(logging.WARNING):
        tell(log, turn(LISTING))
        tell(log, turn(LISTING, "turn-2"))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert str(folder) in caplog.text


def test_a_folder_that_can_be_written_again_is(folder: Path) -> None:
    folder.parent.write_text("a file where the folder should be")
    log = log_in(folder)
    tell(log, turn(LISTING))
    folder.parent.unlink()
    tell(log, turn(LISTING, "turn-2"))
    assert [line["turn_id"] for line in lines(folder)] == ["turn-2"]
