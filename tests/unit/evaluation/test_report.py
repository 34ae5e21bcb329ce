import io
import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from orchestrator.evaluation.figures import figures_of
from orchestrator.evaluation.report_tables import Occasion, screen_of, write_report
from tests.unit.evaluation.lines import line, lists
from tests.unit.evaluation.test_figures import MULTI, RESTRAINT, TASK, failed

OCCASION = Occasion("local", "queries.json", "blueprint", "2025-07-15T08:00-03:00", datetime(2026, 1, 2, tzinfo=UTC))
SCORES = (TASK, MULTI, RESTRAINT, *(replace(score, run=2) for score in (MULTI, RESTRAINT)), failed(TASK, run=2))
EVALUATION = figures_of(SCORES, [line(lists("clinic_a", "clinic_c"))])


def test_the_json_holds_every_figure_with_its_interval(tmp_path: Path) -> None:
    write_report(tmp_path / "new" / "folder", EVALUATION, OCCASION)
    record = json.loads((tmp_path / "new" / "folder" / "evaluation.json").read_text("utf-8"))
    assert record["schema"] == "clinic-mesh.evaluation/1"
    assert record["tsr_band"] == "acceptable"
    tsr = record["blueprint"]["tsr"]
    assert (tsr["hits"], tsr["trials"], tsr["value"]) == (3, 4, 0.75)
    assert 0 < tsr["low"] < 0.75 < tsr["high"] < 1
    assert set(record["blueprint"]) == {"tsr", "tsr_all", "tca", "hr", "pvr", "mcra"}
    assert record["scores"][-1]["misses"] == ["for a test"]
    assert record["pass_k"] == {"1": 0.75, "2": 0.5}
    assert record["latencies"]["route"]["turns"] == 1


def test_the_markdown_has_the_tables_and_the_misses(tmp_path: Path) -> None:
    write_report(tmp_path, EVALUATION, OCCASION)
    text = (tmp_path / "evaluation.md").read_text("utf-8")
    assert "| TSR, tasks | 75.0 % | 19.8 % to 97.3 % | 3/4 | acceptable |" in text
    assert "(evaluation.svg)" in text
    assert "- task (1 run): for a test" in text
    rows = [row for row in text.splitlines() if row.startswith("|")]
    assert {row.count("|") for row in rows} == {3, 6}


def test_the_chart_is_well_formed_and_has_a_bar_and_a_whisker_for_each_rate(tmp_path: Path) -> None:
    write_report(tmp_path, EVALUATION, OCCASION)
    chart = ET.fromstring((tmp_path / "evaluation.svg").read_text("utf-8"))
    rated = len(EVALUATION.blueprint) + len(EVALUATION.strict) - 1  # no query is to be refused
    assert len(chart.findall("{http://www.w3.org/2000/svg}path")) == rated
    assert EVALUATION.rate("refusals").value is None


def test_the_screen_shows_figures_and_each_miss_once() -> None:
    output = io.StringIO()
    Console(file=output, width=120).print(screen_of(EVALUATION))
    assert "acceptable" in output.getvalue()
    assert output.getvalue().count("missed: task (1 run): for a test") == 1


def test_no_report_says_who_spoke(tmp_path: Path) -> None:
    write_report(tmp_path, EVALUATION, OCCASION)
    assert not any("Exemplo Teste" in file.read_text("utf-8") for file in tmp_path.iterdir())
