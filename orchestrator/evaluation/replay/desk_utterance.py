"""Read what one text of a front desk says: receipts, appointments held, openings offered, consent and questions asked.

The text is read by itself: earlier turns and existing slots are not known. The phrases are in `desk_phrases.txt`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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
_KINDS = (ReceiptKind.CANCELLED, ReceiptKind.RESCHEDULED, ReceiptKind.CONFIRMED)
_DONE = {kind: _PHRASES[f"done_{kind}"] for kind in _KINDS}
_TO_DO = {CANCEL: _PHRASES["cancel"], MOVE: _PHRASES["move"], BOOK: _PHRASES["book"]}
_ASKING = {
    topic: _PHRASES[topic]
    for topic in (Topic.ASK_WHICH_APPOINTMENT, Topic.ASK_SPECIALTY, Topic.ASK_WHICH_DOCTOR, Topic.ASK_NEW_TIME)
}
_TAKEN = re.compile(r"\b(?:horario|vaga|slot|time|opening)\b.*\b(?:ja|already|just)\b")
"""Before a past form: it was done for another person ("esse horário já foi reservado")."""


@dataclass(frozen=True, slots=True)
class DeskStatement:
    """What a text says."""

    done: tuple[tuple[ReceiptKind, tuple[NamedSlot, ...]], ...] = ()  # the writes that it says were made
    done_unsaid: bool = False  # whether something was done without saying what
    held: tuple[NamedSlot, ...] = ()  # appointments that the person has
    suggested: tuple[NamedSlot, ...] = ()  # openings that are named
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

    def says(self, phrases: str) -> bool:
        return _PHRASES[phrases].search(self.text.folded) is not None

    @property
    def lacks(self) -> bool:
        return self.says("lacking") or _TAKEN.search(self.text.folded) is not None

    @property
    def action(self) -> str | None:
        return next((action for action, words in _TO_DO.items() if words.search(self.text.folded)), None)

    @property
    def done(self) -> ReceiptKind | None:
        # Unless a word before the past form negates it.
        if self.asks or self.lacks:
            return None
        found = ((kind, words.search(self.text.folded)) for kind, words in _DONE.items())
        before = ((kind, self.text.folded[: match.start()]) for kind, match in found if match is not None)
        negations = (_PHRASES["not_done"], _TAKEN)
        return next((kind for kind, words in before if not any(cue.search(words) for cue in negations)), None)


def read_statement(content: str, clinics: Sequence[Clinic], reference: Reference) -> DeskStatement:
    """Return what a text of the desk says; its days are relative to `reference`."""
    clauses = [
        _Clause(normalise(clause), sentence.rstrip().endswith("?"), bool(_ROW.match(sentence)))
        for sentence in _sentences(content)
        for clause in _TURN.split(sentence)
        if clause.strip()
    ]
    asked = [clause for clause in clauses if clause.asks]
    mentions = [find_doctors(clause.text, clinics) for clause in clauses]
    doctors = (one.name for each in mentions if len(each.found) == len(each.spans) for one in each.found)
    specialties = (code for clause in clauses for code in find_specialties(clause.text.folded, clinics))
    asking = (topic for one in asked for topic, words in _ASKING.items() if words.search(one.text.folded))
    return replace(
        _slots_named(clauses, SlotReader(clinics, reference)),
        done_unsaid=any(one.says("done_unsaid") and not (one.asks or one.lacks) for one in clauses),
        actions=tuple(dict.fromkeys(one.action for one in clauses if one.action is not None)),
        confirms=any(one.says("confirming") or (one.asks and one.says("confirming_asked")) for one in clauses),
        asks=next(asking, None),
        shows=any(one.says("showing") for one in asked),
        lacks=any(one.lacks for one in clauses),
        doctors=tuple(dict.fromkeys(doctors)),
        specialties=tuple(dict.fromkeys(specialties)),
    )


def _slots_named(clauses: Sequence[_Clause], reader: SlotReader) -> DeskStatement:
    done: list[tuple[ReceiptKind, list[NamedSlot]]] = []
    held: list[NamedSlot] = []
    offered: list[NamedSlot] = []
    rows: list[NamedSlot] = []
    theirs: list[NamedSlot] | None = None  # where the slots of the next clauses belong; None: they are offered
    latest, action = 0, None
    for clause in clauses:
        slots, action = reader.read(clause.text), clause.action or action
        if clause.done is not None:
            theirs = []
            done.append((clause.done, theirs))
        elif clause.says("holding") and not clause.lacks:
            theirs = held
        elif clause.says("offering"):
            theirs = None
        if clause.lacks:
            # Not available is what this clause names, or what it points back to.
            if not slots and clause.says("pointing_back"):
                del offered[latest:]
        elif theirs is not None:
            theirs += slots
        elif slots:
            latest = len(offered)
            offered += [replace(slot, action=action) for slot in slots]
            rows += offered[latest:] if clause.is_row else ()
    receipts = tuple((kind, tuple(slots)) for kind, slots in done)  # numbered rows, if any, are what is offered
    return DeskStatement(done=receipts, held=tuple(held), suggested=tuple(rows or offered))


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
