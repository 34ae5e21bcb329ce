"""Finds references to what was shown: "o segundo", "opção 3", "o mais cedo", "esse"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from orchestrator.planner.lexicon import references
from orchestrator.planner.phrases import phrases

_WEEKDAY_LIKE = frozenset({"segunda", "quarta", "quinta", "sexta"})


@dataclass(frozen=True, slots=True)
class Pointer:
    """What an utterance points at.

    Attributes:
        numbers: Numbers of list rows, as said.
        earliest: The earliest is meant.
        latest: The last is meant.
        this: The only one is meant ("esse").
        choosing: Something is taken, not asked about.
        same_time: The time of day of the appointment that is moved is kept.
        all: Every one is meant.
    """

    numbers: tuple[int, ...] = ()
    earliest: bool = False
    latest: bool = False
    this: bool = False
    choosing: bool = False
    same_time: bool = False
    all: bool = False


@cache
def _table(name: str) -> re.Pattern[str]:
    return phrases(getattr(references, name))


@cache
def _numbered() -> tuple[re.Pattern[str], ...]:
    word = "|".join(references.ORDINALS)
    plain = "|".join(ordinal for ordinal in references.ORDINALS if ordinal not in _WEEKDAY_LIKE)
    number = rf"\d{{1,2}}|{'|'.join(references.CARDINALS)}"
    nouns = references.NOUNS.replace("(", "(?:")
    return (
        re.compile(rf"(?<![a-z]){nouns} *(?:de )?(?:numero )?(?P<n>{number})(?![a-z0-9:/h])"),
        re.compile(rf"(?<![a-z0-9])(?P<n>{word}) (?:opcao|vaga|alternativa|linha|consulta|option|slot|one|choice|row)"),
        re.compile(rf"(?<![a-z0-9])(?:o|a|the|no|na|do|da|quero|prefiro) (?P<n>{plain})(?![a-z0-9])(?! (?:feira|horario))"),
        re.compile(r"(?<![a-z0-9])(?P<n>[1-9]\d?)(?:o|a|st|nd|rd|th) (?:opcao|vaga|horario|option|slot|one|da lista)"),
        re.compile(r"(?<![a-z0-9])(?:o|a|quero o|quero a|the|take|escolho|prefiro o|esse|#) ?(?P<n>[1-9]\d?)(?= *[.!?]*$)"),
        re.compile(rf"^\W*(?P<n>{word}|{number})\W*(?:por favor|please)?\W*$"),
        re.compile(r"^\W*(?P<n>[1-9]\d?)[oa]\W*$"),
    )


def find_pointer(folded: str) -> Pointer:
    """Reads an utterance's references. Text that is a time or a name must have been blanked out before."""
    numbers = [_number(match["n"]) for pattern in _numbered() for match in pattern.finditer(folded)]
    return Pointer(
        numbers=tuple(dict.fromkeys(numbers)),
        earliest=_table("EARLIEST").search(folded) is not None,
        latest=_table("LATEST").search(folded) is not None,
        this=_table("THIS").search(folded) is not None,
        choosing=_table("CHOOSING").search(folded) is not None,
        same_time=_table("SAME_TIME").search(folded) is not None,
        all=_table("ALL").search(folded) is not None,
    )


def _number(word: str) -> int:
    return references.ORDINALS.get(word) or references.CARDINALS.get(word) or int(word)
