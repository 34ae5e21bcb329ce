"""Cut an utterance into clauses that can hold one statement each; reasons and padding are no part of a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from orchestrator.planner.lexicon import pairs, rows
from orchestrator.planner.lexicon.tables import phrases, table


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a text that can hold one statement, by its place in the folded text."""

    start: int  # where it begins
    end: int
    folded: str
    asked: bool  # it ends with a question mark

    @property
    def own_span(self) -> tuple[int, int]:
        """Where it stands in the folded text without lead, reasons and courtesies."""
        start = after_leads(self.folded)
        return self.start + start, self.start + end_without_reason(self.folded, start)

    @property
    def has_exception(self) -> bool:
        """Whether it takes back a part of what it states, which is more than can be remembered."""
        return re.search(f",{_EXCEPTION}", self.folded) is not None


def is_idle(words: str) -> bool:
    """Return whether words around statements are only courtesies and leads."""
    return _is_empty(_idle().sub(" ", words))


def clauses(folded: str) -> Iterator[Clause]:
    """Cut a folded text where another statement, a request or a reason may begin."""
    start = 0
    for match in _cuts().finditer(folded):
        yield from _clause(folded, start, match.start(), asked="?" in match.group())
        start = match.end()
    yield from _clause(folded, start, len(folded), asked=False)


def _clause(folded: str, start: int, end: int, *, asked: bool) -> Iterator[Clause]:
    words = folded[start:end].strip()
    if words:
        first = folded.index(words, start)
        yield Clause(first, first + len(words), words, asked)


_EXCEPTION = r" (?:mas |but )?(?:menos|exceto|fora|tirando|a nao ser|so (?:depois|antes|de|a|se)|except|unless|only)\b"
_QUOTED = re.compile(r'"|“|”|«|»')


@cache
def _cuts() -> re.Pattern[str]:
    day = "|".join(pairs("memories", "weekdays"))
    speaking = "|".join(rows("memories", "clause_openers"))
    return re.compile(
        r"(?<!\bdr)(?<!\bdra)[.!?;:]+(?=\s|$)|[()\n]"
        rf"|,(?! (?:e |ou |nem |and |or )?(?:(?:as|nas|aos|nos|on) )?(?:{day})s?\b|{_EXCEPTION})"
        r"|(?<![a-z])(?:mas|porem|porque|pois|entao|por isso|but|because|since)(?![a-z])"
        r"|(?<![a-z])so (?=(?:i|can|please|what|could|do) )"
        rf"|(?<![a-z])(?:e|and) (?=(?:{speaking})(?![a-z]))"
    )


def is_reported(folded: str) -> bool:
    """Return whether a text reports what somebody else said, or quotes."""
    others = table("memories", "said_oneself").sub(" ", folded)
    return _QUOTED.search(folded) is not None or table("memories", "reported").search(others) is not None


def after_leads(folded: str) -> int:
    """Return where a clause begins behind its lead."""
    match = _leads().match(folded)
    return match.end() if match else 0


@cache
def _leads() -> re.Pattern[str]:
    lead = phrases((*rows("memories", "leads"), *rows("memories", "to_be_remembered"))).pattern
    return re.compile(rf"[^a-z0-9]*(?:{lead}[^a-z0-9]+)*")


def end_without_reason(folded: str, start: int) -> int:
    """Return where a clause ends before a reason, which may be anybody's, and before courtesies."""
    reason = table("memories", "reasons").search(folded, start)
    end = reason.start() if reason else len(folded)
    ending = _endings().search(folded[:end])
    return len(folded[: ending.start() if ending else end].rstrip(" ,"))


@cache
def _endings() -> re.Pattern[str]:
    return re.compile(rf"(?:[^a-z0-9]+{phrases(rows('memories', 'ending')).pattern})+[^a-z0-9]*$")


def is_filler(rest: str) -> bool:
    """Return whether what is left of a clause without its statement says nothing of its own."""
    fillers = _fillers().sub(" ", rest[: end_without_reason(rest, 0)])
    return _is_empty(fillers)


def _is_empty(text: str) -> bool:
    return re.search(r"[a-z0-9]", text) is None


@cache
def _fillers() -> re.Pattern[str]:
    return phrases((*rows("memories", "fillers"), *rows("memories", "to_be_remembered")))


@cache
def _idle() -> re.Pattern[str]:
    courtesies = (row for section in ("greetings", "gratitude", "padding") for row in rows("smalltalk", section))
    own = (row for section in ("leads", "to_be_remembered", "ending", "fillers") for row in rows("memories", section))
    return phrases((*courtesies, *own))
