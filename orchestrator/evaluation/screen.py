"""The report as it is printed in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

from orchestrator.evaluation.account import (
    LATENCY_HEADINGS,
    MODEL_TITLE,
    RATE_HEADINGS,
    latency_row,
    missed,
    model_sentence,
    percent,
    rate_row,
)
from orchestrator.evaluation.evaluation import Evaluation


class Screen:
    """What rich draws for an evaluation."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def __rich_console__(self, _console: Console, _options: ConsoleOptions) -> RenderResult:
        """Yield the tables, then what was missed."""
        figures = self._evaluation.figures
        for title, group in (("Blueprint figures", figures.blueprint), ("Stricter figures", figures.strict)):
            yield _table(title, RATE_HEADINGS, [rate_row(figure) for figure in group])
        if figures.model:
            yield _table(MODEL_TITLE, RATE_HEADINGS, [rate_row(figure) for figure in figures.model])
        if figures.model_use.calls:
            yield model_sentence(figures.model_use)
        yield _table("Latency by stage", LATENCY_HEADINGS, [latency_row(latency) for latency in figures.latencies])
        yield "   ".join(f"pass^{k} {percent(share)}" for k, share in figures.pass_k.items())
        yield f"Writes that nobody asked for: {figures.stray_writes}"
        yield from (f"missed: {each}" for each in missed(self._evaluation.scores))


def _table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if 0 < place < 4 else "left")
    for row in rows:
        table.add_row(*row)
    return table
