"""How people say that one thing changes another: the grammar of each language, in `lexicon/relations_*.txt`.

A pattern's groups are `exposure`, `amount` (an exposure that has degrees), `outcome`, `subject` (the people), `verb`
and `rest` (what they do); it matches folded text.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal

from orchestrator.planner.lexicon import sections
from orchestrator.turn import Language

LEXICON = "orchestrator.research.lexicon"

Intent = Literal["test_hypothesis", "review_literature", "build_theory"]
REQUESTED: tuple[Intent, ...] = ("review_literature", "build_theory")
"""What a person asks for by name; each has a section of its requests."""


def any_of(rows: Iterable[str]) -> str:
    """Return a pattern for any of some rows, which may be patterns themselves."""
    return f"(?:{'|'.join(rows)})"


def words_for(section: str, language: Language) -> str:
    """Return a pattern for any row of a section."""
    return any_of(sections(f"relations_{language}", LEXICON)[section])


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
