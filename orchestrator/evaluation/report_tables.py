"""The report of an evaluation: as a screen, as Markdown to read, as JSON to compute with, and with its chart as SVG."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import starmap
from pathlib import Path
from xml.sax.saxutils import escape

from rich import box
from rich.console import Group
from rich.table import Table

from orchestrator import turn
from orchestrator.evaluation import figures
from orchestrator.evaluation.figures import Evaluation, Figure, ModelUse, band_of, percent, value_of
from orchestrator.evaluation.judgement import Score

SCHEMA = "clinic-mesh.evaluation/1"  # version of the JSON; it changes when a field is renamed or removed

RECORD, _CHART = "evaluation.json", "evaluation.svg"
RATE_HEADINGS = ("figure", "value", "95 % interval", "count", "band")
_GROUPS = {
    "blueprint": "Blueprint figures",
    "strict": "Stricter figures",
    "model": "The model alone, before code completed and checked its plans",
    "breakdown": "Strict success by kind of query",
}

_LEFT, _PLOT, _WIDTH, _ROW, _TOP = 270, 400, 740, 26, 20  # the chart, in pixels
_TEXT = 'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222222"'
_COLOUR, _LESS_IS_BETTER = "#2f6690", dict.fromkeys(("hr", "pvr", "misroute"), "#b08968")


@dataclass(frozen=True, slots=True)
class Occasion:
    """What was evaluated, and when."""

    planner: str
    suite: str
    agenda: str
    now: str  # the instant at which the clinics' clock stood still
    at: datetime  # when the evaluation began, real time, aware


def missed(scores: Iterable[Score]) -> Sequence[str]:
    """Return the queries with misses; equal misses of one query are counted together."""
    counts = Counter((score.query.id, score.misses) for score in scores if not score.success)
    return [
        f"{query} ({runs} run{'s' if runs > 1 else ''}): {'; '.join(misses)}"
        for (query, misses), runs in counts.items()
    ]


def _rate_row(figure: Figure) -> tuple[str, str, str, str, str]:
    rate = figure.rate
    interval = figures.NOTHING if rate.interval is None else " to ".join(percent(bound) for bound in rate.interval)
    band = band_of(rate) if figure.key == "tsr" else None  # no other has one
    return figure.title, value_of(rate), interval, f"{rate.hits}/{rate.trials}", band or ""


def _model_sentence(use: ModelUse) -> str:
    failed = ", ".join(f"{count} {reason}" for reason, count in use.failures.items()) or "none"
    cost = "no prices are set" if use.cost_usd is None else f"US$ {use.cost_usd:.4f}"
    return (
        f"Calls of the model: {use.calls}; failed: {failed}; "
        f"tokens: {use.prompt_tokens} read, {use.completion_tokens} written; cost: {cost}."
    )


def markdown_of(evaluation: Evaluation, occasion: Occasion) -> str:
    """Return the report as Markdown."""
    runs = "one run" if evaluation.runs == 1 else f"{evaluation.runs} runs"
    asked = f"{evaluation.queries} queries of `{occasion.suite}`, {runs}, {evaluation.turns} turns"
    setting = f"planner `{occasion.planner}`; agenda `{occasion.agenda}` at {occasion.now}"
    latencies = starmap(figures.latency_row, evaluation.latencies.items())
    repeats = [(f"pass^{k}", percent(share)) for k, share in evaluation.pass_k.items()]
    parts = (
        "# Evaluation",
        f"{asked}; {setting}; {occasion.at:%Y-%m-%d %H:%M %Z}.\nWhat the figures mean is in docs/evaluation.md.",
        "Intervals are Wilson's, at 95 %.",
        f"![Rates with their 95 % intervals]({_CHART})",
        *(
            _section(title, RATE_HEADINGS, map(_rate_row, group))
            for name, title in _GROUPS.items()
            if (group := getattr(evaluation, name))
        ),
        *((_model_sentence(evaluation.model_use),) if evaluation.model_use.calls else ()),
        f"Writes that nobody asked for, a wrong day or time among them: **{evaluation.stray_writes}**.",
        _section("Reliability", ("measure", "value"), repeats),
        _section("Latency by stage", figures.LATENCY_HEADINGS, latencies),
        "## Missed queries",
        "\n".join(f"- {each}" for each in missed(evaluation.scores)) or "None.",
    )
    return "\n\n".join(parts) + "\n"


def _section(title: str, headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return f"## {title}\n\n{turn.markdown(turn.Table(headings, tuple(rows)))}"


def screen_of(evaluation: Evaluation) -> Group:
    """Return the evaluation as rich draws it."""
    latencies = starmap(figures.latency_row, evaluation.latencies.items())
    rates = [(title, getattr(evaluation, name)) for name, title in _GROUPS.items() if name != "breakdown"]
    return Group(
        *(drawn_table(title, RATE_HEADINGS, map(_rate_row, group)) for title, group in rates if group),
        *((_model_sentence(evaluation.model_use),) if evaluation.model_use.calls else ()),
        drawn_table("Latency by stage", figures.LATENCY_HEADINGS, latencies),
        "   ".join(f"pass^{k} {percent(share)}" for k, share in evaluation.pass_k.items()),
        f"Writes that nobody asked for: {evaluation.stray_writes}",
        *(f"missed: {each}" for each in missed(evaluation.scores)),
    )


def drawn_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Return a table for a screen; numbers stand to the right."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place and heading != "band" else "left")
    for row in rows:
        table.add_row(*row)
    return table


def write_report(folder: Path, evaluation: Evaluation, occasion: Occasion) -> None:
    """Write evaluation.md, .svg, and .json as docs/evaluation.md describes them; raise `OSError` if that fails."""
    record = {
        "schema": SCHEMA,
        **asdict(occasion),
        "at": occasion.at.isoformat(timespec="seconds"),
        **{name: getattr(evaluation, name) for name in ("queries", "runs", "turns", "stray_writes", "pass_k")},
        "tsr_band": band_of(evaluation.rate("tsr")),
        **{name: {figure.key: _rate(figure) for figure in getattr(evaluation, name)} for name in _GROUPS},
        "model_use": asdict(evaluation.model_use),
        "latencies": {stage: {"stage": stage, **asdict(one)} for stage, one in evaluation.latencies.items()},
        "scores": [
            {"query": score.query.id, "aim": score.query.aim}
            | {name: getattr(score, name) for name in ("run", "success", "task_success", "misses")}
            for score in evaluation.scores
        ],
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECORD).write_text(json.dumps(record, ensure_ascii=False, indent=2) + "\n", "utf-8")
    (folder / "evaluation.md").write_text(markdown_of(evaluation, occasion), "utf-8")
    (folder / _CHART).write_text(_chart_of((*evaluation.blueprint, *evaluation.strict)), "utf-8")


def _rate(figure: Figure) -> dict[str, object]:
    low, high = figure.rate.interval or (None, None)
    counts = {"hits": figure.rate.hits, "trials": figure.rate.trials}
    return {"title": figure.title, "value": figure.rate.value, "low": low, "high": high, **counts}


def _chart_of(shown: Sequence[Figure]) -> str:
    bottom = _TOP + _ROW * len(shown)
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + 50}" role="img" {_TEXT}>',
        "<title>Rates with their 95 % intervals</title>",
        f'<rect width="{_WIDTH}" height="{bottom + 50}" fill="#ffffff"/>',
        *(_label(_x(tick / 100), bottom + 16, f"{tick} %", "middle") for tick in range(0, 101, 20)),
        *(line for place, figure in enumerate(shown) for line in _bar(figure, _TOP + _ROW * place + 9)),
        _label(_LEFT, bottom + 40, "blue: higher is better; brown: lower is better; line: 95 % interval", "start"),
        "</svg>\n",
    )
    return "\n".join(lines)


def _bar(figure: Figure, middle: int) -> Iterator[str]:
    rate = figure.rate
    yield _label(_LEFT - 10, middle + 4, figure.title, "end")
    yield _label(_WIDTH - 6, middle + 4, value_of(rate), "end")
    if rate.value is None or rate.interval is None:
        return
    low, high = map(_x, rate.interval)
    width, colour = rate.value * _PLOT, _LESS_IS_BETTER.get(figure.key, _COLOUR)
    yield f'<rect x="{_LEFT}" y="{middle - 6}" width="{width:.1f}" height="12" fill="{colour}"/>'
    yield f'<path d="M{low} {middle - 4}v8m0 -4H{high}m0 -4v8" stroke="#222222" fill="none"/>'


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _x(share: float) -> float:
    return round(_LEFT + share * _PLOT, 1)
