"""Writes down a statement as it is remembered: the person's own words, spelled out.

What it writes reads well back to the person ("não posso às sextas"), and the grammar that found the statement finds it
in there again. It adds nothing to what was said.
"""

from __future__ import annotations

import re

from orchestrator.planner.lexicon import pairs
from orchestrator.planner.text import Text, fold
from orchestrator.turn import Language

_RUN = re.compile(r"[^\s,.;:!?]+")
_WORD = re.compile(r"[A-Za-zÀ-ÿ]+")
_CRASIS = re.compile(r"\bas (?=\d|segundas|terças|quartas|quintas|sextas)")
_AT_PART = re.compile(r"(?<!\bda )\ba (?=tarde\b|noite\b)")


def written(text: Text, start: int, end: int, language: Language) -> str:
    """Returns a stretch of an utterance as it is to be remembered.

    Args:
        text: The utterance, normalised.
        start: Where the statement begins in the folded text.
        end: Where it ends.
        language: The language that it is in.
    """
    first, last = text.original_span(start, end)
    typed = " ".join(text.original[first:last].split())
    typed = typed.lower() if typed.isupper() else typed
    if language is Language.PT:
        plain = _RUN.sub(_without_shorthand, typed)
        spelled = _AT_PART.sub("à ", _CRASIS.sub("às ", _spelled(plain, language)))
    else:
        spelled = _spelled(typed, language)
    spelled = spelled.strip(" ,;:-–—.!")
    return spelled if language is Language.EN else spelled[:1].lower() + spelled[1:]


def _spelled(typed: str, language: Language) -> str:
    words = pairs("spelling", language)
    return _WORD.sub(lambda match: words.get(match.group().lower(), match.group()), typed)


def _without_shorthand(match: re.Match[str]) -> str:
    typed = match.group()
    return pairs("slang", "shorthand").get(fold(typed), typed)
