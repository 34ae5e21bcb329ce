"""Rewrite a text for the date and time grammars: a symbol for every calendar word, digits for every number.

"Sexta-feira, dia vinte e um às dez e meia" -> "WD4, UDAY 21 as 10 e HALF"; `#21` and `~1` are ordinals.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from orchestrator.planner.calendar.date_grammar import OTHER_CALENDARS, feast_symbols
from orchestrator.planner.calendar.moments import pattern
from orchestrator.planner.lexicon import compiled, rows, sections
from orchestrator.planner.lexicon import numbers as number_table
from orchestrator.planner.text import Text
from orchestrator.turn import Language

_FIXED_SYMBOLS = {"december": "MON12", "other_feast": "SKIP"}


@dataclass(frozen=True, slots=True)
class Lexemes:
    """A rewritten text, with the part of `Text.folded` that each character of `symbols` was made from."""

    symbols: str
    places: tuple[tuple[int, int], ...]  # where it begins and where it ends (exclusive)

    def folded_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the part of `Text.folded` that `symbols[start:end]` was made from."""
        return self.places[start][0], self.places[end - 1][1]


def rewrite(text: Text, language: Language) -> Lexemes:
    """Rewrite a text with the words of its language and the unambiguous ones of the other."""
    vocabulary = _vocabulary(language)
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    at, folded = 0, text.folded.replace("#", "_")  # a typed "#4" is a row, and the sign of "4th" here
    for match in vocabulary.pattern.finditer(folded):
        start, end = match.span()
        symbol = _apart(vocabulary.symbol(match), match)
        spelled = at > 0 and match.lastgroup == "number" and folded[at:start] == "-"  # "nine-fifteen" is no "9-15"
        pieces += (" " if spelled else folded[at:start], symbol)
        places += [(n, n + 1) for n in range(at, start)]
        begins = [*(start + i * (end - start - 1) // max(len(symbol) - 1, 1) for i in range(len(symbol))), end]
        places += [(first, max(last, first + 1)) for first, last in pairwise(begins)]
        at = end
    pieces.append(folded[at:])
    places += [(n, n + 1) for n in range(at, len(folded))]
    symbols = pattern("tuesday").sub("WD1", re.sub(r"THIS(?= POD(?!early))", "REL0", "".join(pieces)))
    for both in pattern("both").finditer(symbols):
        first, _ = places[both.start("as")]
        if text.original[text.offsets[first]] in "aA":
            symbols = symbols[: both.end() - 1] + "_" + symbols[both.end() :]
    return Lexemes(symbols, tuple(places))


def _apart(symbol: str, match: re.Match[str]) -> str:
    # "14april", "Nov25": the numbers of a month and of its day stay apart.
    if not symbol.startswith("MON"):
        return symbol
    text, start, end = match.string, match.start(), match.end()
    before = " " if text[start - 1 : start].isdigit() else ""
    return before + symbol + (" " if text[end : end + 1].isdigit() else "")


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
            case "pronoun" | "article":
                symbol = text
            case "number" | "year":
                thousands = 2000 if parts[0] == "dois" and parts[1:2] == ["mil"] else 0
                counted = sum(self.numbers.get(part, 0) for part in parts[2 if thousands else 0 :])
                symbol = str(self.numbers.get(text) or thousands + counted)
            case "ordinal":
                *tens, last = parts
                symbol = f"~{sum(self.numbers[part] for part in tens) + self.ordinals[last]}"
            case "nth":
                symbol = ("~" if text.endswith("a") else "#") + text.rstrip("abcdefghijklmnopqrstuvwxyz")
            case "ish":
                hour = text.removesuffix("ish").rstrip("-")
                symbol = f"at {self.numbers.get(hour, hour)}"
            case "meridian":
                symbol = f"{text.upper()}M"
            case "phrase":
                phrase = _key(re.sub(r"[ -]+", " ", text))
                symbol = self.phrases.get(phrase) or self.phrases[phrase.removesuffix("s")]
            case group:
                symbol = _FIXED_SYMBOLS[str(group)]
        return symbol


@cache
def _vocabulary(language: Language) -> _Vocabulary:
    foreign = Language.EN if language is Language.PT else Language.PT
    own = frozenset(rows("calendar", "own"))
    phrases = {phrase: symbol for phrase, symbol in _symbols(foreign) if phrase not in own} | dict(_symbols(language))
    feasts, numbers = feast_symbols(), number_table("calendar", f"{language} numbers")
    ordinals = number_table("calendar", f"{language} ordinals")
    tens = _any(word for word, value in numbers.items() if value >= 20)
    units = _any(word for word, value in numbers.items() if value < 10)
    small = _any(word for word, value in ordinals.items() if value < 10)
    joint = " e " if language is Language.PT else "[ -]"
    number = rf"(?:{tens}{joint}{units}|{_any(numbers)})"
    of_month = "|".join(phrase for phrase, symbol in phrases.items() if symbol.startswith("MON"))
    unit = _any(phrase for phrase, symbol in phrases.items() if symbol.startswith(("U", "HALF", "OCLOCK")))
    part = "da (?:manha|tarde|madrugada)"
    counted = rf"(?= (?:e (?:meia|{_any(numbers)})|{part}|(?:de )?(?:{of_month})|{unit})\b|$|[.,!?;])"
    oclock = pattern("one_oclock").pattern
    one_of = rf"(?:{unit}|in the|on)\b"
    other = _any(rows("calendar_feasts", OTHER_CALENDARS))
    groups = {
        "weekday": r"[2-6]as?(?:[ -]feiras?|[ -]?f)?(?! ?(?:opcao|vaga|consulta|alternativa|vez|via|sessao|dose))",
        "december": r"(?<=\d[ /-])dez(?! pa?ra?s? (?:as?|o)\b)|(?<=\d de )dez",
        "meridian": r"(?<=\d)[ap]|(?<=\d )[ap](?= ?(?:$|[.,!?]))(?! ?\. ?m)",
        "nth": rf"\d{{1,2}}(?:st|nd|rd|th{'' if language is Language.EN else '|o|a'})(?! thing)",
        "ish": rf"(?<![\d:])(?:\d{{1,2}}(?::\d\d)?|{number})-?ish",
        "year": rf"dois mil(?: e {number})?",
        "other_feast": rf"{other} (?:[a-z]+ )?{_any(feasts)}|{_any(feasts)} {other}",
        "phrase": rf"(?:(?!(?<=\bem )(?:natal|tiradentes)\b){_any(feasts)}|{_any(phrases)})(?:'s)?",
        "ordinal": rf"(?<!day's )(?:{tens}{joint}{small}|{_any(ordinals)})",
        "article": rf"(?<!\d e )(?<!\bas )(?<!\ba )(?<!\bdia )(?<!\bpor )uma?(?!{counted})",
        "pronoun": rf"(?:{pattern('one_thing').pattern}|(?<!\bat )(?<!half )one(?= [a-z])(?! {one_of}))(?! ?{oclock})",
        "number": number,
    }
    for name in ("weekday", "year", "december", "article") if language is Language.EN else ("pronoun", "meridian"):
        del groups[name]
    alternatives = "|".join(f"(?P<{name}>{pattern})" for name, pattern in groups.items())
    known = {_key(phrase): symbol for phrase, symbol in {**phrases, **feasts}.items()}
    return _Vocabulary(compiled(rf"(?<![a-z'])(?=[a-z\d])(?:{alternatives})(?![a-z]|'[a-z])"), known, numbers, ordinals)


def _key(phrase: str) -> str:
    return phrase.replace("'", "")


def _symbols(language: Language) -> Iterator[tuple[str, str]]:
    for name, table in sections("calendar").items():
        spoken, _, symbol = name.partition(".")
        if spoken == language:
            yield from ((phrase, symbol) for phrase in table)


def _any(words: Iterable[str]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", "[ -]+").replace("'", "'?") for word in longest_first) + ")"
