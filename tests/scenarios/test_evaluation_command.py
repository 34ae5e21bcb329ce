"""`clinic-mesh eval` and `clinic-mesh trace` as a person runs them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestrator.cli.exit_code import ExitCode
from tests.support.home import Home
from tests.unit.evaluation.lines import booking, listing

SUITE: dict[str, Any] = {
    "schema": "clinic-mesh.queries/1",
    "agenda": "blueprint",
    "now": "2025-07-15T08:00-03:00",
    "queries": [
        {
            "id": "book",
            "language": "pt",
            "category": "normal",
            "turns": [
                {**listing("clinic_a", "clinic_c"), "say": "quero um cardiologista"},
                {**booking("clinic_c"), "say": "dia 18 às 10h com o Dr. Fernando"},
            ],
            "bookings": ["clinic_c 2025-07-18 10:00"],
        }
    ],
}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    person = Home(tmp_path / "home")
    try:
        yield person
    finally:
        person.close()


def test_an_evaluation_prints_figures_and_writes_a_report_that_a_turn_can_be_traced_from(home: Home) -> None:
    suite, report = home.folder / "suite.json", home.folder / "report"
    suite.write_text(json.dumps(SUITE), "utf-8")
    ended = home.call("eval", "--suite", str(suite), "--report", str(report), "--runs", "2")
    assert ended.returncode == ExitCode.OK, ended.stderr
    assert not home.data.exists()  # the person's own clinics and logs are left alone
    assert "TSR, tasks" in ended.stdout
    assert "excellent" in ended.stdout
    record = json.loads((report / "evaluation.json").read_text("utf-8"))
    assert (record["planner"], record["runs"], record["turns"]) == ("local", 2, 4)
    assert record["strict"]["success_writes"]["value"] == 1
    assert {path.name for path in report.iterdir()} == {"evaluation.json", "evaluation.md", "evaluation.svg", "logs"}

    (log,) = (report / "logs").iterdir()
    turn_id = json.loads(log.read_text("utf-8").splitlines()[0])["turn_id"]
    traced = home.call("trace", turn_id, "--log", str(log))
    assert traced.returncode == ExitCode.OK, traced.stderr
    assert "par clinic_a" in traced.stdout
    newest = home.call("trace", "last", "--log-dir", str(report / "logs"))
    assert "Router->>clinic_c: book_appointment(Dr. Fernando Mendes, 2025-07-18, 10:00)" in newest.stdout

    told = home.call("stats", "--log-dir", str(report / "logs"), "--report", str(report))
    assert told.returncode == ExitCode.OK, told.stderr
    assert told.stdout.startswith("4 turns of 2 conversations in ")
    assert "outcomes: 4 ok" in told.stdout
    assert f"wrong clinic, in the evaluation: 0.0 % (0/{record['strict']['misroute']['trials']})" in told.stdout
    counted = json.loads(home.call("stats", "--log", str(log), "-o", "json").stdout)
    assert counted["schema"] == "clinic-mesh.stats/1"
    assert {clinic: calls["calls"] for clinic, calls in counted["clinics"].items()} == {"clinic_a": 2, "clinic_c": 4}
    assert counted["misroute"] is None


@pytest.mark.long
def test_simulated_patients_talk_over_temporary_clinics_and_are_reported(home: Home) -> None:
    report = home.folder / "report"
    ended = home.call("eval", "--patients", "4", "--seed", "3", "--report", str(report))
    assert ended.returncode == ExitCode.OK, ended.stderr
    assert "pass^4" in ended.stdout
    assert ended.stdout.strip() in (report / "patients.md").read_text("utf-8")
    assert not home.data.exists()


def test_the_research_desk_is_measured_by_its_cases_and_what_it_missed_is_named(home: Home) -> None:
    right = {"say": "Como a telemedicina impacta as faltas em adultos?", "version": 1, "verdict": "needs_refinement"}
    turn = {**right, "gaps": ["testabilidade"], "question": right["say"]}
    cases = [
        {"id": "right", "language": "pt", "turns": [turn]},
        {"id": "wrong", "language": "pt", "turns": [{**turn, "verdict": "approved", "lacks": ["FÁLTAS"]}]},
        {"id": "english", "language": "en", "turns": [{"say": "hello", "version": 0, "verdict": None}]},
    ]
    suite = home.folder / "cases.json"
    suite.write_text(json.dumps({"schema": "clinic-mesh.desk-cases/1", "cases": cases}), "utf-8")
    ended = home.call("eval", "--desk", "--suite", str(suite))
    assert ended.returncode == ExitCode.OK, ended.stderr
    shares = {
        row[0]: row[1:] for line in ended.stdout.splitlines() if len(row := re.split(r" {2,}", line.strip())) == 3
    }
    assert shares["versions"] == ["100.0 % (2/2)", "100.0 % (1/1)"]
    assert shares["verdicts"] == shares["questions"] == shares["whole sessions"] == ["50.0 % (1/2)", "100.0 % (1/1)"]
    assert "missed: wrong: verdicts: needs_refinement, not approved" in ended.stdout
    assert not home.data.exists()


@pytest.mark.long
def test_a_suite_with_a_slot_that_does_not_exist_ends_with_2(home: Home) -> None:
    suite = home.folder / "suite.json"
    (query,) = SUITE["queries"]
    suite.write_text(json.dumps({**SUITE, "queries": [{**query, "held": ["clinic_a 2025-07-21 09:15"]}]}), "utf-8")
    ended = home.call("eval", "--suite", str(suite))
    assert ended.returncode == ExitCode.USAGE
    assert "there is no such slot; give --suite" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("eval", "--suite", "none.json"), "none.json: cannot be read"),
        (("eval", "--report", "/dev/null/report"), "--report: /dev/null/report cannot be used"),
        (("trace", "last"), "no such turn"),
        (("trace", "last", "--log", "none.jsonl"), "none.jsonl: cannot be read"),
        (("stats", "--log", "none.jsonl"), "none.jsonl: cannot be read"),
        (("stats", "--report", "none"), "evaluation.json: cannot be read"),
        (("eval", "--runs", "0"), "--runs"),
        (("eval", "--patients", "0"), "--patients"),
        (("eval", "--patients", "4", "--runs", "2"), "--runs is for the queries"),
        (("eval", "--planner", "oracle"), "--planner"),
        (("eval", "--desk", "--suite", "none.json"), "none.json: cannot be read"),
        (("eval", "--desk", "--patients", "4"), "--patients the front desk"),
        (("eval", "--desk", "--report", "out"), "--report is for the queries"),
    ],
)
def test_what_cannot_be_used_is_said_and_ends_with_2(home: Home, arguments: tuple[str, ...], said: str) -> None:
    ended = home.call(*arguments)
    assert ended.returncode == ExitCode.USAGE
    assert said in ended.stderr
