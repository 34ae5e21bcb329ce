"""Quote what people said of themselves: a model may make statements up, so their own clauses are kept or nothing."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from orchestrator.planner.about_self.clauses import REASONS, clauses
from orchestrator.planner.lexicon import pattern, rows, table
from orchestrator.planner.text import Text, normalise, words_of

MIN_SHARE = 0.6  # of a model's content words must be the person's: a paraphrase passes, an addition does not
SAME_SHARE = 0.7  # above this share of common content words, two statements of one utterance are one
_SENTENCE_END = re.compile(r"(?<!\bdr)(?<!\bdra)[.!?;]+(?=\s|$)")
_PREFIX = 4  # letters that two forms of a word share ("trabalho", "trabalha"); of shorter words all but the last
_FEWEST_LETTERS = 3  # shorter words are function words, whatever they say


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring clauses of a sentence."""

    start: int
    end: int  # where they end (exclusive)
    said: frozenset[str]  # the wanted words that they hold


def own_words(content: str, text: Text) -> str | None:
    """Return the person's own words for a statement in a model's words.

    None where neighbouring clauses hold too few of its words or not all its numbers, ask, wish or tell of others.
    """
    wanted = frozenset(_content_words(normalise(content).folded))
    best = max(_runs(text.folded, wanted), key=lambda run: len(run.said), default=None)
    if best is None or not _says_enough(best.said, wanted) or _is_asked_or_reported(best, text.folded):
        return None
    lead = pattern("patterns", "lead_of_quotation").match(text.folded, best.start, best.end)
    start = best.start if lead is None else lead.end()
    return _as_typed(text, start, best.end) if _is_about_the_speaker(text.folded[start : best.end]) else None


def say_much_the_same(one: str, other: str) -> bool:
    """Return whether more than `SAME_SHARE` of the content words of the shorter statement are in the longer one."""
    first, second = ([*_content_words(normalise(text).folded)] for text in (one, other))
    fewer, more = sorted((first, second), key=len)
    return sum(_is_among(word, more) for word in fewer) > SAME_SHARE * len(fewer)


def _runs(folded: str, wanted: frozenset[str]) -> Iterator[_Run]:
    run: _Run | None = None
    for clause in clauses(folded):
        spoken = [*_content_words(clause.folded)]
        said = frozenset(word for word in wanted if _is_among(word, spoken))
        is_reason = clause.link in REASONS or table("own_words", "reason").search(clause.folded)
        goes_on = is_reason or table("own_words", "first_person").search(clause.folded)
        if run is not None and said and goes_on and not _SENTENCE_END.search(folded, run.end, clause.start):
            run = replace(run, end=clause.end, said=run.said | said)
            continue
        if run is not None:
            yield run
        run = _Run(clause.start, clause.end, said) if said else None
    if run is not None:
        yield run


def _says_enough(said: frozenset[str], wanted: frozenset[str]) -> bool:
    numbers = {word for word in wanted if word.isdigit()}
    return numbers <= said and len(said) >= MIN_SHARE * len(wanted)


@cache
def _small_words() -> frozenset[str]:
    return frozenset(word for row in rows("own_words", "small") for word in row.split())


def _content_words(folded: str) -> Iterator[str]:
    for word in words_of(folded):
        if word.text.isdigit() or (len(word.text) >= _FEWEST_LETTERS and word.text not in _small_words()):
            yield word.text


def _is_among(word: str, spoken: Sequence[str]) -> bool:
    return word in spoken or (not word.isdigit() and any(_are_forms_of_one(word, other) for other in spoken))


def _are_forms_of_one(word: str, other: str) -> bool:
    shared = min(_PREFIX, min(len(word), len(other)) - 1)
    return shared >= _FEWEST_LETTERS and word[:shared] == other[:shared]


def _is_asked_or_reported(run: _Run, folded: str) -> bool:
    start = max((match.end() for match in _SENTENCE_END.finditer(folded, 0, run.start)), default=0)
    ending = _SENTENCE_END.search(folded, run.end)
    end = ending.end() if ending else len(folded)
    # "..., tem cardiologista?" asks something of its own; "..., né?" does not.
    asks_else = any(table("requests", section).search(folded[run.end : end]) for section in ("wondering", "openings"))
    sentence = folded[start:end]
    asked = "?" in sentence and not asks_else
    return asked or '"' in sentence or table("own_words", "reported").search(sentence) is not None


def _is_about_the_speaker(statement: str) -> bool:
    speaker = table("own_words", "first_person").search(statement)
    if speaker is None:
        return False
    if any(table("own_words", section).search(statement) for section in ("requests", "passing", "others_do")):
        return False
    somebody = table("own_words", "others").search(statement)
    return somebody is None or speaker.start() < somebody.start()


def _as_typed(text: Text, start: int, end: int) -> str:
    visible = (sign for sign in text.typed(start, end) if unicodedata.category(sign) != "Cf")
    plain = "".join(sign if sign.isprintable() else " " for sign in visible)
    return " ".join(plain.split()).strip(" .,;:!()-–—")
