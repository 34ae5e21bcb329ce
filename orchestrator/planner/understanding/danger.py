"""Find signs of danger: classes of words that stand close together.

"danger.txt" of the lexicon holds the signs, "danger_words.txt" the classes. What is denied, past or only told is none.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, product

from rapidfuzz import process
from rapidfuzz.distance import OSA

from orchestrator.planner.lexicon import expression, phrases, rows, sections, table
from orchestrator.planner.text import Text, is_known, respell
from orchestrator.turn import Topic

_EMERGENCIES = (Topic.SELF_HARM, Topic.VIOLENCE, Topic.POISONING, Topic.MEDICAL_EMERGENCY)
_EVEN_PAST = frozenset({Topic.SELF_HARM, Topic.VIOLENCE})  # what was done last week needs help today
_BESIDES: Mapping[Topic | None, Sequence[Topic]] = {  # what is told beside an emergency, or where there is none
    None: (Topic.POSSIBLE_EMERGENCY, Topic.DISTRESS),
    Topic.POISONING: (Topic.DISTRESS,),
    **dict.fromkeys(_EVEN_PAST, _EMERGENCIES[2:]),
}

_NEAR = 14  # words from the first to the last of a sign
_BESIDE = 5  # words around a sign in which a class speaks against it
_DENIED = 3  # words that may stand between a denial and what it denies
_MOST = 6  # places of a class that are looked at
Span = tuple[int, int]  # the first word of a place and the one after its last
_ASIDE = frozenset({"right_as_typed", "talk_about", "question_about", "past", "joke"})  # what tells of no danger
_CONTEXT = _ASIDE | {"denial", "denial_next", "just_now"}
_BUT = frozenset({"mas", "but", "porem", "so", "because", "porque"})
_AND = _BUT | {"e", "and"}
_STOP = re.compile(r"[,.:;!?()]")
_Rows = Mapping[str, list[tuple[str, str]]]  # rows with their classes, by the word or stem that they begin with
_NUMBER = "#"
_SHORTEST, _LONG, _LONGEST = 5, 9, 24
_ALIKE = {"k": "kcq", "q": "qck", "e": "ei", "i": "ie", "s": "sc", "c": "csk"}  # first letters that sound alike
_NEVER_MEANT = _ASIDE | {"harmless", "game"}
_DOUBLED = re.compile(r"([a-z])\1")


@dataclass(frozen=True, slots=True)
class Danger:
    """What an utterance tells of danger."""

    emergency: Topic | None  # SELF_HARM, VIOLENCE, POISONING or MEDICAL_EMERGENCY when it cannot wait
    caution: Topic | None  # POSSIBLE_EMERGENCY or DISTRESS for what alone may be anything, or a further emergency


def find_danger(text: Text) -> Danger:
    """Return the danger in a normalised text whose typos are not corrected yet."""
    read = respell(text, {word.text: right for word in text.words if (right := _right(word.text)) is not None})
    adverbs = [match.span() for match in expression("adverb").finditer(read.folded)]
    told = [read, read.without(adverbs)] if adverbs else [read]  # "I don't really want to be here"
    scenes = [scene for one in told if (scene := _Scene.of(one)).found]
    if not scenes:
        return Danger(None, None)
    emergency = next((topic for topic in _EMERGENCIES if any(one.shows(topic) for one in scenes)), None)
    if emergency is Topic.MEDICAL_EMERGENCY and settled(read.folded):
        return Danger(None, Topic.POSSIBLE_EMERGENCY)
    caution = next((topic for topic in _BESIDES.get(emergency, ()) if any(one.shows(topic) for one in scenes)), None)
    return Danger(emergency, caution)


def helped(folded: str) -> bool:
    """Return whether help is on its way, or they go to it; "I am not going to the hospital" says neither."""
    denied = table("smalltalk", "no_courtesies").search(folded)
    return denied is None and table("danger_words", "called_help").search(folded) is not None


def settled(folded: str, by: str = "settled") -> bool:
    """Return whether emergency services let the person go, or somebody warned is well ("all_clear"), and still is."""
    said = expression(by).search(folded)
    return said is not None and expression("unsettled").search(folded, said.start()) is None


@dataclass(frozen=True, slots=True)
class _Sign:
    classes: tuple[str, ...]  # together they are a sign; a denial stands before the first
    against: tuple[str, ...]  # beside one of these they are none


@dataclass(frozen=True, slots=True)
class _Scene:
    clauses: tuple[int, ...]  # for each word, the number of its clause
    statements: tuple[int, ...]  # the same, where "and" begins no other
    found: Mapping[str, list[Span]]  # the places of each class

    @classmethod
    def of(cls, text: Text) -> "_Scene":
        found: defaultdict[str, list[Span]] = defaultdict(list)
        for n, word in enumerate(text.words):
            for name, phrase in class_patterns(word.text):
                if match := phrase.match(text.folded, word.start):
                    found[name].append((n, sum(one.start < match.end() for one in text.words)))
        idle = found.pop("harmless", [])
        kept = {name: [span for span in spans if not any(map(_overlaps(span), idle))] for name, spans in found.items()}
        return cls(tuple(_clauses(text, _AND)), tuple(_clauses(text, _BUT)), kept)

    def shows(self, topic: Topic) -> bool:
        there = {name for name, spans in self.found.items() if spans}
        signs = _signs(topic)
        return any(
            self._counts(spans, sign, topic)
            for name in there & signs.keys()
            for sign in signs[name]
            if there.issuperset(sign.classes)
            for spans in product(*(self.found[name][:_MOST] for name in sign.classes))
        )

    def _counts(self, spans: Sequence[Span], sign: _Sign, topic: Topic) -> bool:
        first, last = min(start for start, _ in spans), max(end for _, end in spans)
        apart = all(one[1] <= other[0] for one, other in pairwise(sorted(spans)))
        if last - first > _NEAR or not apart or self._is_denied(spans[0]) or self._is_talk(spans):
            return False
        around = (first - _BESIDE, last + _BESIDE)
        if any(_overlaps(span)(around) for name in sign.against for span in self.found.get(name, ())):
            return False
        return topic in _EVEN_PAST or not any(map(self._is_past, spans))

    def _is_denied(self, span: Span) -> bool:
        # "Não respira": the denial belongs to the sign.
        signs = {start for name, spans in self.found.items() if name not in _CONTEXT for start, _ in spans}
        return any(
            0 <= span[0] - end <= (_DENIED if name == "denial" else 0)
            and self.statements[start] == self.statements[span[0]]
            and start not in signs
            for name in ("denial", "denial_next")
            for start, end in self.found.get(name, ())
        )

    def _is_talk(self, spans: Sequence[Span]) -> bool:
        first = min(start for start, _ in spans)
        clauses = {self.clauses[start] for start, _ in spans}
        about = any(self.clauses[start] in clauses for start, _ in self.found.get("talk_about", ()))
        return about or any(0 <= first - end <= 1 for _, end in self.found.get("question_about", ()))

    def _is_past(self, span: Span) -> bool:
        clause = self.clauses[span[0]]
        if any(self.clauses[start] == clause for start, _ in self.found.get("just_now", ())):
            return False
        return any(
            (told := self.clauses[start]) == clause
            or (told < clause and self.clauses.count(told) - (end - start) <= 1)  # and it fills its clause
            for start, end in self.found.get("past", ())
        )


def _overlaps(one: Span) -> Callable[[Span], bool]:
    return lambda other: one[0] < other[1] and other[0] < one[1]


def _clauses(text: Text, conjunctions: frozenset[str]) -> Iterator[int]:
    number, end = 0, 0
    for word in text.words:
        number += word.text in conjunctions or _STOP.search(text.folded, end, word.start) is not None
        end = word.end
        yield number


@cache
def _signs(topic: Topic) -> Mapping[str, Sequence[_Sign]]:
    signs: defaultdict[str, list[_Sign]] = defaultdict(list)
    for together, *against in (row.split(" - ") for row in rows("danger", topic)):
        first, *others = together.split(" + ")
        signs[first].append(_Sign((first, *others), tuple(against)))
    return signs


@lru_cache(maxsize=4096)
def class_patterns(word: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the phrases that may begin with a word, each with its class; they match where the word stands."""
    whole, stems = _rows_by_head()
    begun = (row for end in range(2, len(word) + 1) for row in stems.get(word[:end], ()))
    found = (*(whole[_NUMBER] if word.isdigit() else ()), *whole.get(word, ()), *begun)
    return tuple((name, phrases((row,))) for name, row in dict.fromkeys(found))


