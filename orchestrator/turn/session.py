"""What one conversation knows: who speaks, what was offered, what is proposed, what was done."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter

from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.memory_calls import Memory
from orchestrator.turn.opening_filter import ClinicFact
from orchestrator.turn.plan import FactQuestion, Plan, Question, Step
from orchestrator.turn.reply import Block
from orchestrator.turn.step_actions import Appointment, Offer

ReceiptKind = StrEnum("ReceiptKind", "CONFIRMED RESCHEDULED CANCELLED")  # the values are the contract's `status`


@dataclass(frozen=True, slots=True)
class Receipt:
    """A write that a clinic acknowledged in this session."""

    kind: ReceiptKind  # what was written
    appointment: Appointment  # as it is now; for a cancellation, as it was
    original: Appointment | None = None  # what a rescheduling gave back

    @property
    def slots(self) -> tuple[Appointment, ...]:
        """The slots that it names, the present one first."""
        return (self.appointment,) if self.original is None else (self.appointment, self.original)


@dataclass(frozen=True, slots=True)
class CloseVisit:
    """A visit that is close to a slot, or of its specialty on whatever day."""

    held: Appointment
    gap_min: int  # minutes between the two; below 0 where they overlap
    alike: bool = False  # whether it is only of the same specialty


@dataclass(frozen=True, slots=True)
class Proposal:
    """Writes that wait for a yes."""

    plan: Plan  # the plan whose steps are the writes, each with its request_id
    # request_ids of writes whose outcome is not known after a first try; a yes asks the clinics again under them
    in_doubt: frozenset[str] = frozenset()
    id: str = ""  # what a script repeats to say yes to it (`orchestrator.turn.proposals`)
    close: tuple[CloseVisit, ...] = ()  # what the person holds close to the slots that it takes
    unchecked: tuple[str, ...] = ()  # clinics that did not say what the person holds
    lasting: tuple[Appointment, ...] = ()  # slots so near that their clinics change them no more

    @property
    def attempted(self) -> bool:
        """Whether the outcome of one of its writes is not known after a first try."""
        return bool(self.in_doubt)


@dataclass(frozen=True, slots=True)
class PatientVisit:
    """An appointment that is in the way of a closing, whose it is, and what moves it, as one change.

    It goes to another slot of the doctor, or is a booking and then a cancellation.
    """

    patient: Identity = field(repr=False)
    held: Appointment
    to: Appointment | None = None  # None: no opening was found, or none was looked for
    steps: Sequence[Step] = ()  # each with its request_id, so that a repeat is the same write


@dataclass(frozen=True, slots=True)
class AgendaProposal:
    """A change of an agenda, or moves, that wait for a yes; or visits that may be moved, on request."""

    change: Step | None = None  # opens or closes times
    moves: Sequence[PatientVisit] = ()
    visits: Sequence[PatientVisit] = ()  # those that the last closing left in its way
    proposes_moves: bool = False  # whether moves are proposed as soon as the change is made

    @property
    def waits(self) -> bool:
        """Whether it waits for a yes."""
        return self.change is not None or any(move.steps for move in self.moves)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn as it was said."""

    utterance: str = field(repr=False)  # what the person wrote
    reply: str = field(repr=False)  # the plain text that was shown
    private: bool = False  # the reply tells of patients: it is shown again to nobody else, a language model among them
    blocks: tuple[Block, ...] = field(default=(), repr=False)  # the reply as it was drawn


@dataclass(frozen=True, slots=True)
class Served:
    """Whom an operator serves next."""

    name: str = field(default="", repr=False)  # or the id of a clinic's record; empty where it is still to be asked for
    cpf: str | None = field(default=None, repr=False)  # None where it is not said


@dataclass(frozen=True, slots=True)
class Session:
    """The state between two turns."""

    identity: Identity  # who speaks
    session_id: str = field(default_factory=lambda: str(uuid.uuid4()))  # a random UUID for the log
    role: Role = Role.PATIENT  # patient or operator
    language: Language = Language.PT  # of the last answer; the first guess for the next utterance
    pinned_language: Language | None = None  # set by the person; then every answer is in it
    offers: tuple[Offer, ...] = ()  # the openings of the last list, numbered as printed
    printed_before: tuple[Appointment, ...] = ()  # in the order in which they were printed first
    # how many openings of a long list are printed at once; None: all. A terminal sets it by the size of its screen
    page: int | None = None
    question: Question | None = None  # what the next utterance may answer
    asked: FactQuestion | None = None  # what was asked about clinics in the turn before
    insured: ClinicFact | None = None  # the insurance that was said or asked about last, to which later searches keep
    proposal: Proposal | None = None  # writes that wait for a yes
    then: str = field(default="", repr=False)  # what was asked for in one message with them, and is done after them
    confirmation: str | None = None  # the id of a proposal agreed to beforehand; the turn that makes it clears this
    operator: Identity | None = None  # who serves the person; None: they speak for themselves
    agenda: AgendaProposal | None = None  # what an operator proposed for an agenda
    receipts: tuple[Receipt, ...] = ()  # all writes of this session, oldest first
    # the person's appointments as the clinics listed them last, those of this session at the end
    listed: tuple[Appointment, ...] = ()
    listed_receipts: int = 0  # how many receipts there were then; `listed` knows nothing of later ones
    silent: tuple[str, ...] = ()  # clinics that did not list any when they were asked last
    knows_own: bool = False  # whether the clinics were asked in this turn
    history: tuple[Exchange, ...] = ()  # the turns so far, oldest first
    remembers: bool = False  # whether what the person says of themselves may be remembered in this turn
    # what the person said in earlier conversations, as far as it concerns the utterance being answered
    recalled: tuple[Memory, ...] = field(default=(), repr=False)
    memories: tuple[Memory, ...] = field(default=(), repr=False)  # as they were listed last, numbered from 1

    @property
    def spoken_language(self) -> Language:
        """The language that the person is spoken to in: the pinned one, else that of the last answer."""
        return self.pinned_language or self.language

    @property
    def printed(self) -> tuple[Offer, ...]:
        """The openings of the last list that were printed, by their numbers."""
        return tuple(sorted((offer for offer in self.offers if offer.number), key=attrgetter("number")))

    @property
    def known_openings(self) -> tuple[Appointment, ...]:
        """All openings that were printed in this session; each keeps its place when others are added."""
        return tuple(dict.fromkeys((*self.printed_before, *(offer.slot for offer in self.printed))))

    @property
    def appointments(self) -> tuple[Appointment, ...]:
        """What the person holds, as far as it is known: as the clinics listed it, and as this session changed it."""
        held = list(self.listed)
        for receipt in self.receipts[self.listed_receipts :]:
            given_back = receipt.appointment if receipt.kind is ReceiptKind.CANCELLED else receipt.original
            held = [appointment for appointment in held if appointment != given_back]
            if receipt.kind is not ReceiptKind.CANCELLED:
                held.append(receipt.appointment)
        return tuple(held)
