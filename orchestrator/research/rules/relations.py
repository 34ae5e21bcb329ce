"""How people say that one thing changes another: the grammar of each language, in `lexicon/relations_*.txt`.

A pattern's groups are `exposure`, `amount` (an exposure that has degrees), `outcome`, `subject` (the people), `verb`
and `rest` (what they do); it matches folded text. `reading` cuts and tidies what is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from orchestrator.planner.lexicon import sections
from orchestrator.turn import Language

LEXICON = "orchestrator.research.lexicon"


@dataclass(frozen=True, slots=True)
class Relations:
    """A language's patterns.

    Attributes:
        opening: Precedes an observation and is no part of it.
        topic: Precedes the subject of a study where no relation is named.
        shapes: A relation in a sentence or a question, in the order in which they are tried.
        seen: An observation of people with a degree, in the order in which they are tried.
        doing: Separates people from what they do: "que", "who".
        doers: People who are not named: "quem", "those who".
        contrast: Introduces a comparison.
        measured: Introduces a measure.
        lasting: Introduces a time.
        of_people: Introduces a population after a noun.
        nouns: What people do, as a noun phrase, by the verb as it was said; empty: the noun follows the verb.
        acts: What people do, as the name of the activity, by the verb as it was said.
        how_much: Introduces an act without a noun.
        amount: How much of something there is, as a noun phrase.
        contracted: A preposition that has merged with its article.
    """

    opening: re.Pattern[str]
    topic: re.Pattern[str]
    shapes: tuple[re.Pattern[str], ...]
    seen: tuple[re.Pattern[str], ...]
    doing: re.Pattern[str]
    doers: re.Pattern[str]
    contrast: str
    measured: str
    lasting: str
    of_people: str
    nouns: Mapping[str, str]
    acts: Mapping[str, str]
    how_much: str
    amount: str
    contracted: re.Pattern[str]


def any_of(rows: Iterable[str]) -> str:
    """Return a pattern for any of some rows, which may be patterns themselves."""
    return f"(?:{'|'.join(rows)})"


def _relations(language: Language) -> Relations:
    tables = sections(f"relations_{language}", LEXICON)

    def pattern(table: str) -> re.Pattern[str]:
        return re.compile(tables[table][0])

    return Relations(
        opening=pattern("opening"),
        topic=pattern("topic"),
        shapes=tuple(map(re.compile, tables["shapes"])),
        seen=tuple(map(re.compile, tables["seen"])),
        doing=pattern("doing"),
        doers=pattern("doers"),
        contrast=any_of(tables["contrast"]),
        measured=any_of(tables["measured"]),
        lasting=any_of(tables["lasting"]),
        of_people=any_of(tables["of_people"]),
        nouns=_meanings(tables["nouns"]),
        acts=_meanings(tables["acts"]),
        how_much=tables["how_much"][0],
        amount=tables["amount"][0],
        contracted=pattern("contracted"),
    )


def _meanings(rows: Iterable[str]) -> Mapping[str, str]:
    """Return rows of "word, word = meaning" by word."""
    pairs = (row.split("=") for row in rows)
    return {word.strip(): meaning.strip() for words, meaning in pairs for word in words.split(",")}


RELATIONS: Mapping[Language, Relations] = {language: _relations(language) for language in Language}
