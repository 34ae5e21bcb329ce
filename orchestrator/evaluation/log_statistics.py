"""Count and time the turns of a log, or draw one of them as a sequence diagram.

A log does not say what would have been right: the share of misrouted steps comes from an evaluation's report.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from mesh.errors import UsageError
from orchestrator.evaluation.figures import Latency, ModelUse, Rate, latencies_of, percentile, use_of
from orchestrator.evaluation.report_tables import RECORD
from orchestrator.evaluation.report_tables import SCHEMA as REPORT_SCHEMA
from orchestrator.evaluation.turn_log import LoggedModelCall, LoggedResult, LoggedStep, LoggedTurn
from orchestrator.journal import ModelFailure
from orchestrator.turn import StepStatus, TaskStatus, TurnOutcome

_NOT_MADE = frozenset({ModelFailure.SUSPENDED, ModelFailure.THROTTLED})
_FAILED = frozenset({StepStatus.UNREACHED, StepStatus.UNKNOWN})


@dataclass(frozen=True, slots=True)
class ModelCalls(ModelUse):
    """The use of a language model for one purpose, and its times."""

    p50_ms: float | None = None
    p95_ms: float | None = None
    first_token_ms: float | None = None  # the median time until the text began


@dataclass(frozen=True, slots=True)
class ClinicCalls:
    """Calls of one clinic."""

    calls: int
    failed: int  # steps without an answer, or with an unknown outcome
    refused: int
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of a log."""

    turns: int
    sessions: int
    first: datetime | None  # when the first turn began; None without one
    last: datetime | None
    outcomes: Mapping[str, int]  # turns by outcome, the most frequent first
    partial: Rate  # the share of turns in which some clinics did not answer
    partial_tasks: Rate  # the share of tasks in which some agents did not
    fallback: Rate  # the share of turns in which a fallback replaced an agent, among the lines that say so
    blocked: Mapping[str, int]  # replies that the verifier blocked, by rule
    replaced: Mapping[str, int]  # direct answers of a model that were not shown, by rule
    memory: Mapping[str, int]  # calls of the memory tools by tool and status, such as "salvar_memoria saved"
    recalling: Rate  # the share of turns with a recalled memory, among those that looked
    misroute: Rate | None  # the share of misrouted steps in an evaluation; None where none is given
    misrouted: Rate  # the share of planned steps that were not sent, because their agent was not chosen for them
    latencies: Mapping[str, Latency]  # by stage
    model: Mapping[str, ModelCalls]  # by purpose
    # Model calls that were not made because the same person had asked too often, by purpose
    throttled: Mapping[str, int]
    clinics: Mapping[str, ClinicCalls]


def statistics_of(turns: Iterable[LoggedTurn], misroute: Rate | None = None) -> Statistics:
    """Return the statistics of some turns, in any order."""
    listed = list(turns)
    instants = [turn.at for turn in listed]
    routings = [turn.routing for turn in listed if turn.routing is not None]
    calls = [call for turn in listed for call in turn.model_calls if call.failure not in _NOT_MADE]
    results = [result for turn in listed for result in turn.results]
    verdicts = [verdict for turn in listed for verdict in turn.verdicts]
    refused = sum(len(routing.refused) for routing in routings)
    return Statistics(
        turns=len(listed),
        sessions=len({turn.session_id for turn in listed}),
        first=min(instants, default=None),
        last=max(instants, default=None),
        outcomes=dict(Counter(turn.outcome.value for turn in listed).most_common()),
        partial=Rate.of(turn.outcome is TurnOutcome.PARTIAL for turn in listed),
        partial_tasks=Rate.of(status is TaskStatus.PARTIAL for routing in routings for status in routing.results),
        fallback=Rate.of(routing.fallback_used is not None for routing in routings),
        blocked=_sorted(rule.value for turn in listed for rule in turn.broken_rules),
        replaced=_sorted(one.rule.value for one in verdicts if one.subject == "draft" and one.rule is not None),
        misroute=misroute,
        misrouted=Rate(refused, refused + sum(len(turn.steps) for turn in listed)),
        latencies=latencies_of(listed),
        model={
            purpose: _calls_of_model([call for call in calls if call.purpose == purpose])
            for purpose in sorted({call.purpose.value for call in calls})
        },
        throttled=_sorted(purpose.value for turn in listed for purpose in turn.throttled),
        clinics={
            clinic: _calls_of_clinic([result for result in results if result.clinic == clinic])
            for clinic in sorted({result.clinic for result in results})
        },
        memory=_sorted(f"{call.tool} {call.status}" for turn in listed for call in turn.memory.calls),
        recalling=Rate.of(turn.memory.recalled > 0 for turn in listed if turn.memory.recalled is not None),
    )


def misroute_of(folder: Path) -> Rate:
    """Return the share of misrouted steps from an evaluation's report; raise `UsageError` if it is not there."""
    path = folder / RECORD
    try:
        report = json.loads(path.read_bytes())
        counted = report["strict"]["misroute"]
        return Rate(int(counted["hits"]), int(counted["trials"]), int(report["runs"]))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}: no report of {REPORT_SCHEMA} with strict.misroute; run `eval` again") from error


