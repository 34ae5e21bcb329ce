"""How a turn is routed, the result of each step and task, what the clinics returned in all; tasks are safe to log."""

import threading
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, MutableSequence, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, time
from enum import StrEnum

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.mesh.v1.remarks_pb2 import Remarks
from mesh.errors import DomainError
from orchestrator.turn.identity import NOBODY, Identity, Role
from orchestrator.turn.plan import CERTAIN, UNKNOWN, Classification, Step, Subtask
from orchestrator.turn.step_actions import Appointment, ListOpenings

TaskStatus = StrEnum("TaskStatus", "SUCCESS FAILURE PARTIAL")  # the outcome of a task
MOST_DOMAINS = 3  # how many domains a classification names; its subtasks may be of more

NOT_ATTEMPTED = DomainError("UNREACHABLE", "not attempted: an earlier step for this clinic failed")
"""The error of a step that was skipped."""
_NO_REMARKS = Remarks()
_OWN_WORDS = frozenset({"patient", "query"})
"""Fields of an answer that hold a patient's record, or repeat what the speaker wrote."""

_MOMENT = ("date", "time")
_IDENTIFYING = frozenset({"patient_name", "cpf", "birth_date", "address", "phone", "email"})


def classification_of(
    steps: Sequence[Step], specialty_of: Callable[[str], str | None], confidence: float = CERTAIN
) -> Classification:
    """Return the classification of what some steps do; those of several tools or specialties are subtasks."""
    pairs = dict.fromkeys((step.action, specialty_of(step.clinic) or "") for step in steps)
    domains = tuple(dict.fromkeys(domain for _, domain in pairs if domain))
    subtasks = tuple(subtask_of(*pair) for pair in pairs) if len(pairs) > 1 else ()
    return Classification(steps[0].action if steps else UNKNOWN, domains[:MOST_DOMAINS], subtasks, confidence)


def subtask_of(intent: str, domain: str) -> Subtask:
    """Return a subtask, titled in words of the contract."""
    return Subtask(f"{intent} ({domain})", "", intent, domain)


@dataclass(frozen=True, slots=True)
class TurnScope:
    """What the stages and the steps of one turn share."""

    identity: Identity = NOBODY  # who speaks
    role: Role = Role.PATIENT  # on whose behalf the person speaks
    cancel: threading.Event = field(default_factory=threading.Event)  # set by whoever wants the turn to stop
    turn_id: str = field(default_factory=lambda: str(uuid.uuid4()))  # also the trace id that the clinics log
    confirmed_by: str | None = None  # the program in which the person confirmed a write, if it is another one


class StepStatus(StrEnum):
    """How a step ended."""

    DONE = "done"
    REFUSED = "refused"  # the clinic answered no
    UNREACHED = "unreached"  # the clinic did not answer; nothing was written
    UNKNOWN = "unknown"  # a write that may or may not have been made
    SKIPPED = "skipped"  # not attempted: an earlier step for the clinic failed, or the turn was cancelled


@dataclass(frozen=True, slots=True)
class StepResult:
    """A step and its outcome: a response when done, only the status when skipped, else an error."""

    step: Step  # what was asked
    status: StepStatus  # how it ended
    # the tool's typed response. It may hold personal data, so it is not in the representation
    response: Message | None = field(default=None, repr=False)
    error: DomainError | None = None  # the refusal or failure
    elapsed_s: float = 0.0  # seconds from dispatch to outcome
    dropped: int = 0  # entries of the answer that were left out because they break the contract

    @property
    def entries(self) -> int | None:
        """How many entries the first list of the response has; None without a response, or one without a list."""
        if self.response is None:
            return None
        fields = self.response.DESCRIPTOR.fields
        return next((len(getattr(self.response, one.name)) for one in fields if one.is_repeated), None)

    @property
    def remarks(self) -> Remarks:
        """What the agent says of its answer, empty if nothing; its texts are the agent's, and may hold anything."""
        said = getattr(self.response, "remarks", None)
        return said if isinstance(said, Remarks) else _NO_REMARKS


