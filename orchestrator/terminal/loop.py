"""What the terminals of the clinics and of the research desk share: prompt, command or turn, again."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from orchestrator.console import LONGEST, Progress, TooLongError, TurnRunner, clean
from orchestrator.terminal.dependencies import TerminalDependencies
from orchestrator.terminal.progress_screen import ProgressScreen
from orchestrator.terminal.prompt import Prompt, PromptOptions
from orchestrator.texts import Texts
from orchestrator.turn import Block, Paragraph, Proposal

AGAIN_WITHIN_S = 2.0  # within how long a second Ctrl-C leaves


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


class ExitKeys:
    """Decide whether Ctrl-C or Ctrl-D leaves, or is asked about first.

    The question is never answered with a yes, which consents to a proposal: the same key again is the answer.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._interrupted_at: float | None = None
        self._has_ended = False

    def stays(self) -> None:
        """Forget the keys: whoever enters a line is not leaving."""
        self._interrupted_at = None
        self._has_ended = False

    def on_interrupt(self, texts: Texts) -> str | None:
        """Return the answer to Ctrl-C on an empty line; None when it leaves."""
        now = self._clock()
        if self._interrupted_at is not None and now - self._interrupted_at <= AGAIN_WITHIN_S:
            return None
        self._interrupted_at = now
        return texts.text("terminal.interrupt_hint")

    def on_end(self, proposal: Proposal | None, texts: Texts) -> str | None:
        """Return the answer to Ctrl-D, or to the end of the input; None when it leaves."""
        if proposal is None or self._has_ended:
            return None
        self._has_ended = True
        return texts.text("terminal.end_hint_unsettled" if proposal.attempted else "terminal.end_hint")
