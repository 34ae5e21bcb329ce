"""Writes the report of an evaluation into a folder: Markdown to read, JSON to compute with, a chart to print."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import JsonValue

from orchestrator.evaluation.account import Occasion
from orchestrator.evaluation.chart import chart_of
from orchestrator.evaluation.evaluation import Evaluation
from orchestrator.evaluation.figures import Figure, band_of
from orchestrator.evaluation.judgement import Score
from orchestrator.evaluation.latency import Latency
from orchestrator.evaluation.markdown import markdown_of
from orchestrator.evaluation.proposals import ModelUse

SCHEMA = "clinic-mesh.evaluation/1"
"""Version of the JSON; it changes when a field is renamed or removed."""

RECORD = "evaluation.json"
CHART = "evaluation.svg"


def write_report(folder: Path, evaluation: Evaluation, occasion: Occasion) -> None:
    """Write evaluation.md, evaluation.json and evaluation.svg; those of an earlier evaluation are replaced.

    Raises:
        OSError: The folder cannot be made or written.
    """
    figures = evaluation.figures
    folder.mkdir(parents=True, exist_ok=True)
    record = json.dumps(record_of(evaluation, occasion), ensure_ascii=False, indent=2)
    (folder / RECORD).write_text(record + "\n", "utf-8")
    (folder / "evaluation.md").write_text(markdown_of(evaluation, occasion, CHART), "utf-8")
    (folder / CHART).write_text(chart_of((*figures.blueprint, *figures.strict)), "utf-8")


def record_of(evaluation: Evaluation, occasion: Occasion) -> JsonValue:
    """Return the report as JSON; docs/evaluation.md has the form."""
    figures = evaluation.figures
    return {
        "schema": SCHEMA,
        "at": occasion.at.isoformat(timespec="seconds"),
        "planner": occasion.planner,
        "suite": occasion.suite,
        "agenda": occasion.agenda,
        "now": occasion.now,
        "queries": figures.queries,
        "runs": figures.runs,
        "turns": figures.turns,
        "tsr_band": band_of(figures.rate("tsr")),
        "blueprint": {figure.key: _rate(figure) for figure in figures.blueprint},
        "strict": {figure.key: _rate(figure) for figure in figures.strict},
        "model": {figure.key: _rate(figure) for figure in figures.model},
        "model_use": _model_use(figures.model_use),
        "breakdown": {figure.key: _rate(figure) for figure in figures.breakdown},
        "pass_k": {str(k): share for k, share in figures.pass_k.items()},
        "stray_writes": figures.stray_writes,
        "latencies": {latency.stage: _latency(latency) for latency in figures.latencies},
        "scores": [_score(score) for score in evaluation.scores],
    }


def _rate(figure: Figure) -> JsonValue:
    rate = figure.rate
    low, high = rate.interval or (None, None)
    return {
        "title": figure.title,
        "value": rate.value,
        "low": low,
        "high": high,
        "hits": rate.hits,
        "trials": rate.trials,
    }


def _model_use(use: ModelUse) -> JsonValue:
    return {
        "calls": use.calls,
        "failures": dict(use.failures),
        "prompt_tokens": use.prompt_tokens,
        "completion_tokens": use.completion_tokens,
        "cost_usd": use.cost_usd,
    }


def _latency(latency: Latency) -> JsonValue:
    return {
        "turns": latency.turns,
        "p50_ms": latency.p50_ms,
        "p95_ms": latency.p95_ms,
        "max_ms": latency.max_ms,
    }


def _score(score: Score) -> JsonValue:
    return {
        "query": score.query.id,
        "run": score.run,
        "aim": score.query.aim,
        "success": score.success,
        "task_success": score.task_success,
        "misses": list(score.misses),
    }
