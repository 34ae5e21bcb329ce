"""The loop of a terminal, the same for the clinics and the research desk: prompt, command or turn, again."""

from collections.abc import Callable
from typing import Protocol

from orchestrator.console import Renderer, TooLongError, clean
from orchestrator.terminal.prompt import Prompt
from orchestrator.texts import Texts
from orchestrator.turn import Paragraph, Proposal

AGAIN_WITHIN_S = 2.0  # within how long a second Ctrl-C leaves


class Counterpart(Protocol):
    """Whom the person talks to: the clinics or the research desk."""

    def take(self, line: str) -> bool:
        """Run a command or take a turn, and return whether the person stays."""

    def too_long(self, length: int) -> str:
        """Return the text for a line that is too long."""

    def on_end(self) -> str | None:
        """Return the answer to Ctrl-D, or to the end of the keys; None to leave."""

    def on_interrupt(self) -> str | None:
        """Return the answer to Ctrl-C on an empty line; None to leave."""


def take_lines(
    prompt: Prompt, renderer: Renderer, counterpart: Counterpart, on_wait: Callable[[], None] = lambda: None
) -> None:
    """Take lines until the person leaves."""
    said: str | None
    while True:
        try:
            line = clean(prompt.ask(pre_run=on_wait))
        except EOFError:
            said = counterpart.on_end()
        except KeyboardInterrupt:
            said = counterpart.on_interrupt()
        except TooLongError as error:
            said = counterpart.too_long(error.length)
        else:
            if counterpart.take(line):
                continue
            return
        if said is None:
            return
        renderer.show([Paragraph(said)])


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
