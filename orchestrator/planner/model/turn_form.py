"""The form of a model's answer: the steps that it may choose, as types that give both JSON Schema and validation.

The schema is the same in every turn and keeps to what strict output takes anywhere.
"""

from collections.abc import Mapping
from datetime import time
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

from orchestrator.llm import JsonSchema, strict_schema
from orchestrator.planner.lexicon import pairs
from orchestrator.turn import AskedFact, Courtesy, MemoryKind, Order, Topic

TOPICS: Mapping[Topic, str] = {Topic(name): when for name, when in pairs("model_topics", "topics").items()}
"""What the desk has a text for, and when a model may choose it."""

MAX_STEPS = 12

Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=300)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ConditionForm(_Form):
    """One condition on openings: what it is about, and how an opening is related to its values."""

    field: Literal[
        "date", "weekday", "time", "doctor", "clinic", "specialty", "insurance", "price", "place", "language"
    ]
    op: Literal["in", "not_in", "from", "after", "until", "before"]
    values: list[Words] = Field(max_length=12)


class ScopeForm(_Form):
    """All of `where` holds; each group of `except` is taken out."""

    where: list[ConditionForm] = Field(default=[], max_length=12)
    excepted: list[list[ConditionForm]] = Field(default=[], max_length=12, alias="except")
    among: Literal["read", "shown"] = "read"
    said: Words | None = Field(default=None, repr=False)


class TargetForm(_Form):
    """An opening to take: by its id, or the best of the first scope that has one."""

    opening: Words | None = None
    first_of: list[ScopeForm] = Field(default=[], max_length=4)
    order: Order = Order.SOONEST
    at: time | None = None


class MoveForm(_Form):
    """An appointment to move."""

    appointment: Words
    to: TargetForm


class ReadForm(_Form):
    """Read openings, one filter a specialty."""

    do: Literal["read"]
    filters: list[ScopeForm] = Field(max_length=6)


class RecordsForm(_Form):
    """Open or search patients' records; for staff, and for an id that the person typed."""

    do: Literal["records"]
    tool: Literal["list_patients", "get_patient", "query"]
    clinics: list[Words] = Field(max_length=12)
    text: Words | None = Field(default=None, repr=False)


class ShowForm(_Form):
    """The table of a scope, or which of it is the best."""

    do: Literal["show", "best"]
    scope: ScopeForm
    order: Order = Order.SOONEST
    at: time | None = None


class CountForm(_Form):
    """A question about all of a scope."""

    do: Literal["count", "in_words", "span", "why_not"]
    scope: ScopeForm


class CompareForm(_Form):
    """Sides of a scope that differ in one condition."""

    do: Literal["compare", "days_of_both"]
    scope: ScopeForm
    sides: list[ConditionForm] = Field(min_length=2, max_length=6)
    by: Literal["count", "soonest", "latest", "earliest_hour", "latest_hour"] = "count"


class OpeningsForm(_Form):
    """A question about openings by their ids."""

    do: Literal["gap", "fits"]
    openings: list[Words] = Field(min_length=1, max_length=12)
    scope: ScopeForm = ScopeForm()
    at_least_days: int | None = None


class PickForm(_Form):
    """A recommendation, if its reason holds."""

    do: Literal["pick"]
    opening: Words
    scope: ScopeForm
    order: Order = Order.SOONEST
    at: time | None = None


class OwnForm(_Form):
    """What the person holds, as far as it lies in a scope."""

    do: Literal["appointments"]
    scope: ScopeForm


class ProposeForm(_Form):
    """Changes to propose; nothing is made before the person agrees."""

    do: Literal["propose"]
    cancel: list[Words] = Field(default=[], max_length=4)
    book: list[TargetForm] = Field(default=[], max_length=3)
    move: list[MoveForm] = Field(default=[], max_length=3)


class TreatsForm(_Form):
    """Which specialty is for a complaint."""

    do: Literal["treats"]
    specialty: Words
    word: Words = Field(repr=False)


class SayForm(_Form):
    """A courtesy or a fixed notice."""

    do: Literal["say"]
    what: Courtesy


class AnswerForm(_Form):
    """A text of the desk: a question back, a refusal, or what is known of a matter."""

    do: Literal["answer"]
    topic: Annotated[Topic, WithJsonSchema({"type": "string", "enum": [topic.value for topic in TOPICS]})]


class AboutForm(_Form):
    """What clinics state of themselves; code reads it from the directory."""

    do: Literal["about"]
    facts: list[AskedFact] = Field(min_length=1, max_length=9)
    clinics: list[Words] = Field(default=[], max_length=12)


class RememberForm(_Form):
    """A lasting wish, in the person's own words, and their reason for it."""

    do: Literal["remember"]
    kind: MemoryKind
    words: Words = Field(repr=False)
    because: Words | None = Field(default=None, repr=False)


class ForgetForm(_Form):
    """Something remembered that is to be forgotten, in the person's own words; empty for what was saved last."""

    do: Literal["forget"]
    words: Words = Field(repr=False)


ScopedForm = ShowForm | CountForm | CompareForm | OpeningsForm | PickForm
PARTS = (ScopeForm, ConditionForm, TargetForm, MoveForm)  # of steps
SaidForm = SayForm | AnswerForm
MemoryForm = RememberForm | ForgetForm
StepForm = ReadForm | RecordsForm | ScopedForm | OwnForm | ProposeForm | TreatsForm | SaidForm | AboutForm | MemoryForm

FORMS: Mapping[str, type[StepForm]] = {
    do: cast("type[StepForm]", form) for form in StepForm.__args__ for do in form.model_fields["do"].annotation.__args__
}  # the form of each step, by what it does


class SubtaskForm(_Form):
    """A part of a request."""

    title: Words
    reason: Words
    intent: Words
    domain: Words


class TurnForm(_Form):
    """A whole answer: what the turn is about, and its steps in the order in which the person reads them."""

    intent: Words
    domains: list[Words]
    subtasks: list[SubtaskForm]
    confidence: float
    steps: list[StepForm]
    more: bool


class _Reasoning(_Form):
    reasoning: list[str]


class ReasonedTurnForm(TurnForm, _Reasoning):
    """The same with the reasoning before it."""


class ReplyForm(_Form):
    """The steps of a reply, chosen from what the clinics answered."""

    steps: list[StepForm]


def turn_schema(*, cot: bool) -> JsonSchema:
    """Return the schema of a planner's answer; `cot` puts the reasoning first."""
    return strict_schema(ReasonedTurnForm if cot else TurnForm)
