"""Read an utterance's cues and references: what it asks for, what it denies, and what of the things shown it means.

A denied write is blanked out before cues are looked for, so that "não quero cancelar, quero remarcar" is a move. A
question about how or what if ("se eu cancelar, tem multa?") is never a write.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from orchestrator.planner.lexicon import numbers, rows, table
from orchestrator.turn import Topic


class Intent(StrEnum):
    """What is asked for."""

    MOVE = "move"
    CANCEL = "cancel"
    QUERY = "query"
    PATIENTS = "patients"
    RECORD = "record"
    BOOK = "book"
    OPENINGS = "openings"


_IN_ORDER = (Intent.MOVE, Intent.CANCEL, Intent.QUERY, Intent.PATIENTS, Intent.RECORD, Intent.BOOK, Intent.OPENINGS)
"""Where cues of several are present, the first of these is meant."""

_COURTESIES = (
    (Topic.HOW_IT_WORKS, "requests", "how_it_works"),
    (Topic.HELP, "requests", "help"),
    (Topic.FAREWELL, "smalltalk", "farewells"),
    (Topic.THANKS, "smalltalk", "thanks"),
    (Topic.GREETING, "smalltalk", "greetings"),
)


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of an utterance.

    Attributes:
        intents: All that have a cue, the one that counts first.
        books: A booking verb is among them ("marca"), not just a word about appointments.
        states: It speaks of an appointment that exists or existed.
        denies: It denies something.
        wonders: It asks something; of openings when they are being talked of.
        follows_up: It adds a condition to what is being talked of.
        health: It speaks of what only a clinic has.
        question: It is a question about anything.
        missing: It says that one cannot come.
        regrets: Somebody has changed their mind.
        denied: It denies a write and asks for nothing else in its place.
        hypothetical: It asks how, or what would happen.
        chat: GREETING, THANKS, FAREWELL, HELP or HOW_IT_WORKS.
        clinic_matter: Prices, insurance, address, papers.
        off_topic: Something that no clinic does.
        query: For QUERY, where what is looked for begins.
    """

    intents: tuple[Intent, ...] = ()
    books: bool = False
    states: bool = False
    denies: bool = False
    wonders: bool = False
    follows_up: bool = False
    health: bool = False
    question: bool = False
    missing: bool = False
    regrets: bool = False
    denied: bool = False
    hypothetical: bool = False
    chat: Topic | None = None
    clinic_matter: bool = False
    off_topic: bool = False
    query: int | None = None

    @property
    def intent(self) -> Intent | None:
        """The intent that counts."""
        return self.intents[0] if self.intents else None


def find_cues(folded: str) -> Cues:
    """Return the cues of a folded utterance in which names are blanked out."""
    wanted, denied = _without_denied(folded)
    found = tuple(intent for intent in _IN_ORDER if table("requests", intent.value).search(wanted))
    query = table("requests", "query").search(wanted)
    return Cues(
        intents=found,
        books=table("requests", "book_verbs").search(wanted) is not None,
        states=table("requests", "stating").search(wanted) is not None,
        denies=table("requests", "not").search(folded) is not None,
        wonders=table("requests", "wondering").search(wanted) is not None,
        follows_up=table("requests", "following_up").search(wanted) is not None,
        health=table("requests", "health").search(folded) is not None,
        question=table("requests", "question").search(folded) is not None,
        missing=table("requests", "missing").search(folded) is not None,
        regrets=table("requests", "regret").search(folded) is not None,
        denied=denied and not {Intent.MOVE, Intent.CANCEL} & set(found),
        hypothetical=table("requests", "hypothetical").search(table("requests", "polite").sub(" ", wanted)) is not None,
        chat=_chat(folded),
        clinic_matter=table("requests", "clinic_matters").search(folded) is not None,
        off_topic=table("smalltalk", "off_topic").search(folded) is not None,
        query=query.end() if query else None,
    )


def _without_denied(folded: str) -> tuple[str, bool]:
    """Return the utterance with its denied writes blanked out, and whether there were any."""
    blanked = table("requests", "negated").sub(lambda match: " " * len(match.group()), folded)
    return blanked, blanked != folded


def _chat(folded: str) -> Topic | None:
    return next((topic for topic, file, section in _COURTESIES if table(file, section).search(folded)), None)


_WEEKDAY_LIKE = frozenset({"segunda", "quarta", "quinta", "sexta"})
_WEEKDAY_OR_NUMBER = re.compile(r"(?:^|(?<![a-z])a )(?P<n>segunda|quarta|quinta|sexta)(?= *[.!?]*$)")

_BOTH_OR_TWO = re.compile(r"(?<![a-z])(?:as duas|os dois)(?= *[.!?,]*(?:$| *(?:consultas?|por favor|mesmo|sim|entao)))")


