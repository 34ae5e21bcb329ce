"""Decides whether Ctrl-C or Ctrl-D at the prompt leaves, or is asked about first.

Nobody is asked for a yes: that word consents to a proposal. The same key again is the answer.
"""

from __future__ import annotations

from collections.abc import Callable

from orchestrator.texts import Texts
from orchestrator.turn import Proposal

AGAIN_WITHIN_S = 2.0
"""Within how long a second Ctrl-C leaves."""


class ExitKeys:
    """Remembers what was pressed at the last prompt."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._interrupted_at: float | None = None
        self._has_ended = False

    def stays(self) -> None:
        """Forget the keys: whoever enters a line is not leaving."""
        self._interrupted_at = None
        self._has_ended = False

    def on_interrupt(self, texts: Texts) -> str | None:
        """Return what is said to Ctrl-C on an empty line; None when it leaves."""
        now = self._clock()
        if self._interrupted_at is not None and now - self._interrupted_at <= AGAIN_WITHIN_S:
            return None
        self._interrupted_at = now
        return texts.text("terminal.interrupt_hint")

    def on_end(self, proposal: Proposal | None, texts: Texts) -> str | None:
        """Return what is said to Ctrl-D, or to the end of the input; None when it leaves."""
        if proposal is None or self._has_ended:
            return None
        self._has_ended = True
        return texts.text("terminal.end_hint_unsettled" if proposal.attempted else "terminal.end_hint")
