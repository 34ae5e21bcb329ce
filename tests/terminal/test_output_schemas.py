"""What scripts read is what docs/output-schema.md and docs/plan.md say, field by field, from real processes."""

import json
from collections.abc import Iterator

import pytest

from tests.support.home import Home
from tests.support.output_schema import DOCS, assert_documented

WHO = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
LINES = """\
lembre que prefiro consultas de manhã
horários de cardiologia
marque com o Dr. Ricardo Lopes dia 23/07 às 8h
qual a dose de losartana que devo tomar?
"""
_, LISTING, BOOKING, _ = LINES.splitlines()
TURN, STATUS, STATS = (f"## `{command}`" for command in ("--output jsonl", "status -o json", "stats -o json"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A machine on which six clinics run and a short conversation was had."""
    home = Home(tmp_path_factory.mktemp("home"))
    assert home.run("up", "--detach").returncode == 0
    yield home
    home.close()


def test_turns(home: Home) -> None:
    proposed = home.call("--output", "jsonl", lines=LINES, environment=WHO)
    made = home.call("--output", "jsonl", "--yes", lines=BOOKING, environment=WHO)
    records = [json.loads(line) for line in (proposed.stdout + made.stdout).splitlines()]
    for record in records:
        assert_documented(record, TURN)
        for part in ("offers", "proposal", "memory", "receipts"):
            for each in record[part] or ():
                assert_documented(each, f"### Each of `{part}`")
    assert {tuple(record["why"]) for record in records} == {("plan", "routing", "verdicts")}
    assert records[0]["why"]["plan"]["reasoning"]
    assert [record["outcome"] for record in records] == ["ok", "ok", "confirm", "refused", "ok"]
    assert [record["exit_code"] for record in records] == [0, 0, 4, 5, 0]
    assert [bool(record["proposal"]) for record in records] == [False, False, True, False, False]
    assert [bool(record["proposal_id"]) for record in records] == [False, False, True, False, False]
    assert [call["status"] for call in records[0]["memory"]] == ["saved"]
    blocks = (DOCS / "output-schema.md").read_text("utf-8").split("A block has a `type`")[1].split("###")[0]
    assert {f"| `{block['type']}` |" in blocks for record in records for block in record["blocks"]} == {True}
    appointment = records[4]["receipts"][0]["appointment"]
    of_visit = ["appointment_id", "revision", "duration_min"]
    assert list(appointment) == ["clinic", "doctor", "date", "time", *of_visit]


def test_status(home: Home) -> None:
    status = json.loads(home.call("status", "-o", "json").stdout)
    assert_documented(status, STATUS)
    assert status["schema"] == "clinic-mesh.status/1"
    for clinic in status["clinics"]:
        assert_documented(clinic, "### Each of `clinics`")
        assert clinic["uptime_s"] >= 0
        assert clinic["since"].endswith("+00:00")


def test_status_of_clinics_that_do_not_run(home: Home) -> None:
    status = home.call("status", "-o", "json", "--base-port", "1100")
    assert status.returncode == 69
    for clinic in json.loads(status.stdout)["clinics"]:
        assert_documented(clinic, "### Each of `clinics`")
        assert (clinic["pid"], clinic["since"], clinic["uptime_s"], clinic["tools"]) == (None, None, None, None)


def test_stats(home: Home) -> None:
    home.call("ask", LISTING, environment=WHO)
    stats = json.loads(home.call("stats", "-o", "json").stdout)
    assert_documented(stats, STATS)
    assert stats["schema"] == "clinic-mesh.stats/1"
    assert set(stats["partial"]) == {"value", "hits", "trials"}
    assert all(set(each) == {"turns", "p50_ms", "p95_ms", "max_ms"} for each in stats["latencies"].values())
    assert set(stats["clinics"]) >= {"clinic_a", "clinic_c"}  # a proposal of an earlier test asks all clinics


@pytest.mark.long
def test_plans(home: Home) -> None:
    case = {"id": 7, "history": [], "utterance": BOOKING}
    plan = json.loads(home.call("plan", "--input", "-", lines=json.dumps(case)).stdout)
    assert_documented(plan, "## A plan", "plan.md")
    assert plan["id"] == 7
    assert [step["action"] for step in plan["steps"]] == ["book_appointment"]