@dataclass(frozen=True, slots=True)
class Task:
    """A subtask on its way to the agents of one domain."""

    intent: str  # the tool
    domains: tuple[str, ...]  # codes of the specialties that it is about
    subtask_title: str  # what is to be done, in words of the contract
    # the arguments for each agent, by its id and in the order of its calls; without the injected ones
    inputs: Mapping[str, tuple[Mapping[str, str], ...]] = field(repr=False)
    trace_id: str  # the turn's id, all that travels besides the arguments


@dataclass(frozen=True, slots=True)
class TaskResult:
    """A task with its outcome for each agent."""

    task: Task
    status: TaskStatus  # whether all calls were answered with a yes, none, or some
    data: Mapping[str, int]  # entries that each agent answered with; agents whose answer is no list are not there
    logs: tuple[str, ...]  # a line a call: the agent, how it ended, milliseconds
    metrics: Mapping[str, float]  # counts of calls by their status; "elapsed_ms" is the slowest agent's
    # the agent, and why its call failed (a reason of the contract) or what it says of its answer
    explanations: tuple[str, ...] = field(repr=False)


def task_of(intent: str, domain: str, steps: Sequence[Step], trace_id: str) -> Task:
    """Return the task of some steps that call one tool for one domain."""
    inputs: dict[str, tuple[Mapping[str, str], ...]] = {}
    for step in steps:
        inputs[step.clinic] = (*inputs.get(step.clinic, ()), step.parameters)
    return Task(intent, (domain,), f"{intent} ({domain})", inputs, trace_id)


def task_result(task: Task, results: Sequence[StepResult]) -> TaskResult:
    """Return the outcome of a task."""
    own = [one for one in results if one.step.action == task.intent and one.step.clinic in task.inputs]
    done = sum(one.status is StepStatus.DONE for one in own)
    is_whole = done == len(own) and not any(one.remarks.partial for one in own)
    by_agent: dict[str, float] = {}
    for one in own:
        by_agent[one.step.clinic] = by_agent.get(one.step.clinic, 0.0) + one.elapsed_s * 1000
    counts = {status.value: float(sum(one.status is status for one in own)) for status in StepStatus}
    return TaskResult(
        task,
        TaskStatus.FAILURE if not done else TaskStatus.SUCCESS if is_whole else TaskStatus.PARTIAL,
        data={one.step.clinic: count for one in own if (count := one.entries) is not None},
        logs=tuple(f"{one.step.clinic}: {one.status} after {one.elapsed_s * 1000:.1f} ms" for one in own),
        metrics={name: count for name, count in counts.items() if count}
        | {"elapsed_ms": round(max(by_agent.values(), default=0.0), 3)},
        explanations=tuple(f"{one.step.clinic}: {why}" for one in own for why in _explained(one)),
    )


def _explained(result: StepResult) -> Iterable[str]:
    if result.status is not StepStatus.DONE:
        return (result.error.reason if result.error else result.status,)
    said = result.remarks
    return (*said.explanations, *said.warnings)


class FallbackPolicy(StrEnum):
    """What to do with a request that no agent serves."""

    ANSWER = "answer"  # a short answer by a language model, behind a fixed preamble
    UNSUPPORTED = "unsupported"  # that it is not supported, and what is
    PROPOSE = "propose"  # the same, and a record of what an agent for it would need


@dataclass(frozen=True, slots=True)
class Candidate:
    """An agent and how well it fits."""

    agent: str  # its id
    score: float  # from -0.2 to 1.1
    specialty: str  # the code of the domain as which it fits: the first in common, else its own first
    in_common: int  # how many domains it has in common with the classification


@dataclass(frozen=True, slots=True)
class RoutingDecision:
    """How a turn was routed."""

    classification: Classification  # what it is about
    candidates: tuple[Candidate, ...] = ()  # every agent with its best score over the subtasks, the best first
    tasks: tuple[Task, ...] = field(default=(), repr=False)  # what goes to whom; none where no agent is called
    refused: tuple[Step, ...] = ()  # steps for agents that were not chosen for them, which are not sent

    @property
    def chosen(self) -> tuple[str, ...]:
        """Ids of the agents that are called, each once."""
        return tuple(dict.fromkeys(agent for task in self.tasks for agent in task.inputs))


