"""Write the report of an evaluation into a folder: Markdown to read, JSON to compute with, an SVG chart to print."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from xml.sax.saxutils import escape

from orchestrator.evaluation.evaluation import Evaluation
from orchestrator.evaluation.figures import Figure, band_of
from orchestrator.evaluation.report_tables import Occasion, markdown_of, value_of

SCHEMA = "clinic-mesh.evaluation/1"
"""Version of the JSON; it changes when a field is renamed or removed."""

RECORD = "evaluation.json"
CHART = "evaluation.svg"


def write_report(folder: Path, evaluation: Evaluation, occasion: Occasion) -> None:
    """Write evaluation.md, evaluation.json and evaluation.svg over earlier ones; raise `OSError` if that fails."""
    figures = evaluation.figures
    folder.mkdir(parents=True, exist_ok=True)
    record = json.dumps(record_of(evaluation, occasion), ensure_ascii=False, indent=2)
    (folder / RECORD).write_text(record + "\n", "utf-8")
    (folder / "evaluation.md").write_text(markdown_of(evaluation, occasion, CHART), "utf-8")
    (folder / CHART).write_text(chart_of((*figures.blueprint, *figures.strict)), "utf-8")


def record_of(evaluation: Evaluation, occasion: Occasion) -> dict[str, object]:
    """Return the report as JSON; docs/evaluation.md describes the form."""
    figures = evaluation.figures
    groups = {name: getattr(figures, name) for name in ("blueprint", "strict", "model", "breakdown")}
    return {
        "schema": SCHEMA,
        **asdict(occasion),
        "at": occasion.at.isoformat(timespec="seconds"),
        **{name: getattr(figures, name) for name in ("queries", "runs", "turns", "stray_writes", "pass_k")},
        "tsr_band": band_of(figures.rate("tsr")),
        **{name: {figure.key: _rate(figure) for figure in group} for name, group in groups.items()},
        "model_use": asdict(figures.model_use),
        "latencies": {one.stage: asdict(one) for one in figures.latencies},
        "scores": [
            {"query": score.query.id, "aim": score.query.aim}
            | {name: getattr(score, name) for name in ("run", "success", "task_success", "misses")}
            for score in evaluation.scores
        ],
    }


def _rate(figure: Figure) -> dict[str, object]:
    low, high = figure.rate.interval or (None, None)
    bounds: dict[str, object] = {"title": figure.title, "value": figure.rate.value, "low": low, "high": high}
    return bounds | {"hits": figure.rate.hits, "trials": figure.rate.trials}


_LABELS, _PLOT, _VALUES = 270, 400, 70
_ROW, _BAR, _TOP, _BOTTOM = 26, 12, 20, 50
_WIDTH = _LABELS + _PLOT + _VALUES
_TICKS = (0, 20, 40, 60, 80, 100)
_TEXT = 'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222222"'
_MORE_IS_BETTER, _LESS_IS_BETTER, _INK, _GRID = "#2f6690", "#b08968", "#222222", "#d9d9d9"


def chart_of(figures: Sequence[Figure]) -> str:
    """Return a chart with a bar for each figure and a whisker for its 95 % interval."""
    height = _TOP + _ROW * len(figures) + _BOTTOM
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" {_TEXT}>',
            "<title>Rates with their 95 % intervals</title>",
            f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
            *_axis(_TOP + _ROW * len(figures)),
            *(line for place, figure in enumerate(figures) for line in _bar(figure, _TOP + _ROW * place)),
            *_legend(height - 10),
            "</svg>\n",
        )
    )


def _axis(bottom: int) -> Iterator[str]:
    for tick in _TICKS:
        x = _x(tick / 100)
        yield f'<line x1="{x}" y1="{_TOP - 6}" x2="{x}" y2="{bottom}" stroke="{_GRID}"/>'
        yield f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{tick} %</text>'


def _bar(figure: Figure, top: int) -> Iterator[str]:
    rate, middle = figure.rate, top + _ROW / 2 - 4
    yield f'<text x="{_LABELS - 10}" y="{middle + 4}" text-anchor="end">{escape(figure.title)}</text>'
    yield f'<text x="{_WIDTH - 6}" y="{middle + 4}" text-anchor="end">{escape(value_of(rate))}</text>'
    if rate.value is None or rate.interval is None:
        return
    colour = _LESS_IS_BETTER if figure.lower_is_better else _MORE_IS_BETTER
    low, high = map(_x, rate.interval)
    width = round(_x(rate.value) - _x(0), 1)
    yield f'<rect x="{_x(0)}" y="{middle - _BAR / 2}" width="{width}" height="{_BAR}" fill="{colour}"/>'
    yield (
        f'<path d="M{low} {middle - 4}V{middle + 4}M{low} {middle}H{high}M{high} {middle - 4}V{middle + 4}" '
        f'stroke="{_INK}" stroke-width="1.3" fill="none"/>'
    )


def _legend(baseline: int) -> Iterator[str]:
    for x, colour, text in ((0, _MORE_IS_BETTER, "higher is better"), (130, _LESS_IS_BETTER, "lower is better")):
        yield f'<rect x="{_LABELS + x}" y="{baseline - 9}" width="10" height="10" fill="{colour}"/>'
        yield f'<text x="{_LABELS + x + 15}" y="{baseline}">{text}</text>'
    yield f'<text x="{_LABELS + 255}" y="{baseline}">whisker: 95 % interval</text>'


def _x(share: float) -> float:
    return round(_LABELS + share * _PLOT, 1)
