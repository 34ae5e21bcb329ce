"""Show a text that is taller than the screen a page at a time, and leave the screen as it was; write no file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output import Output

from orchestrator.texts import Texts

_NEXT_PAGE = (" ", "pagedown", "f", "c-f")
_PAGE_BEFORE = ("b", "pageup", "c-b")
_NEXT_LINE = ("down", "enter", "j")
_LINE_BEFORE = ("up", "k")
_LEAVE = ("q", "Q", "escape", "c-c", "c-d")


class Pager:
    """A text on a screen of its own."""

    def __init__(self, text: str, texts: Texts) -> None:
        self._lines: Sequence[str] = text.rstrip("\n").split("\n")
        self._texts = texts
        self._top = 0
        self._height = 1

    @property
    def status(self) -> str:
        """What is on the page."""
        last = min(self._top + self._height, len(self._lines))
        return self._texts.text("terminal.turn.page", first=self._top + 1, last=last, total=len(self._lines))

    def show(self, keys: Input, output: Output) -> None:
        """Show until the person leaves; the end of the keys leaves too."""
        height = _height_of(output)
        app: Application[None] = Application(
            layout=Layout(
                HSplit(
                    [
                        Window(FormattedTextControl(lambda: ANSI(self._page(height()))), wrap_lines=False),
                        Window(FormattedTextControl(lambda: self.status), height=1, style="reverse"),
                    ]
                )
            ),
            key_bindings=self._keys(height),
            input=keys,
            output=output,
            full_screen=True,
        )
        try:
            app.run()
        except EOFError:
            return

    def _keys(self, height: Callable[[], int]) -> KeyBindings:
        keys = KeyBindings()

        def scrolling(names: Sequence[str], lines: Callable[[], int]) -> None:
            for name in names:
                keys.add(name)(lambda _: self._scroll(lines(), height()))

        scrolling(_NEXT_PAGE, height)
        scrolling(_PAGE_BEFORE, lambda: -height())
        scrolling(_NEXT_LINE, lambda: 1)
        scrolling(_LINE_BEFORE, lambda: -1)
        scrolling(("g", "home"), lambda: -len(self._lines))
        scrolling(("G", "end"), lambda: len(self._lines))
        for name in _LEAVE:
            keys.add(name, eager=True)(_leave)
        return keys

    def _scroll(self, lines: int, height: int) -> None:
        self._top = max(0, min(self._top + lines, len(self._lines) - height))

    def _page(self, height: int) -> str:
        self._height = height
        self._scroll(0, height)  # the screen may have grown
        return "\n".join(self._lines[self._top : self._top + height])


def _height_of(output: Output) -> Callable[[], int]:
    return lambda: max(1, output.get_size().rows - 1)


def _leave(event: KeyPressEvent) -> None:
    event.app.exit()
