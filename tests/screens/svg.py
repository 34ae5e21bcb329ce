"""A terminal's screen as SVG, the same bytes for the same screen, with fonts of the reader's own machine only."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import groupby

from pyte.screens import Char
from rich.console import Console
from rich.style import Style
from rich.text import Text

_FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{
        font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace;
        font-size: {char_height}px;
        line-height: {line_height}px;
        font-variant-east-asian: full-width;
    }}
    .{unique_id}-title {{
        font-size: 18px;
        font-weight: bold;
        font-family: arial;
    }}
    {styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
      <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""
"""rich's own form without the web fonts that it would load."""

_OTHER_NAMES = {"brown": "yellow", "brightbrown": "bright_yellow"}
"""What pyte calls otherwise than rich does."""


def svg_of(cells: Sequence[Sequence[Char]], title: str) -> str:
    """Return a screen as SVG.

    Args:
        cells: The rows from the top; empty ones at the end, and more than one together, are left out.
        title: What stands above it.
    """
    rows = [_text(row) for row in cells]
    kept = [row for place, row in enumerate(rows) if row.plain or (place and rows[place - 1].plain)]
    while kept and not kept[-1].plain:
        kept.pop()
    console = Console(
        record=True,
        width=max(row.cell_len for row in kept),
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for row in kept:
        console.print(row, no_wrap=True)
    svg = console.export_svg(title=title, code_format=_FORMAT, unique_id="screen")
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def _text(row: Sequence[Char]) -> Text:
    text = Text()
    for style, cells in groupby(row, _style):
        text.append("".join(cell.data for cell in cells), style)
    text.rstrip()
    return text


def _style(cell: Char) -> Style:
    return Style(
        color=_colour(cell.fg), bgcolor=_colour(cell.bg), bold=cell.bold, italic=cell.italics, reverse=cell.reverse
    )


def _colour(name: str) -> str | None:
    if name == "default":
        return None
    if len(name) == 6 and all(letter in "0123456789abcdef" for letter in name):
        return f"#{name}"
    return _OTHER_NAMES.get(name, name.replace("bright", "bright_"))
