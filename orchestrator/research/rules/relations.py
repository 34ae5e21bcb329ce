"""How people say that one thing changes another: what a language's grammar consists of, and how its tables are read.

The tables are `relations_pt` and `relations_en`. A pattern's groups are `exposure`, `amount` (an exposure of which
there is more and less), `outcome`, `subject` (whom something was seen in), `verb` and `rest` (what those do); it
matches folded text. What is found is cut and tidied by `reading`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relations:
    """A language's patterns.

    Attributes:
        opening: What stands before an observation and is no part of it.
        topic: What stands before the subject of a study, where no relation is named.
        shapes: A relation in a sentence or a question, in the order in which they are tried.
        seen: Something seen in people, with a degree, in the order in which they are tried.
        doing: What parts people from what they do: "que", "who".
        doers: What stands for people who are not named: "quem", "those who".
        contrast: What introduces a comparison.
        measured: What introduces a measure.
        lasting: What introduces a time.
        of_people: What introduces a population behind a noun.
        nouns: What people are seen to do, as a noun phrase, by the verb as it was said; empty: the noun follows the
        verb.
        acts: What people do, as the name of doing it, by the verb as it was said.
        how_much: How an act without a noun is spoken of.
        amount: How much of something there is, as a noun phrase.
        contracted: A preposition that has grown together with its article.
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


def any_of(table: str) -> str:
    """Return a pattern for any row of a table; rows are parted by semicolons and may be patterns themselves."""
    return f"(?:{'|'.join(' '.join(row.split()) for row in table.split(';'))})"


def meanings(table: str) -> dict[str, str]:
    """Return a table of "word, word = meaning" by word."""
    pairs = (row.split("=") for row in table.split(";"))
    return {word.strip(): meaning.strip() for words, meaning in pairs for word in words.split(",")}
