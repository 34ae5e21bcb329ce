"""The queries of an evaluation and their expected results: `tests/test_queries.json`, validated."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from mesh.clock import clock_at
from orchestrator.turn import Appointment, Language, PlanKind, Role, Rule, StepStatus, Topic, clock, is_write

Fact = Annotated[
    tuple[str, ...], BeforeValidator(lambda fact: (fact,) if isinstance(fact, str) else fact), Field(min_length=1)
]  # wordings of one fact; a reply states it when it holds any of them, whatever its case and accents
Category = Literal["normal", "edge", "adversarial"]  # the kind of query (blueprint 5.6)


class SuiteError(ValueError):
    """The file of queries cannot be used; the message names the file and the place."""


class SlotName(NamedTuple):
    """A slot as the file writes it, "clinic_c 2025-07-18 10:00"; it is unique in the fixed agenda."""

    clinic: str
    date: str
    time: str

    @classmethod
    def of(cls, slot: Appointment) -> "SlotName":
        """Return the name of a slot."""
        return cls(slot.clinic, slot.date.isoformat(), clock(slot.time))


def _slot_name(text: object) -> SlotName:
    words = text.split() if isinstance(text, str) else []
    if len(words) != 3:
        raise ValueError("a slot is written as: clinic, date, time")
    return SlotName(*words)


Slot = Annotated[SlotName, BeforeValidator(_slot_name)]


class About(StrEnum):
    """What queries are about whose figures are shown apart."""

    OWN = "own"  # the person's own appointments, booked in an earlier conversation
    FACTS = "facts"  # what a clinic states of itself


class Form(BaseModel):
    """A file of queries or cases, or a part of one; it holds nothing that nobody reads."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return what a file holds; raise `SuiteError` if it cannot be read or does not have the form."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise SuiteError(f"{path}: cannot be read: {error.strerror}") from error
        except ValidationError as error:
            fault = error.errors()[0]
            place = ".".join(str(part) for part in fault["loc"]) or "the file"
            raise SuiteError(f"{path}: {place}: {fault['msg']}") from error


class ExpectedStep(Form):
    """A step that the planner must generate."""

    clinic: str
    action: str
    # Arguments that must have these values; others are allowed
    parameters: Mapping[str, str] = Field(default_factory=dict)
    # How the step must end; REFUSED where the clinic must refuse
    status: Literal[StepStatus.DONE, StepStatus.REFUSED] = StepStatus.DONE


class Turn(Form):
    """One utterance and its expected result."""

    say: Annotated[str, Field(min_length=1)]
    steps: tuple[ExpectedStep, ...] = ()  # the steps, in any order; empty where something must be said instead
    kinds: frozenset[PlanKind] = frozenset()  # the allowed kinds of plan where there is no step
    topic: Topic | None = None  # one right thing to say where there is no step; a planner may choose another
    offers: frozenset[Slot] | None = None  # what must be shown, no more and no fewer; None: any
    tells: tuple[Slot, ...] = ()  # slots whose day and time the reply must state, in any usual writing
    states: tuple[Fact, ...] = ()  # other facts that the reply must state
    blocked: Rule | None = None  # the rule by which the verifier must block the answer; None: it must not

    @model_validator(mode="after")
    def _is_decided(self) -> Self:
        if bool(self.steps) == bool(self.kinds):
            raise ValueError("a turn has either steps or kinds")
        if bool(self.kinds) != bool(self.topic):
            raise ValueError("a turn without steps needs a topic, one with steps has none")
        return self


class Never(Form):
    """What must not happen in any turn of a query."""

    actions: frozenset[str] = frozenset()  # tools that no plan may name
    texts: tuple[str, ...] = ()  # texts that no reply may contain, regardless of case and accents


class Aim(StrEnum):
    """The right result of a query; each aim is scored separately."""

    TASK = "task"  # steps that the clinics answer
    REFUSAL = "refusal"  # something that a clinic must refuse, or the verifier must keep back
    RESTRAINT = "restraint"  # no step at all


class Query(Form):
    """A conversation of one or more turns."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]  # unique in the suite
    language: Language
    category: Category
    about: About | None = None
    role: Role = Role.PATIENT
    taken: frozenset[Slot] = frozenset()  # slots that somebody else holds at the start
    held: frozenset[Slot] = frozenset()  # slots that the person holds at the start
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]
    bookings: frozenset[Slot] = frozenset()  # the slots that the person holds at the end; all others are unchanged
    never: Never = Never()

    @property
    def steps(self) -> tuple[ExpectedStep, ...]:
        """The expected steps of all turns."""
        return tuple(step for turn in self.turns for step in turn.steps)

    @property
    def aim(self) -> Aim:
        """The right result of the query."""
        if not self.steps:
            return Aim.RESTRAINT
        refused = any(step.status is StepStatus.REFUSED for step in self.steps)
        return Aim.REFUSAL if refused or any(turn.blocked for turn in self.turns) else Aim.TASK

    @property
    def writes(self) -> bool:
        """Whether something must be written."""
        return any(is_write(step.action) and step.status is StepStatus.DONE for step in self.steps)


class Suite(Form):
    """A file of queries."""

    version: Annotated[Literal["clinic-mesh.queries/1"], Field(alias="schema")]
    agenda: Literal["blueprint", "rolling"]
    now: str  # the instant at which the clinics' clock stands still, ISO 8601 with an offset
    queries: Annotated[tuple[Query, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        clock_at(self.now)
        if repeated := [each for each, count in Counter(query.id for query in self.queries).items() if count > 1]:
            raise ValueError(f"{repeated[0]}: two queries have this id")
        return self
