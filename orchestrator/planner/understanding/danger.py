"""Find signs of danger: classes of words that stand close together.

"danger.txt" of the lexicon holds the signs, "danger_words.txt" the classes. What is denied, past or only talked about
is none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product

from orchestrator.planner.lexicon import rows
from orchestrator.planner.text import Text
from orchestrator.planner.understanding.danger_classes import class_patterns, respelt
from orchestrator.turn import Topic

_EMERGENCIES = (Topic.SELF_HARM, Topic.VIOLENCE, Topic.POISONING, Topic.MEDICAL_EMERGENCY)
_CAUTIONS = (Topic.POSSIBLE_EMERGENCY, Topic.DISTRESS)
_EVEN_PAST = frozenset({Topic.SELF_HARM, Topic.VIOLENCE})  # what was done last week needs help today

_NEAR = 14  # words from the first to the last of a sign
_BESIDE = 5  # words around a sign in which a class speaks against it
_DENIED = 3  # words that may stand between a denial and what it denies
_MOST = 6  # places of a class that are looked at


@dataclass(frozen=True, slots=True)
class Danger:
    """What an utterance tells of danger."""

    emergency: Topic | None  # SELF_HARM, VIOLENCE, POISONING or MEDICAL_EMERGENCY when it cannot wait
    caution: Topic | None  # POSSIBLE_EMERGENCY or DISTRESS for what alone may be anything


def find_danger(text: Text) -> Danger:
    """Return the danger in a normalised text whose typos are not corrected yet."""
    scene = _Scene.of(respelt(text))
    return Danger(
        emergency=next((topic for topic in _EMERGENCIES if scene.shows(topic)), None),
        caution=next((topic for topic in _CAUTIONS if scene.shows(topic)), None),
    )


Span = tuple[int, int]
"""The first word of a place and the one after its last."""


@dataclass(frozen=True, slots=True)
class _Sign:
    classes: tuple[str, ...]  # together they are a sign; a denial stands before the first
    needs: frozenset[str]  # the same as a set
    against: tuple[str, ...]  # beside one of these they are none


@dataclass(frozen=True, slots=True)
class _Scene:
    """Where the classes stand in an utterance."""

    clauses: tuple[int, ...]  # for each word, the number of its clause
    statements: tuple[int, ...]  # the same, where "and" begins no other
    found: Mapping[str, list[Span]]  # the places of each class

    @classmethod
    def of(cls, text: Text) -> _Scene:
        found: defaultdict[str, list[Span]] = defaultdict(list)
        for n, word in enumerate(text.words):
            for name, pattern in class_patterns(word.text):
                if match := pattern.match(text.folded, word.start):
                    found[name].append((n, sum(one.start < match.end() for one in text.words)))
        idle = found.pop("harmless", [])
        kept = {name: [span for span in spans if not any(map(_overlaps(span), idle))] for name, spans in found.items()}
        return cls(tuple(_clauses(text, _AND)), tuple(_clauses(text, _BUT)), kept)

    def shows(self, topic: Topic) -> bool:
        there = {name for name, spans in self.found.items() if spans}
        signs = _signs(topic)
        beginning = [sign for name in self.found for sign in signs.get(name, ())]
        return any(self._is_shown(sign, topic) for sign in beginning if sign.needs <= there)

    def _is_shown(self, sign: _Sign, topic: Topic) -> bool:
        places = (self.found[name][:_MOST] for name in sign.classes)
        return any(self._counts(spans, sign, topic) for spans in product(*places))

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
        return any(
            0 <= span[0] - end <= (_DENIED if name == "denial" else 0)
            and self.statements[start] == self.statements[span[0]]
            and not self._is_part_of_a_sign(start)
            for name in ("denial", "denial_next")
            for start, end in self.found.get(name, ())
        )

    def _is_part_of_a_sign(self, start: int) -> bool:
        # "não respira": the denial belongs to the class.
        return any(span[0] == start for name, spans in self.found.items() if name not in _CONTEXT for span in spans)

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
            self.clauses[past[0]] == clause or (self.clauses[past[0]] < clause and self._fills_its_clause(past))
            for past in self.found.get("past", ())
        )

    def _fills_its_clause(self, span: Span) -> bool:
        return self.clauses.count(self.clauses[span[0]]) - (span[1] - span[0]) <= 1


_CONTEXT = frozenset(
    {"right_as_typed", "denial", "denial_next", "talk_about", "question_about", "past", "just_now", "joke"}
)


def _overlaps(one: Span) -> Callable[[Span], bool]:
    return lambda other: one[0] < other[1] and other[0] < one[1]


_BUT = frozenset({"mas", "but", "porem", "so", "because", "porque"})
_AND = _BUT | {"e", "and"}
_STOP = re.compile(r"[,.:;!?()]")


def _clauses(text: Text, conjunctions: frozenset[str]) -> Iterator[int]:
    number, end = 0, 0
    for word in text.words:
        number += word.text in conjunctions or _STOP.search(text.folded, end, word.start) is not None
        end = word.end
        yield number


@cache
def _signs(topic: Topic) -> Mapping[str, list[_Sign]]:
    """Return the signs of a topic by their first class."""
    signs: defaultdict[str, list[_Sign]] = defaultdict(list)
    for sign in map(_sign, rows("danger", topic)):
        signs[sign.classes[0]].append(sign)
    return signs


def _sign(row: str) -> _Sign:
    together, *against = row.split(" - ")
    classes = tuple(together.split(" + "))
    return _Sign(classes, frozenset(classes), tuple(against))
