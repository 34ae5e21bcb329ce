"""How people say that one thing changes another: the grammar of each language, in `lexicon/relations_*.txt`.

A pattern's groups are `exposure`, `amount` (an exposure that has degrees), `outcome`, `subject` (the people), `verb`
and `rest` (what they do); it matches folded text.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from orchestrator.planner.lexicon import sections
from orchestrator.turn import Language

LEXICON = "orchestrator.research.lexicon"

Intent = Literal["test_hypothesis", "review_literature", "build_theory"]
REQUESTED: tuple[Intent, ...] = ("review_literature", "build_theory")
"""What a person asks for by name, with the requests of the lexicon."""


@dataclass(frozen=True, slots=True)
class Relations:
    """A language's patterns."""

    requests: Mapping[Intent, re.Pattern[str]]  # what a person says the work is to be; no part of an observation
    opening: re.Pattern[str]  # precedes an observation and is no part of it
    topic: re.Pattern[str]  # precedes the subject of a study where no relation is named
    shapes: tuple[re.Pattern[str], ...]  # a relation in a sentence or a question, in the order in which they are tried
    seen: tuple[re.Pattern[str], ...]  # an observation of people with a degree, in the order in which they are tried
    doing: re.Pattern[str]  # separates people from what they do: "que", "who"
    doers: re.Pattern[str]  # people who are not named: "quem", "those who"
    contrast: str  # introduces a comparison
    measured: str  # introduces a measure
    lasting: str  # introduces a time
    of_people: str  # introduces a population after a noun
    # What people do, as a noun phrase, by the verb as it was said; empty: the noun follows the verb
    nouns: Mapping[str, str]
    acts: Mapping[str, str]  # what people do, as the name of the activity, by the verb as it was said
    how_much: str  # introduces an act without a noun
    amount: str  # how much of something there is, as a noun phrase
    contracted: re.Pattern[str]  # a preposition that has merged with its article


def any_of(rows: Iterable[str]) -> str:
    """Return a pattern for any of some rows, which may be patterns themselves."""
    return f"(?:{'|'.join(rows)})"


def _relations(language: Language) -> Relations:
    tables = sections(f"relations_{language}", LEXICON)

    patterns = {name: re.compile(tables[name][0]) for name in ("topic", "doing", "doers", "contracted")}
    marks = {name: any_of(tables[name]) for name in ("contrast", "measured", "lasting", "of_people")}
    nouns = {name: tables[name][0] for name in ("how_much", "amount")}
    trials = {name: tuple(map(re.compile, tables[name])) for name in ("shapes", "seen")}
    meanings = {name: _meanings(tables[name]) for name in ("nouns", "acts")}
    opening = re.compile(f"{any_of(tables['opening'])}+")
    requests = {name: re.compile(rf"(?:^|(?<=[,.;:!?] )){any_of(tables[name])}") for name in REQUESTED}
    found: Mapping[str, Any] = {
        "opening": opening,
        "requests": requests,
        **patterns,
        **marks,
        **nouns,
        **trials,
        **meanings,
    }
    return Relations(**found)


def _meanings(rows: Iterable[str]) -> Mapping[str, str]:
    # Rows are "word, word = meaning".
    pairs = (row.split("=") for row in rows)
    return {word.strip(): meaning.strip() for words, meaning in pairs for word in words.split(",")}


RELATIONS: Mapping[Language, Relations] = {language: _relations(language) for language in Language}
