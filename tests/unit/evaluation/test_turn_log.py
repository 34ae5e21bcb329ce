import json
from pathlib import Path

import pytest

from mesh.errors import UsageError
from orchestrator.evaluation.turn_log import log_files, read_turns
from orchestrator.journal.events import ClinicAnswered, ClinicAsked, Planned, TurnFinished, TurnStarted, Verified
from orchestrator.journal.pipeline_log import PipelineLog
from orchestrator.turn.identity import NOBODY, Language
from orchestrator.turn.plan import Plan, PlanKind
from orchestrator.turn.reply import SAFE, Rule, TurnOutcome, Verdict
from orchestrator.turn.routing import StepStatus
from tests.support.steps import step_of

STEPS = (step_of(1, "clinic_a", "list_available_slots"), step_of(2, "clinic_c", "list_available_slots"))


def write_a_turn(folder: Path) -> None:
    log = PipelineLog(folder, NOBODY)
    for event in (
        TurnStarted("session-1", "turn-1"),
        Planned(Plan(PlanKind.STEPS, Language.PT, STEPS), 0.0015),
        ClinicAsked(1, "clinic_a", "list_available_slots"),
        ClinicAnswered(1, "clinic_a", "list_available_slots", StepStatus.DONE, None, 6, 0.0021),
        Verified("data", SAFE, 0.0005),
        Verified("reply", Verdict(Rule.R2, "R2: for a test"), 0.001),
        TurnFinished(TurnOutcome.PARTIAL, "", 0.4),
    ):
        log(event)


def test_what_the_log_writes_is_read_back(tmp_path: Path) -> None:
    write_a_turn(tmp_path)
    (turn,) = read_turns(log_files(tmp_path))
    assert (turn.session_id, turn.turn_id, turn.outcome) == ("session-1", "turn-1", TurnOutcome.PARTIAL)
    assert [turn.status_of(step) for step in turn.steps] == [StepStatus.DONE, StepStatus.SKIPPED]
    assert turn.broken_rules == {Rule.R2}
    assert turn.broken_rules
    assert turn.elapsed_ms["turn"] == 400


def test_a_field_that_was_added_later_does_no_harm(tmp_path: Path) -> None:
    write_a_turn(tmp_path)
    (file,) = log_files(tmp_path)
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), "novelty": 1}) + "\n", "utf-8")
    assert len(list(read_turns([file]))) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"{}\n", "line 1: schema"), (b"{\n", "line 1: the line: Invalid JSON"), (b"\xff", "byte 0: no UTF-8")],
)
def test_a_file_that_is_no_log_is_an_error_that_names_the_line(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "pipeline_20250101.jsonl"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        list(read_turns([file]))


def test_a_file_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.jsonl: cannot be read"):
        list(read_turns([tmp_path / "none.jsonl"]))
