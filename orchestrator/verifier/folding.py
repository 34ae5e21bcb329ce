"""Text as the rules compare it: folded, cut into sentences and clauses; and the rules' word lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files

from mesh.text_folding import fold

_BLANKS = re.compile(r"[^\S\n]+")


def folded(text: str) -> str:
    """Return text without case and accents, in which runs of blanks other than line ends are one space."""
    return _BLANKS.sub(" ", fold(text))


# A clause ends at punctuation that is not inside a number or an abbreviated title, and before these conjunctions.
_CLAUSE_END = re.compile(r"(?<!\bdr)(?<!\bdra)\.(?!\d)|[!?;\n|,()—]|:(?!\d\d)|\b(?:mas|pois|porque|but|because)\b")


def clauses(plain: str) -> Iterator[str]:
    """Yield the clauses of a folded text."""
    for clause in _CLAUSE_END.split(plain):
        if stripped := clause.strip():
            yield stripped


def aligned(text: str) -> str:
    """Return text without case and accents, character for character, so that offsets stay what they are."""
    return "".join((folded(character) or " ")[0] for character in text)


def one_of(*forms: str) -> str:
    """Return a pattern that matches any of the given patterns."""
    return f"(?:{'|'.join(forms)})"


_SENTENCE_END = re.compile(r"\n+|(?<!\b[Dd]r\.)(?<!\b[Dd]ra\.)(?<=[.!?;])\s+")
_WRITTEN_CLAUSE_END = re.compile(
    r"\n+|(?<!\b[Dd]r)(?<!\b[Dd]ra)[.;:!?](?!\d)|[,()—–]|\b(?:mas|porém|pois|porque|enquanto|but|because|while)\b"
)
_JOINED = re.compile(r"\s(?:e|ou|and|or)\s")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, lines apart."""
    return (part for part in _SENTENCE_END.split(text) if part.strip())


def clauses_of(sentence: str) -> Iterator[str]:
    """Yield the clauses of a sentence, as written."""
    return (part for part in _WRITTEN_CLAUSE_END.split(sentence) if part.strip())


def members(clause: str) -> Iterator[str]:
    """Yield what "and" and "or" join in a clause."""
    return (part for part in _JOINED.split(clause) if part.strip())


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a list, folded, in the file's order.

    Args:
        name: The file below this package: words parted by blanks; a line that begins with # is a comment.
    """
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tuple(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def pattern_of(*names: str) -> re.Pattern[str]:
    """Return a pattern for any word of some lists in a folded text; in a list, * is any ending and _ a blank."""
    words = (word for name in names for word in words_of(name))
    forms = (re.escape(word).replace("_", " ").replace(r"\*", r"[\w-]*") for word in words)
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
