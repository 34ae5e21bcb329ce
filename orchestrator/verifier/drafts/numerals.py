"""Read numbers and times of day in digits or words, in Portuguese and English; "um" and "one" alone are articles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time

from orchestrator.verifier.literals import folded, one_of, rows_of

_ROWS = rows_of("drafts/numerals.txt")


def _values(kind: str) -> dict[str, int]:
    return {word: int(value) for one, value, *words in _ROWS if one == kind for word in words}


_CARDINALS, _TEN_VALUES = _values("unit"), _values("ten")
_LARGE_ORDINALS = _values("large_ordinal")
_VALUES = _CARDINALS | _values("small_ordinal") | _LARGE_ORDINALS

_UNIT = one_of(*sorted((*_CARDINALS, *_LARGE_ORDINALS), key=len, reverse=True))
_ONES = one_of(*sorted(_VALUES, key=len, reverse=True))
_TEN = one_of(*_TEN_VALUES)
_IN_WORDS = rf"(?:(?P<tens>{_TEN})(?:(?: e |-| )(?P<ones>{_ONES}))?|(?P<unit>{_UNIT}))"
_NUMERAL = re.compile(rf"(?<![\w.,:/-])(?:(?P<digits>\d+(?:[.,]\d+)*)|{_IN_WORDS}\b)(?P<after>[^\w\n]*)")
_ARTICLES = frozenset({"um", "uma", "one"})

_MANY = re.compile(r"\b(?:dezenas|centenas|milhares|duzias|dozens|hundreds|thousands|quarter|quarto de hora)\b")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a folded text."""

    value: int | None  # the number; None for digits that make no whole number, and for "dozens"
    start: int  # offset of its first character
    end: int  # offset after its last character


def numerals_in(plain: str) -> Iterator[Numeral]:
    """Yield the numbers of a folded text, from left to right."""
    for match in _NUMERAL.finditer(plain):
        if match["digits"]:
            value = int(match["digits"]) if match["digits"].isdecimal() and len(match["digits"]) < 10 else None
            yield Numeral(value, match.start(), match.end("digits"))
        elif match["unit"] not in _ARTICLES:
            tens, ones = match["tens"], match["ones"] or match["unit"]
            value = _TEN_VALUES.get(tens or "", 0) + _VALUES.get(ones or "", 0)
            yield Numeral(value, match.start(), match.start("after"))
    for match in _MANY.finditer(plain):
        yield Numeral(None, match.start(), match.end())


# "Às", which tells a time of day, must not be taken for "as", which tells nothing; so it is marked before folding.
_AT = "\x00"
_HOUR = rf"(?:(?P<digits>\d{{1,2}})(?![\d:/.,h]|\s?[ap]m)|(?P<word>{_TEN}(?:(?: e |-){_UNIT})?|{_UNIT})\b)"
_MINUTES = rf"(?:(?: e| and)? (?:(?P<half>meia)|(?P<minutes>{_TEN}(?:(?: e |-| ){_UNIT})?|{_UNIT}))\b)"
_PART = one_of(
    r"(?P<am>da (?:manha|madrugada)|in the morning)\b",
    r"(?P<pm>da (?:tarde|noite)|in the (?:afternoon|evening)|at night)\b",
)
# What follows a number that is no time of day: "às duas clínicas", "from two doctors".
_COUNTED = (
    r"(?! (?:outr|other|d[aeo]s?\b|of\b|vez|time|clini|medic|doctor|horario|vaga|op[ct]|slot|opening|day|dia)\w*)"
)
_SPOKEN = (
    re.compile(
        rf"(?:{_AT}|\b(?:das|pelas|at|around|by|from|until|till|(?P<past>half past))\b) ?{_HOUR}{_MINUTES}?"
        rf"(?: horas?| o'?clock| em ponto)?(?: {_PART})?{_COUNTED}"
    ),
    re.compile(rf"\b{_HOUR}(?: horas?)?{_MINUTES}? (?:o'?clock|em ponto|horas e|{_PART})"),
)
_NAMED = {"meio-dia": 12, "meio dia": 12, "noon": 12, "midday": 12, "meia-noite": 0, "midnight": 0}
_NAMED_TIME = re.compile(rf"\b(?:{'|'.join(_NAMED)})\b")


def spoken_times_in(text: str) -> Iterator[frozenset[time]]:
    """Yield the times of day that a text says without writing them as such, each as what it can mean."""
    plain = folded(re.sub(r"\bàs\b", _AT, text.casefold()))
    for match in _NAMED_TIME.finditer(plain):
        yield frozenset({time(_NAMED[match[0]])})
    for pattern in _SPOKEN:
        for match in pattern.finditer(plain):
            if times := frozenset(_readings(match)):
                yield times


def _readings(match: re.Match[str]) -> Iterator[time]:
    groups = match.groupdict()
    hour = int(groups["digits"]) if groups["digits"] else _value(groups["word"])
    halved = groups["half"] or groups.get("past")
    minute = 30 if halved else _value(groups["minutes"]) if groups["minutes"] else 0
    if hour > 23 or minute > 59:
        return
    if hour >= 12 or not groups["pm"]:
        yield time(hour, minute)
    if hour < 12 and not groups["am"]:
        yield time(hour + 12, minute)


def _value(words: str) -> int:
    return sum(_VALUES.get(word, 0) + _TEN_VALUES.get(word, 0) for word in re.split(r" e |[- ]", words))
