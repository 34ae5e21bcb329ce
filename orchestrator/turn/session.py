"""What one conversation knows: who speaks, what was offered, what is proposed, what was done.

A session is a frozen value; a turn returns the next one. It holds no clinic answer beyond the openings that the person
was shown and the receipts of what was written.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import date, time
from enum import StrEnum

from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.memory_calls import Memory
from orchestrator.turn.plan import Plan, Question
from orchestrator.turn.step_actions import Appointment


@dataclass(frozen=True, slots=True)
class Offer:
    """An opening as it was shown, by its number.

    Attributes:
        number: 1, 2, 3 ... as on the screen.
        clinic: The clinic's id.
        doctor: Full name with title.
        specialty: The doctor's specialty in Portuguese, as the clinic says it.
        date: The day, in America/Sao_Paulo.
        time: The time of day.
    """

    number: int
    clinic: str
    doctor: str
    specialty: str
    date: date
    time: time


class ReceiptKind(StrEnum):
    """What was written; the values are the contract's `status`."""

    CONFIRMED = "confirmed"
    RESCHEDULED = "rescheduled"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Receipt:
    """A write that a clinic acknowledged in this session.

    Attributes:
        kind: What was written.
        appointment: As it is now; for a cancellation, as it was.
        original: What a rescheduling gave back.
    """

    kind: ReceiptKind
    appointment: Appointment
    original: Appointment | None = None

    @property
    def slots(self) -> tuple[Appointment, ...]:
        """The slots that it names, the present one first."""
        return (self.appointment,) if self.original is None else (self.appointment, self.original)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Writes that wait for a yes.

    Attributes:
        plan: The plan whose steps are the writes, each with its request_id.
        in_doubt: request_ids of the writes whose outcome is not known after a first try; a yes asks the clinics again
            under them.
        id: What a script repeats to say yes to it (`orchestrator.turn.proposals`).
    """

    plan: Plan
    in_doubt: frozenset[str] = frozenset()
    id: str = ""

    @property
    def attempted(self) -> bool:
        """Whether the outcome of one of its writes is not known after a first try."""
        return bool(self.in_doubt)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn as it was said.

    Attributes:
        utterance: What the person wrote.
        reply: The plain text that was shown.
        private: The reply tells of patients: it is shown again to nobody else, a language model among them.
    """

    utterance: str = field(repr=False)
    reply: str = field(repr=False)
    private: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """The state between two turns.

    Attributes:
        session_id: A random UUID for the log.
        identity: Who speaks.
        role: Patient or operator.
        language: Of the last answer; the first guess for the next utterance.
        pinned_language: Set by the person; then every answer is in it.
        offers: The openings of the last list, numbered.
        question: What the next utterance may answer.
        proposal: Writes that wait for a yes.
        confirmation: The id of a proposal that was said yes to beforehand; the turn that makes it clears this.
        receipts: All writes of this session, oldest first.
        history: The turns so far, oldest first.
        remembers: Whether what the person says of themselves may be remembered in this turn.
        recalled: What the person said in earlier conversations, as far as it matters for the utterance being answered.
        memories: What is remembered, as it was listed last; numbered from 1 in this order.
    """

    identity: Identity
    session_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    role: Role = Role.PATIENT
    language: Language = Language.PT
    pinned_language: Language | None = None
    offers: tuple[Offer, ...] = ()
    question: Question | None = None
    proposal: Proposal | None = None
    confirmation: str | None = None
    receipts: tuple[Receipt, ...] = ()
    history: tuple[Exchange, ...] = ()
    remembers: bool = False
    recalled: tuple[Memory, ...] = field(default=(), repr=False)
    memories: tuple[Memory, ...] = field(default=(), repr=False)

    @property
    def spoken_language(self) -> Language:
        """The language that the person is spoken to in: the pinned one, else that of the last answer."""
        return self.pinned_language or self.language

    @property
    def appointments(self) -> tuple[Appointment, ...]:
        """What this session booked or moved and did not give back, oldest first."""
        held: list[Appointment] = []
        for receipt in self.receipts:
            given_back = receipt.appointment if receipt.kind is ReceiptKind.CANCELLED else receipt.original
            held = [appointment for appointment in held if appointment != given_back]
            if receipt.kind is not ReceiptKind.CANCELLED:
                held.append(receipt.appointment)
        return tuple(held)
