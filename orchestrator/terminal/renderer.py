"""Draws a reply's blocks with rich: paragraphs, numbered tables with one row marked, cards as panels.

It adds no word to what the blocks say; colour only repeats what a cell says in text. rich itself honours NO_COLOR and
TERM=dumb.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, assert_never

from rich import box
from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from orchestrator.reply import Block, Card, Paragraph, Table
from orchestrator.terminal.mask import mask_cpf
from orchestrator.terminal.utterance import harmless

_MARKED = "bold green"
_LABEL = "bold"


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
            return _grid(block)
        case Card():
            return Panel(_pairs(block.rows), title=_shown(block.title), title_align="left", expand=False)
        case _:
            assert_never(block)


def _grid(table: Table) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in table.columns:
        grid.add_column(_shown(column), overflow="fold")
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
