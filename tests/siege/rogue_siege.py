"""Clinics that lie to the orchestrator: every mode, and for writes every deed, and what untrue came of it."""

from __future__ import annotations

import time
from itertools import product

from tests.support.rogue_modes import READING, WRITING
from tests.support.rogue_turns import DEEDS, open_world, untrue

CASES = [*product(WRITING, DEEDS), *((mode, "list") for mode in READING)]


def deceive(seconds: float) -> tuple[int, list[str]]:
    """Play all modes once, and again while there is time; return how many turns were played, and what was untrue."""
    played, found = 0, list[str]()
    ends_at = time.monotonic() + seconds
    with open_world() as world:
        while not played or time.monotonic() < ends_at:
            for mode, deed in CASES:
                found += untrue(world, mode, deed)
                played += 1
    return played, found