@dataclass(slots=True)
class Evidence:
    """What the clinics returned in one turn, and all a reply may say; it changes no more once all results are read."""

    unanswered: bool = False  # only openings were asked for, and no clinic answered
    listed: set[Appointment] = field(default_factory=set, repr=False)  # openings of list results
    # every doctor at a moment that the answers name: openings, alternatives, appointments
    placed: set[Appointment] = field(default_factory=set, repr=False)
    records: list[pb.Patient] = field(default_factory=list, repr=False)  # full records of patients
    people: list[Identity] = field(default_factory=list, repr=False)  # whom the answers name outside of those
    lists_patients: bool = False  # a clinic answered a list or a search of patients, be it with none
    patient_ids: set[str] = field(default_factory=set)  # ids of patient lists and searches
    notes: list[str] = field(default_factory=list, repr=False)  # what the answers say to the reader
    # the distinct texts of the answers outside of records, but for moments and the words of a search
    texts: set[str] = field(default_factory=set, repr=False)
    prose: set[str] = field(default_factory=set, repr=False)  # the distinct texts of all answers and errors, no moments

    @classmethod
    def of(cls, results: Sequence[StepResult]) -> "Evidence":
        """Return the evidence of a turn's results."""
        silent = (result.response is None and isinstance(result.step.call, ListOpenings) for result in results)
        evidence = cls(unanswered=bool(results) and all(silent))
        for result in results:
            evidence.read(result)
        evidence.placed = evidence.listed | evidence.placed
        evidence.prose |= evidence.texts
        return evidence

    def read(self, result: StepResult) -> None:
        """Add what one result holds."""
        clinic, response = result.step.clinic, result.response
        self.prose.update((clinic, result.step.action))
        if response is None:
            error = result.error or NOT_ATTEMPTED
            self.prose.add(error.message)
            for detail in error.details:
                if isinstance(detail, Message):
                    self._collect(detail, clinic, self.placed, self.prose)
            return
        match response:
            case pb.ListPatientsResponse(patients=patients) | pb.QueryResponse(matches=patients):
                self.lists_patients = True
                self.patient_ids.update(patient.patient_id for patient in patients)
            case pb.GetPatientResponse() if response.HasField("patient"):
                self.records.append(response.patient)
                self._collect(response.patient, clinic, self.placed, self.prose)
        moments = self.listed if isinstance(response, pb.ListAvailableSlotsResponse) else self.placed
        self._collect(response, clinic, moments, self.texts, _OWN_WORDS)
        self.prose.add(_text(response, "query"))
        self.notes += (_text(response, "note"), _text(response, "message"))

    def _collect(
        self, message: Message, clinic: str, moments: set[Appointment], texts: set[str], skipped: Collection[str] = ()
    ) -> None:
        if message.DESCRIPTOR.file.package == "google.protobuf":
            texts.add(str(MessageToDict(message)))
            return
        fields = {field.name: value for field, value in message.ListFields() if value}
        with suppress(KeyError, ValueError):  # it is no slot
            at = date.fromisoformat(fields["date"]), time.fromisoformat(fields["time"])
            moments.add(Appointment(clinic, fields["doctor"], *at, duration_min=fields.get("duration_min", 0)))
            skipped = _MOMENT
        if texts is self.texts and (fields.keys() & _IDENTIFYING or fields.keys() >= {"patient_id", "name"}):
            self.people.append(Identity(fields.get("patient_name", ""), fields.get("cpf", "")))
        for name, value in fields.items():
            for one in value if isinstance(value, MutableSequence) else (value,):
                if isinstance(one, str) and name not in skipped:
                    texts.add(one)
                elif isinstance(one, Message) and name not in skipped:
                    self._collect(one, clinic, moments, texts)


def _text(message: Message, name: str) -> str:
    value = getattr(message, name, "")
    return value if isinstance(value, str) else ""