def _sorted(names: Iterable[str]) -> Mapping[str, int]:
    return dict(sorted(Counter(names).items()))


def _calls_of_model(calls: Sequence[LoggedModelCall]) -> ModelCalls:
    times = [call.elapsed_ms for call in calls]
    first = [call.first_token_ms for call in calls if call.first_token_ms is not None]
    return ModelCalls(
        **asdict(use_of(calls)),
        p50_ms=percentile(times, 0.5),
        p95_ms=percentile(times, 0.95),
        first_token_ms=percentile(first, 0.5) if first else None,
    )


def _calls_of_clinic(results: Sequence[LoggedResult]) -> ClinicCalls:
    times = [result.elapsed_ms for result in results]
    return ClinicCalls(
        calls=len(results),
        failed=sum(result.status in _FAILED for result in results),
        refused=sum(result.status is StepStatus.REFUSED for result in results),
        p50_ms=percentile(times, 0.5),
        p95_ms=percentile(times, 0.95),
    )


def sequence_of(turn: LoggedTurn) -> str:
    """Return the diagram of a turn: who called whom, and the answers."""
    return "\n".join(("sequenceDiagram", *(f"    {line}" for line in _lines(turn)))) + "\n"


def find_turn(turns: Iterable[LoggedTurn], turn_id: str) -> LoggedTurn | None:
    """Return the newest turn whose id begins with `turn_id`, or the newest of all for "last"; None if there is none."""
    found = [turn for turn in turns if turn_id == "last" or turn.turn_id.startswith(turn_id)]
    # Of two in one millisecond the one further down is newer.
    return max(reversed(found), key=lambda turn: turn.at, default=None)


def _lines(turn: LoggedTurn) -> Iterator[str]:
    clinics = list(dict.fromkeys(step.clinic for step in turn.steps))
    yield "actor Person"
    yield from (f"participant {_plain(name)}" for name in ("Planner", "Router", *clinics, "Verifier", "Responder"))
    yield "Person->>Planner: an utterance"
    if turn.plan is None:
        yield "Planner-->>Person: the open proposal was dropped"
        return
    kind = ": ".join(part for part in (turn.plan.kind, turn.plan.topic) if part)
    yield f"Note over Planner: {_plain(kind)}{_time(turn.elapsed_ms, 'plan')}"
    if turn.results:
        yield from _routed(turn, clinics)
    yield from _verified(turn, "data", "Router")
    yield f"{'Router' if turn.results else 'Planner'}->>Responder: {'answers' if turn.results else 'what to say'}"
    yield from _verified(turn, "reply", "Responder")
    yield f"Responder->>Person: {_plain(turn.outcome)}{_time(turn.elapsed_ms, 'turn')}"


def _routed(turn: LoggedTurn, clinics: Sequence[str]) -> Iterator[str]:
    yield f"Planner->>Router: {len(turn.steps)} step{'s' if len(turn.steps) > 1 else ''}"
    results = {result.step_id: result for result in turn.results}
    for place, clinic in enumerate(clinics):
        if len(clinics) > 1:
            yield f"{'and' if place else 'par'} {_plain(clinic)}"
        for step in turn.steps:
            if step.clinic == clinic:
                yield from _called(step, results.get(step.step_id))
    if len(clinics) > 1:
        yield "end"


def _called(step: LoggedStep, result: LoggedResult | None) -> Iterator[str]:
    clinic = _plain(step.clinic)
    if result is None:
        yield f"Note over {clinic}: {_plain(step.action)} is not asked"
        return
    arguments = ", ".join(step.parameters.values())
    yield f"Router->>{clinic}: {_plain(f'{step.action}({arguments})')}"
    if result.status is StepStatus.DONE:
        count = "" if result.items is None else f", {result.items} found"
        yield f"{clinic}-->>Router: {_plain(f'{result.status}{count}')} ({result.elapsed_ms:.1f} ms)"
    else:
        yield f"{clinic}--xRouter: {_plain(f'{result.status} {result.reason or str()}')} ({result.elapsed_ms:.1f} ms)"


def _verified(turn: LoggedTurn, subject: str, who: str) -> Iterator[str]:
    for verdict in turn.verdicts:
        if verdict.subject == subject:
            yield f"{who}->>Verifier: {subject}"
            yield f"Verifier-->>{who}: {_plain(verdict.note)}{_time(turn.elapsed_ms, f'verify_{subject}')}"


def _time(elapsed_ms: Mapping[str, float], stage: str) -> str:
    return f" ({elapsed_ms[stage]:.1f} ms)" if stage in elapsed_ms else ""


def _plain(text: str) -> str:
    # Without the characters that are syntax in Mermaid.
    return re.sub(r"[;#\s]+", " ", text).strip()
