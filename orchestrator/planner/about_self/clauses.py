"""Cut an utterance into clauses that can hold one statement each; reasons and padding are no part of a statement."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from orchestrator.planner.lexicon import pattern, phrases, rows, table


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a text that can hold one statement, by its place in the folded text."""

    start: int  # where it begins
    end: int
    folded: str
    asked: bool  # it ends with a question mark
    link: str  # the word or sign that parts it from the clause before

    @property
    def own_span(self) -> tuple[int, int]:
        """Where it stands in the folded text without lead and courtesies."""
        start = after_leads(self.folded)
        return self.start + start, self.start + _end_without_courtesies(self.folded, start)

    @property
    def reasoned(self) -> str:
        """The clause up to a reason that it ends with, without courtesies."""
        reason = table("memories", "reasons").search(self.folded, after_leads(self.folded))
        return self.folded[: _end_without_courtesies(self.folded[: reason.start() if reason else None])]

    @property
    def has_exception(self) -> bool:
        """Whether it takes back a part of what it states, which is more than can be remembered."""
        return pattern("patterns", "exception").search(self.folded) is not None


# The links before a clause that says why the one before holds, what follows from it, or goes on where it ended.
REASONS = frozenset({"porque", "pois", "because", "since"})
CONSEQUENCES = frozenset({"entao", "por isso", "so"})
ADDITIONS = frozenset({",", "e", "and"})


def is_idle(words: str) -> bool:
    """Return whether words around statements are only courtesies and leads."""
    return _is_empty(_idle().sub(" ", words))


def clauses(folded: str) -> Iterator[Clause]:
    """Cut a folded text where another statement, a request or a reason may begin."""
    start, link = 0, ""
    for match in pattern("patterns", "cut").finditer(folded):
        cut = match.group()
        words = folded[start : match.start()].strip()
        if words:
            yield _clause(folded, words, start, asked="?" in cut, link=link)
        link, start = (cut if words else f"{link}{cut}").strip(), match.end()
        link = link.removeprefix(",") or link
    if words := folded[start:].strip():
        yield _clause(folded, words, start, asked=False, link=link)


def _clause(folded: str, words: str, start: int, *, asked: bool, link: str) -> Clause:
    first = folded.index(words, start)
    return Clause(first, first + len(words), words, asked, link)


_QUOTED = re.compile(r'"|“|”|«|»')


def is_reported(folded: str) -> bool:
    """Return whether a text reports what somebody else said, or quotes."""
    others = table("memories", "said_oneself").sub(" ", folded)
    return _QUOTED.search(folded) is not None or table("memories", "reported").search(others) is not None


def after_leads(folded: str) -> int:
    """Return where a clause begins behind its lead."""
    match = pattern("patterns", "leads").match(folded)
    return match.end() if match else 0


def _end_without_courtesies(folded: str, start: int = 0) -> int:
    ending = pattern("patterns", "courtesies").search(folded, start)
    return len(folded[: ending.start() if ending else None].rstrip(" ,"))


def is_filler(rest: str) -> bool:
    """Return whether what is left of a clause without its statement says nothing of its own."""
    return _is_empty(table("memories", "fillers").sub(" ", rest))


def _is_empty(text: str) -> bool:
    return re.search(r"[a-z0-9]", text) is None


@cache
def _idle() -> re.Pattern[str]:
    courtesies = (row for section in ("greetings", "gratitude", "padding") for row in rows("smalltalk", section))
    own = (row for section in ("leads", "ending", "fillers") for row in rows("memories", section))
    return phrases((*courtesies, *own))
