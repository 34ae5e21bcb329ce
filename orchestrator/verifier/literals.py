"""Fold text, cut it into clauses, and find the dates, times and doctors that it names, in Portuguese and English.

A date may lack parts, and 07/08 has two readings; a mention agrees with whatever it can mean.
"""

import calendar
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, time
from functools import lru_cache
from itertools import product

from mesh.text_folding import fold
from orchestrator.texts import one_of, patterns_in, texts_in, words_of
from orchestrator.turn import Language

_BLANKS = re.compile(r"[^\S\n]+")

# A clause ends at punctuation that is not inside a number or an abbreviated title, and before these conjunctions.
_CLAUSE_END = re.compile(r"(?<!\bdr)(?<!\bdra)\.(?!\d)|[!?;\n|,()—]|:(?!\d\d)|\b(?:mas|pois|porque|but|because)\b")

MONTHS = {
    form: number
    for language in Language
    for number, name in enumerate(texts_in(language).lines("names.months"), 1)
    for form in (fold(name), fold(name)[:3])
} | {"sept": 9}  # months by their folded names and abbreviations in both languages; 1 is January

WEEKDAYS = {
    fold(name).removesuffix("-feira"): number
    for language in Language
    for number, name in enumerate(texts_in(language).lines("names.weekdays"))
}  # weekdays by their folded names in both languages; 0 is Monday

_LONGEST_FIRST = sorted(MONTHS, key=len, reverse=True)
_NAMES = {
    "weekday": one_of(*WEEKDAYS),
    "month": one_of(*_LONGEST_FIRST),
    # "3 out of 6" is no date: after a bare number only English names of months count.
    "month_en": one_of(*(name for name in _LONGEST_FIRST if name not in {"set", "out", "ago"})),
    # A day right behind a name is no part of it: "with Dr. Mendes Friday at 10".
    "word": rf"(?!{one_of(*calendar.day_name, *calendar.month_name[1:])}\b)[A-ZÀ-ÖØ-Þ][\w'’-]*",
}

_PATTERNS = patterns_in("literals.txt", __package__, **_NAMES)
_DATE = re.compile(rf"(?=\d|\b[a-z]){_PATTERNS['weekday_before']}?{_PATTERNS['date']}")
_TIME = re.compile(rf"(?=\d)(?<![\d:/-]){_PATTERNS['time']}")

_DOCTOR = re.compile(_PATTERNS["doctor"])
_NAME_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_POSSESSIVE = re.compile(r"['’]s(?![\w'’-])")
_TITLES = frozenset({"dr", "dra", "doutor", "doutora", "doctor", "de", "da", "do", "das", "dos", "e"})


def folded(text: str) -> str:
    """Return text without case and accents, in which runs of blanks other than line ends are one space."""
    return _BLANKS.sub(" ", fold(text))


def clauses(plain: str) -> Iterator[str]:
    """Return the clauses of a folded text."""
    return filter(None, map(str.strip, _CLAUSE_END.split(plain)))


def pattern_of(*names: str) -> re.Pattern[str]:
    """Return a pattern for any word of some lists in a folded text; in a list, * is any ending and _ a blank."""
    words = (word for name in names for word in words_of(name, __package__))
    forms = (re.escape(word).replace("_", " ").replace(r"\*", r"[\w-]*") for word in words)
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as a text names it."""

    # what it can mean, as (year, month, day) with None for what is left open
    readings: frozenset[tuple[int | None, int | None, int]]
    weekday: int | None = None  # the weekday named with it, 0 for Monday

    def among(self, days: Iterable[date]) -> list[date]:
        """Return the days that it can mean; the weekday is ignored."""
        return [
            day
            for year, month, number in self.readings
            for day in days
            if number == day.day and month in {None, day.month} and year in {None, day.year}
        ]

    def may_agree(self, other: "DateMention") -> bool:
        """Return whether both can mean one day."""
        return any(
            all(None in parts or parts[0] == parts[1] for parts in zip(one, two, strict=True))
            for one, two in product(self.readings, other.readings)
        )


@dataclass(frozen=True, slots=True)
class Line:
    """What one line names."""

    dates: frozenset[DateMention]
    times: frozenset[time]
    doctors: frozenset[frozenset[str]]


def untitled_doctors(plain: str, known: Iterable[frozenset[str]]) -> set[frozenset[str]]:
    """Return the known doctors whom a folded text names in full, with or without a title."""
    words = set(re.findall(r"[\w'’-]+", plain))
    return {doctor for doctor in known if len(doctor) > 1 and doctor <= words}


def dates_in(plain: str) -> Iterator[DateMention]:
    """Yield the dates that a folded text names; numbers that are no date of the calendar are left out."""
    for match in _DATE.finditer(plain):
        if readings := frozenset(filter(_exists, _readings(match))):
            yield DateMention(readings, WEEKDAYS.get(match["weekday"] or ""))


def _readings(match: re.Match[str]) -> Iterator[tuple[int | None, int | None, int]]:
    first, second = match["a"] or match["a2"], match["b"] or match["b2"]
    if first:
        year = int(match["y2"]) if match["y2"] else None
        century = 2000 if year is not None and year < 100 else 0
        full_year = None if year is None else century + year
        yield full_year, int(second), int(first)
        yield full_year, int(first), int(second)
        return
    day = next(int(match[name]) for name in ("d1", "d3", "d4", "d5", "d6", "d7") if match[name])
    month_name = match["m3"] or match["m4"] or match["m5"]
    month = int(match["m1"]) if match["m1"] else MONTHS[month_name] if month_name else None
    year_text = match["y1"] or match["y3"] or match["y4"] or match["y5"]
    yield (int(year_text) if year_text else None), month, day


def _exists(reading: tuple[int | None, int | None, int]) -> bool:
    year, month, day = reading
    try:
        date(2024 if year is None else year, 1 if month is None else month, day)
    except ValueError:
        return False
    return True


def times_in(plain: str) -> Iterator[time]:
    """Yield the times of day that a folded text names."""
    for match in _TIME.finditer(plain):
        hour = int(match["h1"] or match["h2"] or match["h3"] or match["h4"])
        half = match["p1"] or match["p2"]
        if half and 1 <= hour <= 12:
            hour = hour % 12 + (12 if half == "p" else 0)
        yield time(hour, int(match["m1"] or 0))


def doctors_in(text: str) -> Iterator[frozenset[str]]:
    """Yield the doctors that a text names with their title, each as the folded words of the name."""
    for match in _DOCTOR.finditer(text):
        yield name_words(match["name"])


@lru_cache(maxsize=1024)  # the same few doctors stand in every row
def name_words(name: str) -> frozenset[str]:
    """Return the folded words of a name, without titles and particles."""
    plain = folded(name)
    words = frozenset(_NAME_WORD.findall(plain))
    if _POSSESSIVE.search(plain):
        words = frozenset(_POSSESSIVE.sub("", word) for word in words)
    return words - _TITLES
