"""Rewrite a text for the date and time grammars: a symbol for every calendar word, digits for every number.

"Sexta-feira, dia vinte e um às dez e meia" -> "WD4, UDAY 21 as 10 e HALF"; `#21` and `~1` are ordinals.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from orchestrator.planner.lexicon import numbers as number_table
from orchestrator.planner.lexicon import rows, sections
from orchestrator.planner.text import Text
from orchestrator.turn import Language

_BEFORE_PRONOUN = "|".join(f"(?<={word} )" for word in ("day", "morning", "afternoon", "evening"))
"""Words after which "one" is a thing and no number: "the Friday one"."""


@dataclass(frozen=True, slots=True)
class Lexemes:
    """A rewritten text; `offsets` holds the place in `Text.folded` of each character of `symbols`."""

    symbols: str
    offsets: tuple[int, ...]

    def folded_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the part of `Text.folded` that `symbols[start:end]` was made from."""
        return self.offsets[start], self.offsets[end - 1] + 1


def rewrite(text: Text, language: Language) -> Lexemes:
    """Rewrite a text with the words of its language and the unambiguous ones of the other."""
    vocabulary = _vocabulary(language)
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for match in vocabulary.pattern.finditer(text.folded):
        symbol = vocabulary.symbol(match)
        pieces += (text.folded[at : match.start()], symbol)
        offsets += range(at, match.start())
        offsets += _spread(match.start(), match.end(), len(symbol))
        at = match.end()
    pieces.append(text.folded[at:])
    offsets += range(at, len(text.folded))
    symbols = "".join(pieces).replace("THIS POD", "REL0 POD")
    return Lexemes(symbols, tuple(offsets))


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    pattern: re.Pattern[str]
    phrases: dict[str, str]
    numbers: Mapping[str, int]
    ordinals: Mapping[str, int]

    def symbol(self, match: re.Match[str]) -> str:
        text = match.group()
        parts = re.split(r"[ -]+(?:e |and )?", text)
        match match.lastgroup:
            case "weekday":
                symbol = f"WD{int(text[0]) - 2}"
            case "december":
                symbol = "MON12"
            case "pronoun":
                symbol = text
            case "year":
                symbol = str(2000 + sum(self.numbers.get(part, 0) for part in parts[2:]))
            case "number":
                symbol = str(sum(self.numbers[part] for part in parts))
            case "ordinal":
                *tens, last = parts
                symbol = f"~{sum(self.numbers[part] for part in tens) + self.ordinals[last]}"
            case "nth":
                symbol = "#" + text.rstrip("abcdefghijklmnopqrstuvwxyz")
            case "ish":
                symbol = "at " + text.removesuffix("ish")
            case _:
                symbol = self.phrases[" ".join(re.split(r"[ -]+", text))]
        return symbol


@cache
def _vocabulary(language: Language) -> _Vocabulary:
    other = Language.EN if language is Language.PT else Language.PT
    own = frozenset(rows("calendar", "own"))
    phrases = {phrase: symbol for phrase, symbol in _symbols(other) if phrase not in own} | dict(_symbols(language))
    numbers = number_table("calendar", f"{language} numbers")
    ordinals = number_table("calendar", f"{language} ordinals")
    tens = _any(word for word, value in numbers.items() if value >= 20)
    units = _any(word for word, value in numbers.items() if value < 10)
    small = _any(word for word, value in ordinals.items() if value < 10)
    joint = " e " if language is Language.PT else "[ -]"
    number = rf"(?:{tens}{joint}{units}|{_any(numbers)})"
    groups = {
        "weekday": r"[2-6]a(?:[ -]feira)?(?! ?(?:opcao|vaga|consulta|alternativa|vez|via))",
        "december": r"(?<=\d[ /-])dez|(?<=\d de )dez",
        "nth": r"\d{1,2}(?:st|nd|rd|th|o|a)",
        "ish": r"\d{1,2}ish",
        "year": rf"dois mil(?: e {number})?",
        "phrase": _any(phrases),
        "ordinal": rf"(?:{tens}{joint}{small}|{_any(ordinals)})",
        "pronoun": rf"(?:{_BEFORE_PRONOUN})one(?! ?(?:am|pm|a\.m|p\.m|o'?clock|[a-z]+teen|thirty|forty|fifty|[:.]\d))",
        "number": number,
    }
    if language is Language.EN:
        del groups["weekday"], groups["year"], groups["december"]
    else:
        del groups["pronoun"]
    alternatives = "|".join(f"(?P<{name}>{pattern})" for name, pattern in groups.items())
    return _Vocabulary(re.compile(rf"(?<![a-z'])(?:{alternatives})(?![a-z'])"), phrases, numbers, ordinals)


def _symbols(language: Language) -> Iterator[tuple[str, str]]:
    for name, table in sections("calendar").items():
        spoken, _, symbol = name.partition(".")
        if spoken == language:
            yield from ((phrase, symbol) for phrase in table)


def _any(words: Iterable[str]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", "[ -]+") for word in longest_first) + ")"


def _spread(start: int, end: int, length: int) -> Iterator[int]:
    return (start + i * (end - start - 1) // max(length - 1, 1) for i in range(length))
