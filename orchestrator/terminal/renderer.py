"""Draws a reply's blocks with rich: paragraphs, numbered tables with one row marked, cards as panels.

It adds no word to what the blocks say; colour only repeats what a cell says in text. rich itself honours NO_COLOR and
TERM=dumb.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, assert_never

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from orchestrator.reply import Block, Card, Paragraph, Table
from orchestrator.terminal.mask import mask_cpf
from orchestrator.terminal.utterance import harmless

_MARKED = "bold green"
_LABEL = "bold"
_GAP = 2
"""Columns between two cells: a list of openings with the longest weekday fits 80 without a break."""


class Renderer:
    """Draws blocks on a console.

    Args:
        file: Where to draw; standard output unless given.
        width: Columns; the terminal's own unless given.
    """

    def __init__(self, file: IO[str] | None = None, width: int | None = None) -> None:
        # What clinics say is text, never markup.
        self.console = Console(file=file, width=width, markup=False, highlight=False, emoji=False)

    def show(self, blocks: Iterable[Block]) -> None:
        """Draw blocks one below the other, each with an empty line after it."""
        for block in blocks:
            self.console.print(drawing(block))
            self.console.print()


def drawing(block: Block) -> RenderableType:
    """Return what rich draws for a block."""
    match block:
        case Paragraph(text):
            return _shown(text)
        case Table():
            return _FittedTable(block)
        case Card():
            return Panel(_pairs(block.rows), title=_shown(block.title), title_align="left", expand=False)
        case _:
            assert_never(block)


@dataclass(frozen=True, slots=True)
class _FittedTable:
    """A table with columns, of which the widest may break its lines; a line a row where that is not enough."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = list(zip(self.table.columns, *self.table.rows, strict=True))
        widths = [max(cell_len(mask_cpf(cell)) for cell in column) for column in columns]
        widest = widths.index(max(widths))
        longest_word = max((cell_len(word) for cell in columns[widest] for word in cell.split()), default=0)
        left = options.max_width - sum(widths) + widths[widest] - _GAP * (len(widths) - 1)
        if left >= longest_word:
            widths[widest] = min(widths[widest], left)
            yield _grid(self.table, widths)
        else:
            yield from _lines(self.table)


def _lines(table: Table) -> Iterable[Text]:
    for index, row in enumerate(table.rows):
        line = _shown(" · ".join(cell for cell in row if cell))
        line.stylize(_MARKED if index == table.marked else "")
        yield line


def _grid(table: Table, widths: Iterable[int]) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    for heading, width in zip(table.columns, widths, strict=True):
        grid.add_column(_shown(heading), width=width)
    for index, row in enumerate(table.rows):
        grid.add_row(*(_shown(cell) for cell in row), style=_MARKED if index == table.marked else None)
    return grid


def _pairs(rows: Iterable[tuple[str, str]]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=_LABEL)
    grid.add_column(overflow="fold")
    for label, value in rows:
        grid.add_row(_shown(label), _shown(value))
    return grid


def _shown(text: str) -> Text:
    return Text(mask_cpf(harmless(text)))