@cache
def _rows_by_head() -> tuple[_Rows, _Rows]:
    whole: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    stems: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, listed in sections("danger_words").items():
        for row in listed:
            for head in set(_heads(row)):
                kind = stems if head.endswith("*") else whole
                kind[_NUMBER if _NUMBER in head else head.removesuffix("*")].append((name, row))
    return whole, stems


def _heads(row: str) -> Iterator[str]:
    # The words that a phrase may begin with: groups are spelled out until the first word is whole.
    start = row.find("(")
    if start < 0 or " " in row[:start].lstrip():
        yield row.split(maxsplit=1)[0]
        return
    depth, bounds, at = 1, [start + 1], start
    while depth:
        at += 1
        depth += {"(": 1, ")": -1}.get(row[at], 0)
        if depth == 1 and row[at] == "|":
            bounds.append(at + 1)
    options = [row[one : other - 1] for one, other in pairwise([*bounds, at + 1])]
    optional = row[at + 1 : at + 2] in ("?", "*")
    for option in [*options, ""] if optional else options:
        yield from _heads(row[:start] + option + row[at + 1 + optional :])


@lru_cache(maxsize=4096)
def _right(word: str) -> str | None:
    if word.endswith("'s"):
        return word.removesuffix("'s")
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha() or is_known(word) or class_patterns(word):
        return None
    words, stems, undoubled = _spellings()
    if (same := undoubled.get(_DOUBLED.sub(r"\1", word))) is not None:
        return same
    slips = 2 if len(word) >= _LONG else 1
    alike = [one for letter in _ALIKE.get(word[0], word[0]) for one in words.get(letter, ())]
    if found := process.extractOne(word, alike, scorer=OSA.distance, score_cutoff=slips):
        # What parts only at the end is rather another form of a verb than a typo.
        begins = max(len(word), len(found[0])) - 2
        return None if word[:begins] == found[0][:begins] else found[0]
    return next(_stems_like(word, stems), None)


