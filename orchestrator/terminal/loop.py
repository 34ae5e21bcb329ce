"""What the terminals of the clinics and of the research desk share: prompt, command or turn, again."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from orchestrator.console import LONGEST, Progress, TooLongError, TurnRunner, clean
from orchestrator.terminal.dependencies import TerminalDependencies
from orchestrator.terminal.progress_screen import ProgressScreen
from orchestrator.terminal.prompt import Prompt, PromptOptions
from orchestrator.texts import Texts
from orchestrator.turn import Block, Paragraph


class LineTerminal(ABC):
    """A terminal that takes lines; a subclass decides what they are said to."""

    def __init__(self, dependencies: TerminalDependencies, options: PromptOptions, progress: Progress) -> None:
        self._dependencies = dependencies
        self._prompt = Prompt(dependencies, options)
        self._runner = TurnRunner(progress, ProgressScreen(progress, self._prompt, dependencies.renderer))

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

    @abstractmethod
    def _on_end(self) -> str | None:
        """Return the answer to Ctrl-D, or to the end of the keys; None to leave."""

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
