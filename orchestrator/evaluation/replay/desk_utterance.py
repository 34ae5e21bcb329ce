"""Read what one text of a front desk says: receipts, appointments held, openings offered, consent and questions asked.

The text is read by itself: earlier turns and existing slots are not known. The phrases are in `desk_phrases.txt`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from orchestrator.evaluation.replay.slot_mentions import NamedSlot, SlotReader
from orchestrator.planner.calendar import Reference
from orchestrator.planner.lexicon import phrases, sections
from orchestrator.planner.text import Text, normalise
from orchestrator.planner.wishes import find_doctors, find_specialties
from orchestrator.turn import BOOK, CANCEL, MOVE, Clinic, ReceiptKind, Topic

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_UNFINISHED = re.compile(r"(?:(?:^|\W)(?:dra?|sra?|prof|[ap]\.m)|^\W*\d{1,2})\.$", re.IGNORECASE)
"""What looks like the end of a sentence and is not: "Dr.", "9 a.m.", and "1." where a line begins."""

_TURN = re.compile(r";|,?\s(?:mas|por[eé]m|contudo|but|however)\s", re.IGNORECASE)
_ROW = re.compile(r"^\W*\d{1,2}\s*[|.):º°-]\s")


_PHRASES = {name: phrases(rows) for name, rows in sections("desk_phrases", __package__).items()}

# "sua consulta marcada para sexta foi cancelada" is a cancellation, "cancelar o agendamento" too: the order counts.
_DONE = {
    kind: _PHRASES[f"done_{kind}"] for kind in (ReceiptKind.CANCELLED, ReceiptKind.RESCHEDULED, ReceiptKind.CONFIRMED)
}
_TO_DO = {CANCEL: _PHRASES["cancel"], MOVE: _PHRASES["move"], BOOK: _PHRASES["book"]}
_ASKING = {
    topic: _PHRASES[topic]
    for topic in (Topic.ASK_WHICH_APPOINTMENT, Topic.ASK_SPECIALTY, Topic.ASK_WHICH_DOCTOR, Topic.ASK_NEW_TIME)
}
_TAKEN = re.compile(r"\b(?:horario|vaga|slot|time|opening)\b.*\b(?:ja|already|just)\b")
"""Before a past form: it was done for another person ("esse horário já foi reservado")."""


@dataclass(frozen=True, slots=True)
class Done:
    """A write that the text says was made."""

    kind: ReceiptKind
    slots: tuple[NamedSlot, ...] = ()


@dataclass(frozen=True, slots=True)
class DeskSuggestion:
    """An opening that is named, and the tool that would use it, as far as said."""

    action: str | None
    slot: NamedSlot


@dataclass(frozen=True, slots=True)
class DeskStatement:
    """What a text says."""

    done: tuple[Done, ...] = ()
    done_unsaid: bool = False  # whether something was done without saying what
    held: tuple[NamedSlot, ...] = ()  # appointments that the person has
    suggested: tuple[DeskSuggestion, ...] = ()  # openings that are named
    actions: tuple[str, ...] = ()  # tools that a consent would lead to, as far as said
    confirms: bool = False  # whether consent is asked for
    asks: Topic | None = None  # the topic of a question, unless it asks for consent
    shows: bool = False  # whether the text asks if openings should be shown
    lacks: bool = False  # whether something is not available
    doctors: tuple[str, ...] = ()  # full names of the doctors that are named unambiguously
    specialties: tuple[str, ...] = ()  # codes of the specialties that are named


@dataclass(frozen=True, slots=True)
class _Clause:
    text: Text
    asks: bool
    is_row: bool


def read_statement(content: str, clinics: Sequence[Clinic], reference: Reference) -> DeskStatement:
    """Return what a text of the desk says; its days are relative to `reference`."""
    reader = _StatementReader(clinics, SlotReader(clinics, reference))
    for clause in _clauses(content):
        reader.add(clause)
    return reader.statement()


def _clauses(content: str) -> Iterator[_Clause]:
    for sentence in _sentences(content):
        for clause in _TURN.split(sentence):
            if clause.strip():
                yield _Clause(normalise(clause), sentence.rstrip().endswith("?"), bool(_ROW.match(sentence)))


def _sentences(content: str) -> Iterator[str]:
    # The end of a line always ends a sentence.
    for line in content.splitlines():
        held = ""
        for piece in _SENTENCE.split(line):
            held = f"{held} {piece}" if held else piece
            if not _UNFINISHED.search(held):
                yield held
                held = ""
        if held:
            yield held


class _StatementReader:
    """Read a text clause by clause."""

    def __init__(self, clinics: Sequence[Clinic], slots: SlotReader) -> None:
        self._clinics = clinics
        self._slots = slots
        self._said = DeskStatement()
        self._rows: tuple[DeskSuggestion, ...] = ()
        self._under: Literal["done", "held"] | None = None  # what the slots of the next clauses belong to
        self._latest = 0

    def add(self, clause: _Clause) -> None:
        """Add the next clause."""
        folded = clause.text.folded
        found = find_doctors(clause.text, self._clinics)
        if len(found.found) == len(found.spans):
            self._extend(doctors=tuple(doctor.name for doctor in found.found))
        slots = self._slots.read(clause.text)
        lacks = any(cue.search(folded) for cue in (_PHRASES["lacking"], _TAKEN))
        self._turn_to(folded, asks=clause.asks, lacks=lacks)
        self._ask(folded, asks=clause.asks)
        actions = tuple(action for action, words in _TO_DO.items() if words.search(folded))[:1]
        self._extend(specialties=tuple(find_specialties(folded, self._clinics)), actions=actions)
        said = self._said
        if lacks:
            self._lack(folded, slots)
        elif self._under == "held":
            self._extend(held=slots)
        elif self._under == "done":
            *before, last = said.done
            self._said = replace(said, done=(*before, replace(last, slots=(*last.slots, *slots))))
        elif slots:
            suggested = tuple(DeskSuggestion(said.actions[-1] if said.actions else None, slot) for slot in slots)
            self._latest = len(said.suggested)
            self._extend(suggested=suggested)
            self._rows += suggested if clause.is_row else ()

    def statement(self) -> DeskStatement:
        """Return what all clauses say together; numbered rows, if any, are what is offered."""
        said = self._said
        return replace(
            said,
            suggested=self._rows or said.suggested,
            actions=tuple(dict.fromkeys(said.actions)),
            doctors=tuple(dict.fromkeys(said.doctors)),
            specialties=tuple(dict.fromkeys(said.specialties)),
        )

    def _extend(self, **more: tuple[object, ...]) -> None:
        longer: Mapping[str, Any] = {name: getattr(self._said, name) + values for name, values in more.items()}
        self._said = replace(self._said, **longer)

    def _turn_to(self, folded: str, *, asks: bool, lacks: bool) -> None:
        # Decide what the slots of this clause and the next belong to.
        kind = None if asks or lacks else _done(folded)
        if kind is not None:
            self._extend(done=(Done(kind),))
            self._under = "done"
        elif _PHRASES["holding"].search(folded) and not lacks:
            self._under = "held"
        elif _PHRASES["offering"].search(folded):
            self._under = None
        if not asks and not lacks and _PHRASES["done_unsaid"].search(folded):
            self._said = replace(self._said, done_unsaid=True)

    def _ask(self, folded: str, *, asks: bool) -> None:
        said = self._said
        confirms = said.confirms or bool(
            _PHRASES["confirming"].search(folded) or (asks and _PHRASES["confirming_asked"].search(folded))
        )
        self._said = replace(said, confirms=confirms)
        if asks:
            topic = said.asks or next((topic for topic, words in _ASKING.items() if words.search(folded)), None)
            self._said = replace(self._said, shows=said.shows or bool(_PHRASES["showing"].search(folded)), asks=topic)

    def _lack(self, folded: str, slots: Sequence[NamedSlot]) -> None:
        # Not available is what this clause names, or what it points back to.
        self._said = replace(self._said, lacks=True)
        if not slots and _PHRASES["pointing_back"].search(folded):
            self._said = replace(self._said, suggested=self._said.suggested[: self._latest])


def _done(folded: str) -> ReceiptKind | None:
    # Unless a word before the past form negates it.
    for kind, words in _DONE.items():
        match = words.search(folded)
        if match is not None and not any(cue.search(folded[: match.start()]) for cue in (_PHRASES["not_done"], _TAKEN)):
            return kind
    return None
