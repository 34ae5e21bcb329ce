"""Draw a reply's blocks with rich, or as plain lines; colour only repeats what a cell says."""

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from textwrap import wrap
from typing import IO

from rich import box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from orchestrator.console.utterance import harmless
from orchestrator.privacy import mask_cpf
from orchestrator.turn import Block, Card, Paragraph, Table, plain_text

NARROW = 72  # columns under which a table's rows are cards

_MARKED = "bold green"
_LABEL = "bold"
_BESIDE_OPENINGS = 12  # lines of an answer that are not rows of its list
_BETWEEN, _INDENT = " · ", "    "  # between cells that run on, and before a line that goes on with them
_MOST_LINES = 3  # into which a column may be broken
_GAP = 2  # columns between two cells: a list of openings with the longest weekday fits 80 without a break

_WIPE = "\x1b[H\x1b[2J\x1b[3J"  # ED 2 clears the screen, ED 3 (xterm) the lines that have scrolled away
_DUMB = frozenset({"dumb", "unknown"})


class Display(Enum):
    """How much a terminal is asked to draw; the words are the same."""

    DRAWN = auto()
    PLAIN = auto()  # answers are plain lines; the prompt is drawn
    STILL = auto()  # nothing is ever drawn over, and what is typed is echoed as it comes

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Display":
        """Return what a person asks for by `NO_COLOR` (no-color.org), `TERM=dumb` or `ACCESSIBLE=1`."""
        if environment.get("TERM", "") in _DUMB or environment.get("ACCESSIBLE", "") not in {"", "0"}:
            return cls.STILL
        return cls.PLAIN if environment.get("NO_COLOR") else cls.DRAWN


class Renderer:
    """Draw blocks on a console; `plain` means lines without box, colour or escape sequence."""

    def __init__(self, file: IO[str] | None = None, width: int | None = None, *, plain: bool = False) -> None:
        self.plain = plain
        # What clinics say is text, never markup.
        self.console = Console(
            file=file, width=width, markup=False, highlight=False, emoji=False, color_system=None if plain else "auto"
        )

    def show(self, blocks: Iterable[Block]) -> None:
        """Draw blocks one below the other, each with an empty line after it."""
        with self.console.capture() as capture:
            for block in blocks:
                if self.plain:
                    # A terminal would break a long line inside a word.
                    self.console.print(_shown(_lines(block)), soft_wrap=not self.console.is_terminal)
                else:
                    self.console.print(_drawing(block, self.console.width))
                self.console.print()
        self.write(capture.get())

    def say(self, line: str) -> None:
        """Draw one line of text."""
        self.console.print(_shown(line))

    def write(self, drawn: str) -> None:
        """Put what was drawn on the screen."""
        self.console.file.write(drawn)
        self.console.file.flush()

    def wipe(self) -> bool:
        """Clear the screen and the scrollback, and return whether the terminal supports it."""
        if not self.console.is_terminal or self.console.is_dumb_terminal:
            return False
        self.write(_WIPE)
        return True

    @property
    def page(self) -> int:
        """How many openings are read at a glance on this screen: three to six."""
        width, height = self.console.size
        return min(max((height - _BESIDE_OPENINGS) // (1 if width >= NARROW else 2), 3), 6)


def _drawing(block: Block, width: int) -> RenderableType:
    match block:
        case Paragraph(text):
            return _shown(text)
        case Table():
            return _fitted(block, width)
        case Card():
            return Panel(_pairs(block.rows), title=_shown(block.title), title_align="left", expand=False)


def _fitted(table: Table, width: int) -> RenderableType:
    """Return a table with columns, of which the widest may break its lines; running text where that is not enough."""
    columns = list(zip(table.columns, *table.rows, strict=True))
    widths = [max(cell_len(mask_cpf(cell)) for cell in column) for column in columns]
    widest = widths.index(max(widths))
    longest_word = max((cell_len(word) for cell in columns[widest] for word in cell.split()), default=0)
    left = width - sum(widths) + widths[widest] - _GAP * (len(widths) - 1)
    if width < NARROW or left < max(longest_word, widths[widest] / _MOST_LINES):
        return _running(table, width)
    widths[widest] = min(widths[widest], left)
    return _grid(table, widths)


def _running(table: Table, width: int) -> Group:
    rows = [_shown(_flowed(filter(None, row), width)) for row in table.rows]
    if table.marked is not None:
        rows[table.marked].stylize(_MARKED)
    headings = _shown(_flowed(filter(None, table.columns), width))
    headings.stylize(_LABEL)
    return Group(headings, *rows)


def _flowed(cells: Iterable[str], width: int) -> str:
    lines: list[str] = []
    for cell in cells:
        if lines and cell_len(f"{lines[-1]}{_BETWEEN}{cell}") <= width:
            lines[-1] += f"{_BETWEEN}{cell}"
        else:
            lines += wrap(cell, width, initial_indent=_INDENT if lines else "", subsequent_indent=_INDENT)
    return "\n".join(lines)


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


def _lines(block: Block) -> str:
    # A screen reader reads the headings of a table first.
    if isinstance(block, Table):
        headings = " | ".join(heading for heading in block.columns if heading)
        return f"{headings}\n{plain_text(block)}"
    return plain_text(block)


def _shown(text: str) -> Text:
    return Text(mask_cpf(harmless(text)))
