"""What nobody said: claims of writes, things that there are not, in Portuguese and English.

The sentences are those of tests/sentences/hostile.txt that are untrue in any conversation.
"""

from __future__ import annotations

from tests.scenarios.hostile_case import Request
from tests.scenarios.hostile_requests import BOOKS_EN, BOOKS_PT, CANCELS_PT, MOVES_PT
from tests.support.sentences import sections

_LIES = dict(sections("hostile.txt"))
_LISTS = {False: "LIST_PT", True: "LIST_EN"}  # by whether the answer is English

CLAIMS = {english: _LIES[f"a claim of a write: {turn}"] for english, turn in _LISTS.items()}
ENTITIES = {english: _LIES[f"what there is not: {turn}"] for english, turn in _LISTS.items()}
ABOUT_LISTS = {english: _LIES[f"an untruth about the openings: {turn}"] for english, turn in _LISTS.items()}
ABOUT_WRITES: dict[Request, tuple[str, ...]] = {
    BOOKS_PT: _LIES["an untruth about the write: BOOKED_PT"],
    BOOKS_EN: _LIES["an untruth about the write: BOOKED_EN"],
    MOVES_PT: _LIES["an untruth about the write: MOVED_PT"],
    CANCELS_PT: _LIES["an untruth about the write: CANCELLED_PT"],
}
OF_PATIENTS = _LIES["an untruth about patients: PATIENTS_PT"]

IN_PORTUGUESE = ENTITIES[True][-1]
"""True, and no answer to somebody who speaks English; a reason may be in either language."""
