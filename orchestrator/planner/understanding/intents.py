"""Decides what an utterance asks for, from the lexicon's cues: one intent, and what was denied.

A denied write ("não quero cancelar") is taken out before its cue is looked for, so that "não quero cancelar, quero
remarcar" is a move. A question about how or what if ("se eu cancelar, tem multa?") is never a write. Names, times and
references are other modules' business.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from orchestrator.planner.text import table
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
        states: It speaks of an appointment that there is or was.
        denies: Something is denied, whatever it is.
        wonders: Something is asked; of openings when they are being talked of.
        follows_up: Another condition is put to what is being talked of.
        health: It speaks of what only a clinic has.
        question: It is a question about anything.
        missing: It is said that one cannot come.
        regrets: Somebody has changed their mind.
        denied: A write was denied and nothing else asked for in its place.
        hypothetical: It is asked how, or what would happen.
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
    """Reads the cues of an utterance in which names have been blanked out."""
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
    """The utterance with its denied writes blanked out, and whether there were any."""
    blanked = table("requests", "negated").sub(lambda match: " " * len(match.group()), folded)
    return blanked, blanked != folded


def _chat(folded: str) -> Topic | None:
    return next((topic for topic, file, section in _COURTESIES if table(file, section).search(folded)), None)
