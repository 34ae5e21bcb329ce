"""The words of the desk, from `lexicon/`: people, measures, events, times, and what the desk does not work on.

How one thing is said to change another is the grammar of each language, in `relations_*.txt`. The groups of a pattern
are `exposure`, `amount` (an exposure that has degrees), `outcome`, `subject` (the people), `verb` and `rest` (what they
do); it matches folded text.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Literal

from orchestrator.planner.lexicon import sections
from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.texts import one_of
from orchestrator.turn import Language

LEXICON = "orchestrator.research.lexicon"

Intent = Literal["test_hypothesis", "review_literature", "build_theory"]
REQUESTED: tuple[Intent, ...] = ("review_literature", "build_theory")
"""What a person asks for by name; each has a section of its requests."""
_TABLES = sections("vocabulary", LEXICON)
_NO_ANSWERS = frozenset(_TABLES["no_answer"])
_SYMBOL = re.compile(r"(?<![a-z'])[b-df-np-z](?![a-z'])")
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9-]{2,}\b")
PERIOD = one_of(*sections("answers", LEXICON)["period"])
"""A stretch of time without its preposition: "12 meses", "the last two years", "2020 a 2024"."""
_SCREENING = sections("screening", LEXICON)


def words_for(section: str, language: Language) -> str:
    """Return a pattern for any row of a section."""
    return one_of(*sections(f"relations_{language}", LEXICON)[section])


def wording(section: str, language: Language) -> str:
    """Return the only row of a section, which is a text."""
    return sections(f"relations_{language}", LEXICON)[section][0]


@cache
def patterns(section: str, language: Language) -> tuple[re.Pattern[str], ...]:
    """Return the pattern of each row of a section, in the order in which they are tried."""
    return tuple(map(re.compile, sections(f"relations_{language}", LEXICON)[section]))


@cache
def meanings(section: str, language: Language) -> Mapping[str, str]:
    """Return the rows of a section of "word, word = meaning"."""
    pairs = (row.split("=") for row in sections(f"relations_{language}", LEXICON)[section])
    return {word.strip(): meaning.strip() for words, meaning in pairs for word in words.split(",")}


def _pattern_of(table: str) -> str:
    words = " ".join(_TABLES[table]).split()  # a stem ends in `*`
    return rf"(?<![a-z]){one_of(*(word.replace('*', '[a-z]*') for word in words))}(?![a-z])"


PEOPLE = _pattern_of("people")
_EVENT = re.compile(_pattern_of("events"))
_MEASURE = re.compile(_pattern_of("measures"))
_GRADED = re.compile(_pattern_of("graded"))

PEOPLE_PHRASE = (
    r"(?:(?!(?:d[aeo]s?|of|in|em|n[oa]s?|com|with|que|who|and|e|para|por|for|by)\s)[a-z-]+\s){0,3}?" + PEOPLE
)  # the start of a population: a word for people, after up to three words that are no prepositions


def names_people(folded: str) -> bool:
    """Return whether a phrase begins, or nearly so, with people."""
    return re.match(rf"{PEOPLE_PHRASE}|quem\b|who\b|those\b", folded) is not None


def counts_events(phrase: str) -> bool:
    """Return whether a phrase names events, which happen or do not."""
    return _EVENT.search(FoldedText.of(phrase).folded) is not None


def is_measurable(phrase: str) -> bool:
    """Return whether a phrase stands for a number; a letter such as Y is a defined variable."""
    said = FoldedText.of(phrase)
    known = any(words.search(said.folded) for words in (_MEASURE, _EVENT))
    return known or _ACRONYM.search(said.original) is not None or _SYMBOL.fullmatch(said.folded) is not None


def measures(phrase: str) -> bool:
    """Return whether a phrase can say how something is measured."""
    return is_measurable(phrase) or re.search(r"\d", FoldedText.of(phrase).folded) is not None


def is_graded(phrase: str) -> bool:
    """Return whether an exposure has degrees; a letter such as X does."""
    folded = FoldedText.of(phrase).folded
    return _GRADED.search(folded) is not None or _SYMBOL.fullmatch(folded) is not None


def answers_nothing(folded: str) -> bool:
    """Return whether a whole utterance says nothing about a gap."""
    return folded in _NO_ANSWERS


class ScreeningRefusal(StrEnum):
    """Why the desk does not work on a text; tried in this order."""

    CRISIS = "crisis"  # a person in danger: help comes first
    IDENTIFIES = "identifies"  # asks for patients' identities or records
    HARMFUL = "harmful"  # would harm the people who are studied
    ADVICE = "advice"  # asks for a diagnosis or a treatment
    ERRAND = "errand"  # asks for an appointment: the clinics' desk does that
    VALUES = "values"  # asks what is right, which no data answer


_PATTERNS = tuple(
    (refusal, re.compile(rf"(?<!\w){one_of(*_SCREENING[refusal])}(?!\w)".replace("<people>", PEOPLE)))
    for refusal in ScreeningRefusal
)


def refusal_of(text: str) -> ScreeningRefusal | None:
    """Return why the desk does not work on a text; None if it does.

    The patterns err towards refusing; the answer gives the reason. A topic alone is none: "ideação suicida em
    adolescentes" can be studied.
    """
    folded = FoldedText.of(text).folded
    return next((refusal for refusal, pattern in _PATTERNS if pattern.search(folded)), None)
