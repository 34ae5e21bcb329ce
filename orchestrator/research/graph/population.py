"""Read the population of a research question: the conditions that can be counted, and the criteria that cannot.

Conditions are read in both languages, because clinics record them in Portuguese. One wrong letter in the name of a
condition is forgiven; two are not, since hypotension is two away from hypertension.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from rapidfuzz.distance import OSA

from orchestrator.planner.lexicon import phrases, sections
from orchestrator.planner.text import fold_phrase, is_known, normalise, respell, words_of
from orchestrator.research.rules import LEXICON
from orchestrator.turn import Language

_SHORTEST = 7
"""Letters from which on a word is looked at for a slip; shorter ones are a letter away from too many others."""

_JOINED = re.compile(r"[\s,/]*(?:\b(?:e|ou|nem|and|or|nor)\b)?[\s,/]*")
_EITHER = re.compile(r"\s*[,/]\s*|.*\b(?:ou|nem|or|nor)\b.*")

_OTHER_CONDITION = "other_condition"  # one that no clinic here records
_COMBINATION = "combination"  # several conditions at once: a record holds one
_EXCLUSION = "exclusion"  # those without a condition


@dataclass(frozen=True, slots=True)
class Population:
    """The conditions and criteria of a description."""

    # Codes of the named conditions, in the lexicon's order; a patient with any of them belongs to it
    conditions: tuple[str, ...]
    unchecked: tuple[str, ...]  # codes of what a count leaves out, in the order of `criteria.txt`


@dataclass(frozen=True, slots=True)
class _Mention:
    """A phrase of the lexicon in a folded text; `code` is a condition's or a criterion's."""

    start: int
    end: int
    code: str


def read_population(text: str, language: Language) -> Population:
    """Return the population that any text describes."""
    said = normalise(text)
    folded = respell(said, {word.text: better for word in said.words if (better := _corrected(word.text))}).folded
    mentions = _longest([*_mentions(folded, _conditions()), *_mentions(folded, _criteria(language))])
    named = [mention for mention in mentions if mention.code in (*_conditions(), _OTHER_CONDITION)]
    excluded = _excluded(folded, named, language)
    wanted = [mention for mention in named if mention not in excluded]
    codes = {mention.code for mention in wanted}
    # "Dermatitis except contact dermatitis" leaves two of three; "with acne and without" is still about acne.
    codes = codes - {mention.code for mention in excluded} or codes
    unchecked = {mention.code for mention in mentions if mention not in named} | (codes & {_OTHER_CONDITION})
    if excluded:
        unchecked.add(_EXCLUSION)
    if _are_combined(folded, [mention for mention in wanted if mention.code in _conditions()]):
        unchecked.add(_COMBINATION)
    return Population(
        tuple(code for code in _conditions() if code in codes),
        tuple(code for code in (*_criteria(language), _COMBINATION, _EXCLUSION) if code in unchecked),
    )


def conditions_of(recorded: str) -> frozenset[str]:
    """Return the codes of a condition as a clinic records it; empty for an unknown one."""
    return frozenset(mention.code for mention in _longest(list(_mentions(fold_phrase(recorded), _conditions()))))


def condition_name(code: str, language: Language) -> str:
    """Return the name of a condition, as within a sentence; raise `KeyError` for an unknown code."""
    portuguese, english, *_ = sections("conditions", LEXICON)[code]
    return portuguese if language is Language.PT else english


@cache
def _conditions() -> dict[str, re.Pattern[str]]:
    return {code: phrases(map(fold_phrase, table)) for code, table in sections("conditions", LEXICON).items()}


@cache
def _criteria(language: Language) -> dict[str, re.Pattern[str]]:
    # Without the exclusion, whose words need a condition.
    named = ((name.split("."), table) for name, table in sections("criteria", LEXICON).items())
    return {code: phrases(table) for (of, code), table in named if of == language and code != _EXCLUSION}


def _mentions(folded: str, tables: dict[str, re.Pattern[str]]) -> Iterator[_Mention]:
    for code, pattern in tables.items():
        yield from (_Mention(match.start(), match.end(), code) for match in pattern.finditer(folded))


def _longest(mentions: Sequence[_Mention]) -> list[_Mention]:
    places = {(one.start, one.end) for one in mentions}
    whole = (
        one
        for one in mentions
        if not any(start <= one.start and one.end <= end for start, end in places - {(one.start, one.end)})
    )
    return sorted(whole, key=lambda one: (one.start, one.end))


def _excluded(folded: str, named: Sequence[_Mention], language: Language) -> list[_Mention]:
    # Mentions right after a "without", or joined to one that is.
    without = phrases(sections("criteria", LEXICON)[f"{language}.{_EXCLUSION}"])
    ends = [match.end() for match in without.finditer(folded)]
    excluded: list[_Mention] = []
    for mention in named:
        follows = any(end <= mention.start and not folded[end : mention.start].strip(" -") for end in ends)
        shares = any(_JOINED.fullmatch(folded, one.end, mention.start) for one in excluded if one.end <= mention.start)
        twin = any((one.start, one.end) == (mention.start, mention.end) for one in excluded)
        if follows or shares or twin:
            excluded.append(mention)
    return excluded


def _are_combined(folded: str, wanted: Sequence[_Mention]) -> bool:
    # Two conditions follow each other with more than a comma and no "or" between them.
    return any(
        first.code != second.code
        and first.end <= second.start
        and not _EITHER.fullmatch(folded, first.end, second.start)
        for first, second in pairwise(wanted)
    )


@cache
def _vocabulary() -> frozenset[str]:
    rows = (fold_phrase(row) for table in sections("conditions", LEXICON).values() for row in table)
    return frozenset(word.text for row in rows for word in words_of(row) if len(word.text) >= _SHORTEST)


def _corrected(word: str) -> str | None:
    # The only word that is one letter away; None for a right or short word.
    if len(word) < _SHORTEST or word in _vocabulary() or is_known(word):
        return None
    near = [other for other in _vocabulary() if other[0] == word[0] and OSA.distance(word, other, score_cutoff=1) == 1]
    return near[0] if len(near) == 1 else None
