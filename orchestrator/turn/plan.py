"""What the planner proposes: steps for clinics, or what to say instead; the openings that suit; what the turn is about.

A plan holds no identity: the router fills in what the contract marks `injected`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from orchestrator.turn import step_actions as actions
from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import MemoryCall
from orchestrator.turn.opening_filter import ANY_OPENING, Axis, ClinicFact, Filter, all_of
from orchestrator.turn.reply_steps import ReplySteps
from orchestrator.turn.topics import PlanKind, Topic
from orchestrator.turn.wish import ANYTHING, Wish

UNKNOWN = "unknown"  # the intent where nothing was understood
CERTAIN = 1.0  # the words name it
SUPPLIED = 0.8  # the conversation supplies what the words leave out
DOUBTFUL = 0.3  # nothing was understood

MOST = ("dearest", "opens_first", "closes_last")  # asked of several clinics; each is a section of the lexicon


@dataclass(frozen=True, slots=True)
class SlotPreference:
    """A remembered sentence and the openings that suit it."""

    said: str = field(repr=False)  # the sentence as it is remembered
    suits: Filter = ANY_OPENING  # the openings that are as the person said
    binding: bool = True  # whether openings against it are marked and come last; a preference is only mentioned
    disliked: bool = False  # whether openings against it are disliked, and not out of reach


class AskedFact(StrEnum):
    """What people ask about a clinic; but for `PARKING` and `CHANGE_UNTIL`, a field of `ClinicDetails`."""

    ADDRESS = "address"
    PARKING = "parking"
    PHONE = "phone"
    HOURS = "opening_hours"
    INSURANCE = "insurance"
    PRICE = "private_price_cents"
    BRING = "bring"
    ACCESSIBILITY = "accessibility"
    LANGUAGES = "languages"
    CHANGE_UNTIL = "change_until"


FACT_OF = {
    Axis.INSURANCE: AskedFact.INSURANCE,
    Axis.PRICE: AskedFact.PRICE,
    Axis.PLACE: AskedFact.ADDRESS,
    Axis.LANGUAGE: AskedFact.LANGUAGES,
}  # what decides about a condition on a clinic


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """What is asked of which clinics."""

    facts: tuple[AskedFact, ...]
    clinics: tuple[str, ...]  # ids
    wanted: tuple[ClinicFact, ...] = ()  # what is asked for in particular: an insurance, a price, a place, a language
    held: actions.Appointment | None = None  # the person's own appointment that it is about
    beside: bool = False  # it is told with openings, and the question that was asked is that of the openings
    most: tuple[str, ...] = ()  # of `MOST`: which of them is so is asked
    ahead: "FactQuestion | None" = None  # what was asked before it in the same turn, of other clinics


@dataclass(frozen=True, slots=True)
class Subtask:
    """A part of a request that goes to agents of one domain."""

    title: str = field(repr=False)  # what is to be done, in a few words
    # why; empty for no particular reason. A model may have written both, so they are redacted for the log
    reason: str = field(repr=False)
    intent: str  # the name of a tool, or what else is wanted
    domain: str  # a specialty's code; empty where it is not known


@dataclass(frozen=True, slots=True)
class GivenClassification:
    """A classification as a model gave it."""

    intent: str | None  # a tool of the contract, a topic, or "unknown" for anything else; None for none
    domains: tuple[str, ...] = field(repr=False)  # whatever texts stand there, in order
    subtasks: tuple[Subtask, ...]  # those that can be read
    confidence: float | None  # from 0 to 1; None for none


@dataclass(frozen=True, slots=True)
class Classification:
    """What a turn is about, from which its agents are chosen."""

    intent: str  # the name of a tool, a topic of the conversation, or `UNKNOWN`
    domains: tuple[str, ...] = ()  # codes of specialties, the first named first
    subtasks: tuple[Subtask, ...] = ()  # the parts, where it has parts
    confidence: float = CERTAIN  # from 0 to 1
    given: GivenClassification | None = field(default=None, compare=False)  # a model's; None where none was read


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call at one clinic (blueprint 2.3.1)."""

    step_id: int  # 1, 2, 3 ... in the plan's order
    clinic: str  # the clinic's id in the registry
    call: actions.Action  # what it does
    request_id: str | None = None  # a UUID for a write, given when it is proposed, so that a repeat is the same write
    after: int | None = None  # the step_id of an earlier step that must be done first; None waits for none

    @property
    def action(self) -> str:
        """The tool's name in the catalogue."""
        return self.call.name

    @property
    def parameters(self) -> dict[str, str]:
        """The arguments as text, as the contract writes them and in its order, without the injected ones."""
        match call := self.call:
            case actions.ListOpenings(doctor=doctor):
                return {} if doctor is None else {"doctor": doctor}
            case actions.Book(doctor, day, at) | actions.Cancel(doctor, day, at):
                return {"doctor": doctor, "date": day.isoformat(), "time": actions.clock(at)}
            case actions.Move(doctor=doctor, original_date=day, original_time=at):
                held = {"original_date": day.isoformat(), "original_time": actions.clock(at), "doctor": doctor}
                return held | {"new_date": call.date.isoformat(), "new_time": actions.clock(call.time)}
            case actions.ToolCall(arguments=given):
                return {name: value if isinstance(value, str) else ", ".join(value) for name, value in given.items()}

    @property
    def taken(self) -> actions.Appointment | None:
        """The slot that it takes; None where it takes none."""
        match self.call:
            case actions.Book(doctor, day, at) | actions.Move(doctor=doctor, date=day, time=at):
                return actions.Appointment(self.clinic, doctor, day, at)
            case _:
                return None

    @property
    def given_back(self) -> actions.Appointment | None:
        """The appointment that it gives back; None where it gives back none."""
        match self.call:
            case actions.Cancel(doctor, day, at) | actions.Move(doctor=doctor, original_date=day, original_time=at):
                return actions.Appointment(self.clinic, doctor, day, at)
            case _:
                return None

    @property
    def slots(self) -> tuple[actions.Appointment, ...]:
        """The slots that it gives back and takes, in this order."""
        return tuple(slot for slot in (self.given_back, self.taken) if slot is not None)

    @property
    def doctor(self) -> str | None:
        """The doctor whom it is about; None where it names none."""
        return self.parameters.get("doctor") if isinstance(self.call, actions.ToolCall) else self.call.doctor