def _stems_like(word: str, stems: Mapping[int, list[str]]) -> Iterator[str]:
    for size, some in stems.items():
        for length in range(min(size, len(word)), size - 2, -1):
            found = process.extractOne(word[:length], some, scorer=OSA.distance, score_cutoff=1)
            if found and found[0][:2] == word[:2]:
                yield found[0]


@cache
def _spellings() -> tuple[Mapping[str, list[str]], Mapping[int, list[str]], Mapping[str, str]]:
    # What a typo may stand for: words by letter, stems by length, the longest first, and words without double letters.
    tables = (table for name, table in sections("danger_words").items() if name not in _NEVER_MEANT)
    pieces = (piece for table in tables for row in table for piece in _pieces(row))
    known = {head for piece in dict.fromkeys(pieces) for head in _heads(piece) if len(head) > _SHORTEST}
    words: defaultdict[str, list[str]] = defaultdict(list)
    stems: defaultdict[int, list[str]] = defaultdict(list)
    for word in sorted(sorted(known), key=len, reverse=True):
        if not word.endswith("*"):
            words[word[0]].append(word)
        elif len(word) > _SHORTEST + 1:
            stems[len(word) - 1].append(word[:-1])
    return words, stems, {_DOUBLED.sub(r"\1", word): word for some in words.values() for word in some}


def _pieces(row: str) -> Iterator[str]:
    depth, start = 0, 0  # the parts of a phrase between its outer spaces
    for at, character in enumerate(f"{row} "):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == " " and depth == 0:
            yield row[start:at].lstrip()
            start = at + 1
