"""How often one person may have a language model asked: for plans, observations, and answers to what no agent is for.

Within this process only. Audits, reviews and wordings follow from those, so that they need no limit of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from mesh.rate import TokenBucket
from orchestrator.turn import Purpose


class Throttle:
    """Token buckets by purpose.

    Args:
        buckets: Who may ask how often, by what for; a purpose without one has no limit.
    """

    def __init__(self, buckets: Mapping[Purpose, TokenBucket]) -> None:
        self._buckets = buckets

    def take(self, purpose: Purpose, speaker: str) -> float | None:
        """Return None when a model may be asked, else the seconds until it may."""
        bucket = self._buckets.get(purpose)
        return None if bucket is None else bucket.take(speaker)


UNTHROTTLED = Throttle({})
"""For evaluations, which ask as fast as they can on purpose."""


def throttle_of_people() -> Throttle:
    """Return the limits for people: more than anybody types, less than a script in a loop would spend."""
    plans = TokenBucket(60, 1.0)
    return Throttle(
        {Purpose.PLAN: plans, Purpose.REPAIR: plans, Purpose.STRUCTURE: plans, Purpose.ANSWER: TokenBucket(5, 1 / 12)}
    )
