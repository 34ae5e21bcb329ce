"""How people say that one thing changes another: the grammar of each language, in `lexicon/relations_*.txt`.

A pattern's groups are `exposure`, `amount` (an exposure that has degrees), `outcome`, `subject` (the people), `verb`
and `rest` (what they do); it matches folded text.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BeforeValidator, TypeAdapter

from orchestrator.planner.lexicon import sections
from orchestrator.turn import Language

LEXICON = "orchestrator.research.lexicon"

Intent = Literal["test_hypothesis", "review_literature", "build_theory"]


def any_of(rows: Iterable[str]) -> str:
    """Return a pattern for any of some rows, which may be patterns themselves."""
    return f"(?:{'|'.join(rows)})"


def _meanings(rows: Iterable[str]) -> Mapping[str, str]:
    # Rows are "word, word = meaning".
    pairs = (row.split("=") for row in rows)
    return {word.strip(): meaning.strip() for words, meaning in pairs for word in words.split(",")}


# How the rows of a section are read: as one text, as alternatives, one by one, or as words with their meaning.
_Alone = Annotated[str, BeforeValidator(lambda rows: rows[0])]
_AnyOf = Annotated[str, BeforeValidator(any_of)]
_Pattern = Annotated[re.Pattern[str], BeforeValidator(lambda rows: rows[0])]
_Opening = Annotated[re.Pattern[str], BeforeValidator(lambda rows: f"{any_of(rows)}+")]
_Request = Annotated[re.Pattern[str], BeforeValidator(lambda rows: rf"(?:^|(?<=[,.;:!?] )){any_of(rows)}")]
_Meanings = Annotated[Mapping[str, str], BeforeValidator(_meanings)]


@dataclass(frozen=True, slots=True)
class Relations:
    """A language's patterns, each from the section of its name."""

    review_literature: _Request  # what a person says the work is to be; no part of an observation
    build_theory: _Request
    opening: _Opening  # precedes an observation and is no part of it
    topic: _Pattern  # precedes the subject of a study where no relation is named
    shapes: tuple[re.Pattern[str], ...]  # a relation in a sentence or a question, in the order in which they are tried
    seen: tuple[re.Pattern[str], ...]  # an observation of people with a degree, in the order in which they are tried
    doing: _Pattern  # separates people from what they do: "que", "who"
    doers: _Pattern  # people who are not named: "quem", "those who"
    contrast: _AnyOf  # introduces a comparison
    measured: _AnyOf  # introduces a measure
    lasting: _AnyOf  # introduces a time
    of_people: _AnyOf  # introduces a population after a noun
    # What people do, as a noun phrase, by the verb as it was said; empty: the noun follows the verb
    nouns: _Meanings
    acts: _Meanings  # what people do, as the name of the activity, by the verb as it was said
    how_much: _Alone  # introduces an act without a noun
    amount: _Alone  # how much of something there is, as a noun phrase
    contracted: _Pattern  # a preposition that has merged with its article

    @property
    def requests(self) -> Mapping[Intent, re.Pattern[str]]:
        """What a person asks for by name."""
        return {"review_literature": self.review_literature, "build_theory": self.build_theory}


_READER = TypeAdapter(Relations)
RELATIONS = {each: _READER.validate_python(sections(f"relations_{each}", LEXICON)) for each in Language}
