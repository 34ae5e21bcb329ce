"""Reads wishes about what is remembered: to see it, to have one thing forgotten, the latest, or all of it.

A wish is the whole utterance, but for courtesies: "apaga tudo" is one, "apaga tudo e marca com o Dr. Ricardo" is none,
and neither is an order to forget one's instructions, which `safety` refuses.
"""

from __future__ import annotations

import re
from functools import cache

from orchestrator.planner.lexicon import rows
from orchestrator.planner.text import Text, phrases, table
from orchestrator.turn import ForgetAllMemories, ForgetMemory, ListMemories, MemoryCall, Session

_LONGEST_WISH = 200

_WISHES: dict[str, MemoryCall] = {
    "asks_list": ListMemories(),
    "forgets_all": ForgetAllMemories(),
    "forgets_all_bare": ForgetAllMemories(),
    "forgets_last": ForgetMemory(),
}


def wish_of(text: Text, session: Session) -> MemoryCall | None:
    """Returns the call that an utterance asks for; None when it is no such wish.

    Args:
        text: The utterance.
        session: What was listed, and what "apaga tudo" may mean instead: a proposal or an appointment.
    """
    if not table("memories", "marks_of_wishes").search(text.folded):
        return None
    words = " ".join(re.sub(r"[^a-z0-9' ]+", " ", text.folded).split())
    if len(words) > _LONGEST_WISH:
        return None
    number = _number().fullmatch(words)
    if number is not None:
        return _numbered(session, int(number["number"]))
    something_open = session.proposal is not None or bool(session.appointments)
    for section, call in _WISHES.items():
        if _whole(section).fullmatch(words) and not (something_open and section == "forgets_all_bare"):
            return call
    return _named(text, words)


def _numbered(session: Session, number: int) -> MemoryCall:
    """Forgets the memory that was listed under a number; where none was, what there is is listed."""
    listed = session.memories
    return ForgetMemory(listed[number - 1].content) if 0 < number <= len(listed) else ListMemories()


def _named(text: Text, words: str) -> MemoryCall | None:
    """Forgets a statement about oneself that is said again ("esquece que moro em Santo André")."""
    asked = _one().match(words)
    if asked is None or table("memories", "memory_verbs").match(words, asked.end()) is None:
        return None
    match = table("memories", "forgets_one").search(text.folded)
    if match is None:
        return None
    first, last = text.original_span(match.end(), len(text.folded))
    return ForgetMemory(text.original[first:last].strip(" .,;:!?"))


@cache
def _whole(section: str) -> re.Pattern[str]:
    return re.compile(rf"{_polite()}{table('memories', section).pattern}(?: {_courtesy()})*+")


@cache
def _number() -> re.Pattern[str]:
    return re.compile(rf"{_polite()}{table('memories', 'forgets_number').pattern} (?P<number>\d{{1,3}})")


@cache
def _one() -> re.Pattern[str]:
    return re.compile(rf"{_polite()}{table('memories', 'forgets_one').pattern} (?:(?:eu|i|nao) )*+")


def _polite() -> str:
    # Possessive: "e que e que ..." has very many readings, and the first is as good as any.
    return f"(?:{_courtesy()} )*+"


@cache
def _courtesy() -> str:
    places = ("smalltalk", "greetings"), ("smalltalk", "padding"), ("memories", "leads"), ("memories", "asking")
    return phrases([row for file, section in places for row in rows(file, section)]).pattern
