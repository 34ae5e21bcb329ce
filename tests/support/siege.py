"""How much of a long test a run plays: all of it in a siege (`make siege-cases`), else a fixed part of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

PROFILE = "siege"
_SHARE_OF_CASES, _SHARE_OF_TRIES = 8, 4

_T = TypeVar("_T")


def is_siege() -> bool:
    """Return whether this run plays all."""
    return settings.get_current_profile_name() == PROFILE


def some_of(cases: Sequence[_T]) -> list[_T]:
    """Return all cases in a siege, else an eighth of them, always the same."""
    return list(cases) if is_siege() else random.Random(1).sample(cases, -(-len(cases) // _SHARE_OF_CASES))


def tries(whole: int) -> int:
    """Return how often a siege tries something, or else a quarter of that."""
    return whole if is_siege() else -(-whole // _SHARE_OF_TRIES)
