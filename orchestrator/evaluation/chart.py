"""The chart of an evaluation: a bar for each rate, with a whisker for its 95 % interval, as SVG to print."""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from orchestrator.evaluation.figures import Figure
from orchestrator.evaluation.measures import value_of

_LEFT, _PLOT, _WIDTH, _ROW, _TOP = 270, 400, 740, 26, 20
_TEXT = 'font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222222"'
_COLOURS = {False: "#2f6690", True: "#b08968"}  # by whether less is better


def chart_of(figures: Sequence[Figure]) -> str:
    """Return the figures as an SVG document, one below the other."""
    bottom = _TOP + _ROW * len(figures)
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + 50}" role="img" {_TEXT}>',
        "<title>Rates with their 95 % intervals</title>",
        f'<rect width="{_WIDTH}" height="{bottom + 50}" fill="#ffffff"/>',
        *(_label(_x(tick / 100), bottom + 16, f"{tick} %", "middle") for tick in range(0, 101, 20)),
        *(line for place, figure in enumerate(figures) for line in _bar(figure, _TOP + _ROW * place + 9)),
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
    width, colour = rate.value * _PLOT, _COLOURS[figure.lower_is_better]
    yield f'<rect x="{_LEFT}" y="{middle - 6}" width="{width:.1f}" height="12" fill="{colour}"/>'
    yield f'<path d="M{low} {middle - 4}v8m0 -4H{high}m0 -4v8" stroke="#222222" fill="none"/>'


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _x(share: float) -> float:
    return round(_LEFT + share * _PLOT, 1)
