"""What the terminals of the clinics and of the research desk share: prompt, command or turn, again.

The progress of a turn is drawn above the cursor; Esc or Ctrl-C cancels it, other keys are neither shown nor kept.
"""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.renderer import CPR_Support

from orchestrator.console import LONGEST, Progress, TooLongError, TurnRunner, clean, quiet_input
from orchestrator.terminal.prompt import Prompt, PromptOptions, TerminalDependencies
from orchestrator.terminal.secrecy import forget_typed_ahead
from orchestrator.texts import Texts
from orchestrator.turn import Block, Paragraph

_UNSEEN_S = 0.05  # a turn that is over sooner draws nothing, so that nothing flickers

_REDRAW_S = 0.1
_ESCAPE_S = 0.05  # how long an Esc may be the beginning of another key


class LineTerminal(ABC):
    """A terminal that takes lines; a subclass decides what they are said to."""

    def __init__(self, dependencies: TerminalDependencies, options: PromptOptions, progress: Progress) -> None:
        self._dependencies = dependencies
        self._prompt = Prompt(dependencies, options)
        self._progress = progress
        self._runner = TurnRunner(progress, self._await)

    @property
    @abstractmethod
    def _texts(self) -> Texts:
        """The texts of its language."""

    @abstractmethod
    def _take(self, line: str) -> bool:
        """Run a command or take a turn, and return whether the person stays."""

    @abstractmethod
    def _on_interrupt(self) -> str | None:
        """Return the answer to Ctrl-C on an empty line; None to leave."""

    def _on_end(self) -> str | None:
        """Return the answer to Ctrl-D, or to the end of the keys; None to leave, as where all is kept."""
        return None

    def _take_lines(self, on_wait: Callable[[], None] = lambda: None) -> None:
        said: str | None
        while True:
            try:
                line = clean(self._prompt.ask(pre_run=on_wait))
            except EOFError:
                said = self._on_end()
            except KeyboardInterrupt:
                said = self._on_interrupt()
            except TooLongError as error:
                said = self._texts.text("terminal.too_long", length=error.length, limit=LONGEST)
            else:
                if self._take(line):
                    continue
                return
            if said is None:
                return
            self._say(said)

    def _show(self, *blocks: Block) -> None:
        self._dependencies.renderer.show(blocks)

    def _say(self, text: str) -> None:
        self._show(Paragraph(text))

    def _await(self, turn: Future[Any], cancel: Callable[[], None]) -> None:
        with quiet_input():
            if wait([turn], timeout=_UNSEEN_S).not_done:
                self._watch(turn, cancel)
            forget_typed_ahead(self._prompt.app.input)
        for line in self._progress.kept():
            self._dependencies.renderer.say(line)

    def _watch(self, turn: Future[Any], cancel: Callable[[], None]) -> None:
        keys = KeyBindings()
        keys.add("escape", eager=True)(lambda _: cancel())
        keys.add("c-c")(lambda _: cancel())
        drawing = FormattedTextControl(lambda: "\n".join(self._progress.lines()))
        app: Application[None] = Application(
            layout=Layout(Window(drawing, dont_extend_height=True)),
            key_bindings=keys,
            input=self._prompt.app.input,
            output=DummyOutput() if self._dependencies.renderer.plain else self._prompt.app.output,
            erase_when_done=True,
            refresh_interval=_REDRAW_S,
        )
        app.ttimeoutlen = _ESCAPE_S
        # Where the cursor is need not be known, and an answer that comes late would be taken for keys.
        app.renderer.cpr_support = CPR_Support.NOT_SUPPORTED
        app.before_render += lambda _: self._progress.look()

        def leave() -> None:
            if app.is_running and not app.is_done:
                app.exit()

        def leave_soon(_: Future[Any]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended before the turn, because the keys have
                if app.loop is not None:
                    app.loop.call_soon_threadsafe(leave)

        try:
            # Ctrl-C as a signal is the runner's, whether this runs or not.
            app.run(pre_run=lambda: turn.add_done_callback(leave_soon), handle_sigint=False)
        except EOFError:
            wait([turn])  # the keys have ended; the turn goes on, and nobody is taken to have said anything
