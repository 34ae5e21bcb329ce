"""Read the JSON-lines log of `orchestrator.journal.pipeline_log` back as typed values (docs/evaluation.md)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from mesh.errors import UsageError
from orchestrator import turn
from orchestrator.journal import ModelFailure, Purpose


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)  # fields may be added to a line under the same version


class LoggedStep(_Model):
    """A step of a plan; parameters are redacted."""

    step_id: int
    clinic: str
    action: str
    parameters: Mapping[str, str]


class LoggedProposal(_Model):
    """What a language model proposed, and whether the plan was made from it."""

    used: bool
    steps: tuple[LoggedStep, ...]


class LoggedPlan(_Model):
    """The plan for an utterance; `proposed` is None where no model answered."""

    kind: turn.PlanKind
    topic: turn.Topic | None
    steps: tuple[LoggedStep, ...]
    proposed: LoggedProposal | None = None


class LoggedModelCall(_Model):
    """A call of a language model; numbers that the server did not count are None."""

    purpose: Purpose
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    failure: ModelFailure | None
    elapsed_ms: float
    cached_tokens: int | None = None  # of the tokens read; earlier logs do not say
    first_token_ms: float | None = None


class LoggedResult(_Model):
    """How a step ended; a step that was not attempted has no result."""

    step_id: int
    clinic: str
    status: turn.StepStatus
    reason: str | None
    items: int | None
    elapsed_ms: float


class LoggedVerdict(_Model):
    """The verifier's verdict on the data, a model's draft or the reply."""

    subject: Literal["data", "draft", "reply"]
    rule: turn.Rule | None  # None where it is safe
    note: str


def _only(field: str) -> BeforeValidator:
    return BeforeValidator(lambda record: record.get(field) if isinstance(record, dict) else record)


class LoggedRouting(_Model):
    """What was done where no agent served; a line says more about its routing (docs/evaluation.md)."""

    fallback_used: turn.FallbackPolicy | None
    refused: tuple[Mapping[str, str], ...] = ()  # steps that were not sent, because their agent was not chosen for them
    results: tuple[Annotated[turn.TaskStatus, _only("status")], ...] = ()  # how each task ended


class LoggedMemoryCall(_Model):
    """A call of a memory tool."""

    tool: str
    status: turn.MemoryStatus


class LoggedMemory(_Model):
    """What a turn did with the memory; `recalled` is None where it did not look."""

    recalled: int | None = None
    calls: tuple[LoggedMemoryCall, ...] = ()


class LoggedTurn(_Model):
    """A line of the log."""

    version: Annotated[Literal["clinic-mesh.log/1"], Field(alias="schema")]
    at: datetime  # when the turn began, real time
    session_id: str
    turn_id: str
    plan: LoggedPlan | None  # None when the turn dropped a proposal
    results: tuple[LoggedResult, ...]  # in the order of the answers
    verdicts: tuple[LoggedVerdict, ...]  # in the order in which they were given
    model_calls: tuple[LoggedModelCall, ...] = ()  # in the order in which they ended
    # Model calls that were not made because the same person had asked too often, by purpose
    throttled: tuple[Annotated[Purpose, _only("purpose")], ...] = ()
    routing: LoggedRouting | None = None  # None in older lines, and where the turn dropped a proposal
    memory: LoggedMemory = LoggedMemory()
    outcome: turn.TurnOutcome
    elapsed_ms: Mapping[str, float]  # milliseconds by stage; "turn" is the total
    desk: Mapping[str, object] | None = None  # what the research desk did; None for all other turns

    @property
    def steps(self) -> tuple[LoggedStep, ...]:
        """The plan's steps; none without a plan."""
        return self.plan.steps if self.plan is not None else ()

    @property
    def broken_rules(self) -> frozenset[turn.Rule]:
        """The rules broken by what would have been shown; a draft with a fault is never shown."""
        return frozenset(one.rule for one in self.verdicts if one.subject != "draft" and one.rule is not None)

    def status_of(self, step: LoggedStep) -> turn.StepStatus:
        """Return the status of a step of the plan."""
        found = (result.status for result in self.results if result.step_id == step.step_id)
        return next(found, turn.StepStatus.SKIPPED)


def log_files(folder: Path) -> Sequence[Path]:
    """Return the log files of a folder, oldest first."""
    return sorted(folder.glob("pipeline_*.jsonl"))


def read_turns(files: Iterable[Path]) -> Iterator[LoggedTurn]:
    """Yield the turns of log files but the research desk's, in order; raise `UsageError` for what cannot be read."""
    for file in files:
        try:
            text = file.read_text("utf-8")
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"{file}: byte {error.start}: no UTF-8 text") from error
        for number, line in enumerate(text.splitlines(), 1):
            try:
                logged = LoggedTurn.model_validate_json(line)
            except ValidationError as error:
                fault = error.errors()[0]
                place = ".".join(str(part) for part in fault["loc"]) or "the line"
                raise UsageError(f"{file}: line {number}: {place}: {fault['msg']}") from error
            if logged.desk is None:
                yield logged
