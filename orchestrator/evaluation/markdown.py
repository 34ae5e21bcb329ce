"""The report as Markdown: tables to print, and what every missed query lacked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from orchestrator.evaluation.account import (
    LATENCY_HEADINGS,
    MODEL_TITLE,
    RATE_HEADINGS,
    Occasion,
    latency_row,
    missed,
    model_sentence,
    percent,
    rate_row,
)
from orchestrator.evaluation.evaluation import Evaluation


def markdown_of(evaluation: Evaluation, occasion: Occasion, chart: str) -> str:
    """Return the report.

    Args:
        evaluation: What came of the suite.
        occasion: What was evaluated.
        chart: The chart's file name, beside the report.
    """
    return "\n".join(_lines(evaluation, occasion, chart)) + "\n"


def _lines(evaluation: Evaluation, occasion: Occasion, chart: str) -> Iterator[str]:
    figures = evaluation.figures
    yield "# Evaluation"
    yield ""
    runs = "one run" if figures.runs == 1 else f"{figures.runs} runs"
    yield (
        f"{figures.queries} queries of `{occasion.suite}`, {runs}, {figures.turns} turns; "
        f"planner `{occasion.planner}`; agenda `{occasion.agenda}` at {occasion.now}; {occasion.at:%Y-%m-%d %H:%M %Z}."
    )
    yield "What the figures mean is in docs/evaluation.md. Intervals are Wilson's, at 95 %."
    yield ""
    yield f"![Rates with their 95 % intervals]({chart})"
    for title, group in (
        ("Blueprint figures", figures.blueprint),
        ("Stricter figures", figures.strict),
        (MODEL_TITLE, figures.model),
        ("Strict success by kind of query", figures.breakdown),
    ):
        if group:
            yield from _section(title, RATE_HEADINGS, map(rate_row, group))
    if figures.model_use.calls:
        yield ""
        yield model_sentence(figures.model_use)
    yield ""
    yield f"Writes that nobody asked for, a wrong day or time among them: **{figures.stray_writes}**."
    repeats = ((f"pass^{k}", percent(share)) for k, share in figures.pass_k.items())
    yield from _section("Reliability", ("measure", "value"), repeats)
    yield from _section("Latency by stage", LATENCY_HEADINGS, map(latency_row, figures.latencies))
    yield ""
    yield "## Missed queries"
    yield ""
    yield from [f"- {each}" for each in missed(evaluation.scores)] or ["None."]


def _section(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    yield _row(headings)
    yield _row(["---"] * len(headings))
    yield from map(_row, rows)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
