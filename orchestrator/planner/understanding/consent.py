"""Recognise a plain yes or no to an open proposal; "sim, mas às 10:30" is neither, because a write follows."""

from __future__ import annotations

import re
from functools import cache

from orchestrator.planner.lexicon import phrases, rows, sections
from orchestrator.planner.text import normalise

_THUMBS = {"👍": True, "👌": True, "✅": True, "👎": False, "❌": False}
_LONGEST_ANSWER = 60


def answer(utterance: str, action: str | None = None, *, several: bool = False) -> bool | None:
    """Return True or False when the whole utterance is an answer, else None; an empty one is no.

    Naming `action` consents to it and to no other tool; `several` writes can be consented to as "as duas".
    """
    bare = utterance.strip()
    if not bare:
        return False
    thumb = _THUMBS.get(bare.rstrip("\ufe0f🏻🏼🏽🏾🏿"))
    if thumb is not None:
        return thumb
    folded = re.sub(r"[^a-z0-9']+", " ", normalise(bare[: _LONGEST_ANSWER + 1]).folded).strip()
    if not folded or len(bare) > _LONGEST_ANSWER or "?" in bare:
        return None
    folded = " ".join(_any_of(("closings",)).sub(" ", folded).split())
    naming = (f"yes_to_{action}", *(("yes_to_several",) if several else ()))
    consenting = ("yes", *(name for name in naming if name in sections("smalltalk")))
    for verdict, answers in ((False, ("no",)), (True, consenting)):
        if _only(answers).fullmatch(folded) and _any_of(answers).search(folded):
            return verdict
    return None


def is_closing(folded: str) -> bool:
    """Return whether a folded utterance only thanks and takes leave; "ótimo" and "perfeito" are a yes first."""
    bare = re.sub(r"[^a-z0-9']+", " ", folded).strip()
    courtesies = ("closings", "farewells", "thanks", "greetings")
    if not bare or len(bare) > _LONGEST_ANSWER or not _only(courtesies).fullmatch(bare):
        return False
    return _any_of(("closings", "farewells")).search(bare) is not None or answer(bare) is None


@cache
def _only(answers: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:{_any_of((*answers, 'padding')).pattern} ?)+")


@cache
def _any_of(answers: tuple[str, ...]) -> re.Pattern[str]:
    return phrases([row for answer in answers for row in rows("smalltalk", answer)])