def listing_step(clinic: str, doctor: str | None = None) -> Step:
    """Return the step that lists openings, of a doctor or of all; numbered 0."""
    return Step(0, clinic, actions.ListOpenings(doctor))


def booking_step(slot: actions.SlotLike) -> Step:
    """Return the step that books a slot."""
    return Step(0, slot.clinic, actions.Book(slot.doctor, slot.date, slot.time))


def cancelling_step(held: actions.Appointment) -> Step:
    """Return the step that cancels an appointment."""
    return Step(0, held.clinic, actions.Cancel(held.doctor, held.date, held.time))


def moving_step(held: actions.Appointment, slot: actions.SlotLike) -> Step:
    """Return the step that moves an appointment to another slot of its doctor."""
    return Step(0, held.clinic, actions.Move(held.doctor, held.date, held.time, slot.date, slot.time))


def exchanging_steps(held: actions.Appointment, slot: actions.SlotLike) -> list[Step]:
    """Return the steps that put a slot in place of an appointment: a move, or with another doctor a booking first."""
    if (held.clinic, held.doctor) == (slot.clinic, slot.doctor):
        return [moving_step(held, slot)]
    return [booking_step(slot), replace(cancelling_step(held), after=1)]


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, and what the answer will continue."""

    topic: Topic
    action: str | None = None  # the tool that the answer leads to; None when that is open too
    known: Mapping[str, str] = field(default_factory=dict)  # parameters that are already settled
    wish: Wish = ANYTHING  # the openings that suit the person, as far as said
    choices: tuple[str, ...] = ()  # the texts that were offered, in order
    waiting: tuple[Wish, ...] = ()  # several requests that are done one after the other, in order
    times: int = 1  # how often it was asked in a row
    for_whom: str | None = None  # somebody else who is meant, as they are spoken of; None for the speaker
    earlier: Wish | None = None  # what the list before this one was looked for by; None where there was none


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a language model proposed, before code completed and checked it."""

    # the steps as the model gave them, tools and clinics that do not exist among them; one step `raw_response`
    # without a clinic for an answer that is no plan (blueprint 2.3.1)
    steps: tuple[Step, ...] = field(repr=False)
    used: bool  # whether the plan is made from them; else it is the offline engine's
    notes: tuple[str, ...] = ()  # what code did to them and why, a sentence a line, in English, without values
    # what the model says that it thought, a sentence a line; shown only as far as the verifier lets it
    reasoning: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a turn will do."""

    kind: PlanKind  # what the turn comes to
    language: Language  # the language of the utterance, in which the answer is given
    steps: tuple[Step, ...] = ()  # at least one when `kind` is STEPS, else none
    topic: Topic | None = None  # what to say; set unless `kind` is STEPS
    caution: Topic | None = None  # what is said first, whatever else the answer is; None for nothing
    note: Topic | None = None  # what is said beside the answer; None for nothing
    then: str = field(default="", repr=False)  # what was asked for in the same message, and is done after its writes
    about_own: bool = False  # it rests on the person's appointments, and no clinic was asked for them in this turn
    keeps_proposal: bool = False  # it answers something aside, and the open proposal still waits for a yes
    facts: Mapping[str, str] = field(default_factory=dict)  # values for the topic's text
    choices: tuple[str, ...] = ()  # alternatives to show with the topic, in order
    question: Question | None = None  # what the next utterance may answer
    wish: Wish = ANYTHING  # the openings the person would accept; applied to what list steps return
    chosen_from: Wish = ANYTHING  # the openings that the slot was chosen from which a step takes
    unread: tuple[str, ...] = field(default=(), repr=False)  # phrases in place of a condition, not understood
    asked: FactQuestion | None = None  # what is to be told of clinics, by itself or beside the answer
    insured: ClinicFact | None = None  # the insurance to which later searches keep; None where none was said
    nearest: bool = False  # the person asked for the earliest opening
    whole: bool = False  # the person asked for the whole list, however long
    printed: int = 0  # how many openings of this list were printed before; the list goes on after them
    # why, a sentence a line, without personal data: shown by /why. In English, unless it is what the verifier let
    # through of a model's
    reasoning: tuple[str, ...] = ()
    reply: ReplySteps | None = None  # what was chosen for the reply; None where the template answers alone
    proposed: Proposed | None = None  # what a model proposed; None when none was asked or it did not answer
    # the words alone do not bear out the writes, so they are proposed even where consent was given beforehand
    asks_first: bool = False
    classification: Classification | None = None  # what the turn is about; None only for plans that no planner made
    memory: tuple[MemoryCall, ...] = ()  # about who speaks; outside the steps, and not asked about first
    reminders: tuple[SlotPreference, ...] = ()  # to be compared with the openings that the turn shows or takes

    @property
    def writes(self) -> bool:
        """Whether its steps change something."""
        return any(actions.is_write(step.action) for step in self.steps)

    @property
    def filter_told(self) -> Filter:
        """All that the reply may name of days, times and doctors because it was asked for."""
        return all_of((self.wish.widest, *(() if self.reply is None else self.reply.filters)))
