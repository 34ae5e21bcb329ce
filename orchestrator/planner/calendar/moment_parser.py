"""Find what an utterance says about time: rewrite it to symbols, read values with the grammars, join them to moments.

A symbol stands for every calendar word, digits for every number: "Sexta-feira, dia vinte e um às dez e meia" is
"WD4, UDAY 21 as 10 e HALF"; `#21` and `~1` are ordinals.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, lru_cache
from itertools import pairwise

from orchestrator.planner.calendar import date_grammar, moments, range_grammar, time_grammar
from orchestrator.planner.calendar.date_grammar import OTHER_CALENDARS, feast_symbols
from orchestrator.planner.calendar.moments import pattern
from orchestrator.planner.calendar.value_context import Bound, bound_around, bounded, core_of, join_days, role_of
from orchestrator.planner.lexicon import compiled, rows, sections
from orchestrator.planner.lexicon import numbers as number_table
from orchestrator.planner.text import Text
from orchestrator.turn import Language, TimeRange

_FIXED_SYMBOLS = {"december": "MON12", "other_feast": "SKIP"}
_DAY_RULES = (
    *(*range_grammar.FIRST_RULES, *range_grammar.COUNTED_RULES),
    *(*date_grammar.FEAST_RULES, *range_grammar.FROM_TODAY_RULES),
    *(*date_grammar.RULES, *date_grammar.WEEKDAY_RULES, *date_grammar.DAY_RULES),
)
_Dated = moments.Day | moments.Weekday | moments.Instant
_Timed = moments.Clock | moments.Instant
_Said = tuple[moments.Atom, str, Bound | None, moments.Value]


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


def read_moments(
    text: Text, now: datetime, language: Language, beside: date | None = None, *, moving: bool = False
) -> tuple[moments.Moment, ...]:
    """Return the moments of an utterance; while something is `moving`, "from Friday to Monday" names two ends."""
    lexemes = rewrite(text, language)
    groups: list[_Group] = []
    for atom, lead, _, value in _said(lexemes.symbols, moments.Reference(now, language, beside), moving=moving):
        role, last = role_of(lead, language), groups[-1] if groups else None
        listed = moments.pattern("alternative").match(lead) is not None
        if last is not None and last.takes(value, role, moving=moving, listed=listed):
            last.end = max(last.end, atom.end)
            last.add(value, either=bool(moments.pattern("either").search(lead)))
        else:
            groups.append(_Group(atom.start, atom.end, role, [value]))
    return tuple(_moment(group, *lexemes.folded_span(group.start, group.end)) for group in groups)


@dataclass(slots=True)
class _Group:
    start: int
    end: int
    role: moments.MomentRole
    values: list[moments.Value]

    def takes(self, value: moments.Value, role: moments.MomentRole, *, moving: bool, listed: bool) -> bool:
        """Return whether a value is said of the same moment: it names something new, or is `listed` with the rest."""
        if moving and self.role is moments.MomentRole.SOURCE and role is moments.MomentRole.TARGET:
            return False
        has_day = any(isinstance(one, _Dated | moments.Days) for one in self.values)
        has_time = any(isinstance(one, _Timed) for one in self.values)
        repeats = (isinstance(value, _Dated) and has_day) or (isinstance(value, _Timed) and has_time)
        return not repeats or (listed and role is not moments.MomentRole.TARGET)

    def add(self, value: moments.Value, *, either: bool) -> None:
        """Add a value; two stretches of the day that are no choice hold together ("in the afternoon before 3")."""
        one = next((one for one in self.values if isinstance(one, moments.Hours)), None)
        if one is not None and isinstance(value, moments.Hours) and not either:
            first, last = max(one.span.first, value.span.first), min(one.span.last, value.span.last)
            if first < last:
                self.values.remove(one)
                value = moments.Hours(TimeRange(first, last), value.part or one.part)
        self.values.append(value)


def _moment(group: _Group, start: int, end: int) -> moments.Moment:
    values = group.values
    days = [one for one in values if isinstance(one, moments.Day | moments.Weekday)]
    dates = dict.fromkeys(day for one in values if isinstance(one, _Dated) for day in one.dates)
    stretches = [one for one in values if isinstance(one, moments.Days)]
    spans = [span for one in stretches for span in (one.span, one.otherwise) if span is not None]
    hours = [one for one in values if isinstance(one, moments.Hours)]
    part = next((one.part for one in hours if one.part is not None), None)
    clocks = [time_grammar.in_part(one, part) if part else one for one in map(_clock, values) if one is not None]
    times = tuple(dict.fromkeys(reading for clock in clocks for reading in time_grammar.readings(clock)))
    return moments.Moment(
        start,
        end,
        dates=tuple(dates),
        times=times,
        days=() if dates else tuple(spans),
        hours=() if times else tuple(one.span for one in hours),
        role=group.role,
        weekday=days[-1].weekday if days and isinstance(days[-1], moments.Weekday) else None,
        exists=all(one.dates for one in days) and all(clock.exists for clock in clocks),
        conflict=any(isinstance(one, moments.Day) and one.conflict for one in days),
    )


def _clock(value: moments.Value) -> moments.Clock | None:
    if isinstance(value, moments.Instant):
        return moments.Clock(value.time.hour, value.time.minute, open=False)
    return value if isinstance(value, moments.Clock) else None


@lru_cache(maxsize=32)  # a turn reads a clause more than once
def claim_all(symbols: str, reference: moments.Reference) -> tuple[moments.Atom, ...]:
    """Return every day, stretch and time that the grammars find in rewritten text, in order."""
    if not re.search(r"[A-Z\d]", symbols):
        return ()
    taken = [match.span() for match in moments.pattern("lookalikes").finditer(symbols)]
    english = date_grammar.ENGLISH_RULES if reference.language is Language.EN else ()
    atoms = moments.claim(_DAY_RULES + english + range_grammar.LAST_RULES, symbols, reference, taken)
    atoms += moments.claim(time_grammar.RULES, symbols, reference, taken)
    return tuple(sorted(atoms, key=lambda atom: atom.start))


def _said(symbols: str, reference: moments.Reference, *, moving: bool) -> Iterator[_Said]:
    """Yield the values of rewritten text in order, but for stretches that are over ("semana passada").

    Of each, where it is said, what stands before it from the value before on, its bound, and the value with its bound.
    """
    claimed, end = claim_all(symbols, reference), 0
    for atom in join_days(claimed, symbols, moving=moving) if claimed else ():
        lead = symbols[end : core_of(atom, symbols)]
        bound = bound_around(lead, symbols[atom.end :])
        value = bounded(atom.value, bound, reference.today)
        if not isinstance(value, moments.Days) or value.span.last >= reference.today:
            yield atom, lead, bound, value
            end = atom.end


def find_values(text: Text, reference: moments.Reference) -> Iterator[moments.Atom]:
    """Yield the values of a text in order, each at its own words and those around it that make it a stretch."""
    lexemes = rewrite(text, reference.language)
    for atom, lead, bound, value in _said(lexemes.symbols, reference, moving=False):
        start, end = core_of(atom, lexemes.symbols), atom.end
        if bound is not None and value is not atom.value:
            start = start if bound.lead is None else start - len(lead) + bound.lead
            end += bound.rest
        yield moments.Atom(*lexemes.folded_span(start, end), value)
