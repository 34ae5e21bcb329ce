"""How many writers are worth waiting for before a commit, learnt from how many came before.

A commit costs the same for one write as for many, and writers who were answered together soon come back together. It
only counts: who waits, and for how long, is `clinics.store`.
"""

from __future__ import annotations

MOST = 16
"""Writers that are waited for at most; beyond, a commit costs each of them little."""


class Company:
    """The writers that come together.

    Attributes:
        expected: How many writes the next batch is likely to have; 1 where nobody is to be waited for.
    """

    __slots__ = ("expected",)

    def __init__(self) -> None:
        self.expected = 1

    def came(self, writes: int) -> None:
        """Learn from a batch.

        Args:
            writes: How many it had; at least one.
        """
        if writes == 1 or writes < self.expected:
            # Slowly, since who was late once comes back; a single writer is soon not kept waiting.
            self.expected = (writes + self.expected) // 2
        else:
            # One more than came: two halves that take turns would otherwise never be one whole.
            self.expected = min(writes + 1, MOST)