@dataclass(frozen=True, slots=True)
class Pointer:
    """What an utterance points at.

    Attributes:
        numbers: Numbers of list rows, as said.
        earliest: The earliest is meant.
        latest: The last is meant.
        this: The only one is meant ("esse").
        choosing: Something is wanted, not asked about.
        taking: It is taken, so that the only opening that fits is meant.
        asking: It is only to be known.
        same_time: The time of day of the appointment that is moved is kept.
        instead: Something is to take the place of what there is.
        none: Nothing of what was shown suits.
        same_doctor: The doctor that was talked of is wanted.
        other_doctor: Anybody else of the same specialty is wanted.
        other_clinic: Another clinic of the same specialty is wanted.
        correcting: Something else than what was just said is wanted.
        mine: What one has booked is asked for.
        row: The one row of a day is taken ("o de sexta").
        other: The one of those shown that was not taken.
        either: No one of several is preferred.
        both: Two of two are meant, unless it is two o'clock ("as duas").
        all: Every one is meant.
        any_day: A day that was said before no longer counts.
        any_time: A time of day that was said before no longer counts.
        perhaps: Numbers that a weekday may stand for ("a segunda").
    """

    numbers: tuple[int, ...] = ()
    earliest: bool = False
    latest: bool = False
    this: bool = False
    choosing: bool = False
    taking: bool = False
    asking: bool = False
    same_time: bool = False
    instead: bool = False
    none: bool = False
    same_doctor: bool = False
    other_doctor: bool = False
    other_clinic: bool = False
    correcting: bool = False
    mine: bool = False
    row: bool = False
    other: bool = False
    either: bool = False
    both: bool = False
    all: bool = False
    any_day: bool = False
    any_time: bool = False
    perhaps: tuple[int, ...] = ()


@cache
def _numbered() -> tuple[re.Pattern[str], ...]:
    word = "|".join(numbers("references", "ordinals"))
    plain = "|".join(ordinal for ordinal in numbers("references", "ordinals") if ordinal not in _WEEKDAY_LIKE)
    number = rf"\d{{1,2}}|{'|'.join(numbers('references', 'cardinals'))}"
    nouns = f"(?:{'|'.join(rows('references', 'nouns'))})"
    end = r"(?= *(?:$|[.!?,]|(?:e|ou|and|or) ))"
    patterns = (
        rf"(?<![a-z]){nouns} *(?:de )?(?:numero )?(?P<n>{number})(?![a-z0-9:/h])",
        rf"(?<![a-z0-9])(?P<n>{word}) (?:opcao|vaga|alternativa|linha|consulta|option|slot|one|choice|row)",
        rf"(?<![a-z0-9])(?:o|a|the|no|na|do|da|quero|prefiro) (?P<n>{plain})(?![a-z0-9])(?! (?:feira|horario))",
        r"(?<![a-z0-9])(?P<n>[1-9]\d?)(?:o|a|st|nd|rd|th) (?:opcao|vaga|horario|option|slot|one|da lista)",
        rf"(?<![a-z0-9])(?:o|a|the|take|escolho|esse|#) ?(?P<n>[1-9]\d?){end}",
        rf"^\W*(?:[oa] |the )?(?P<n>{word}|{number})\W*(?:por favor|please)?\W*$",
        r"^\W*(?P<n>[1-9]\d?)[oa]\W*$",
    )
    return tuple(re.compile(pattern) for pattern in patterns)


def find_pointer(folded: str) -> Pointer:
    """Return the references of an utterance in which times and names are blanked out."""
    said = [_number(match["n"]) for pattern in _numbered() for match in pattern.finditer(folded)]
    return Pointer(
        numbers=tuple(dict.fromkeys(said)),
        earliest=_says("earliest", folded),
        latest=_says("latest", folded),
        this=_says("this", folded),
        choosing=_says("choosing", folded),
        taking=_says("taking", folded),
        asking=_says("asking", folded),
        same_time=_says("same_time", folded),
        instead=_says("instead", folded),
        none=_says("none", folded),
        same_doctor=_says("same_doctor", folded),
        other_doctor=_says("other_doctor", folded),
        other_clinic=_says("other_clinic", folded),
        correcting=_says("correcting", folded),
        mine=_says("mine", folded),
        other=_says("other", folded),
        either=_says("either", folded),
        both=_says("both", folded),
        all=_says("all", folded),
        any_day=_says("any_day", folded),
        any_time=_says("any_time", folded),
    )


def with_days(pointer: Pointer, folded: str) -> Pointer:
    """Return the references with those that contain days and hours, from a text that still holds these.

    A weekday at the end may stand for a number ("quero a segunda" is a Monday or the second), "as duas" for both.
    """
    row = _says("row", folded)
    return replace(
        pointer,
        perhaps=tuple(_number(match["n"]) for match in _WEEKDAY_OR_NUMBER.finditer(folded)),
        row=row,
        taking=pointer.taking or row,
        both=pointer.both or _BOTH_OR_TWO.search(folded) is not None,
    )


def _says(section: str, folded: str) -> bool:
    return table("references", section).search(folded) is not None


def _number(word: str) -> int:
    return numbers("references", "ordinals").get(word) or numbers("references", "cardinals").get(word) or int(word)
