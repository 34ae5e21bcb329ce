"""Count and time the turns of a log.

A log does not say what would have been right: the share of misrouted steps comes from an evaluation's report.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from mesh.errors import UsageError
from orchestrator.evaluation.figures import Latency, ModelUse, Rate, latencies_of, percentile, use_of
from orchestrator.evaluation.report_tables import RECORD
from orchestrator.evaluation.report_tables import SCHEMA as REPORT_SCHEMA
from orchestrator.evaluation.turn_log import LoggedModelCall, LoggedResult, LoggedTurn
from orchestrator.turn import ModelFailure, StepStatus, TaskStatus, TurnOutcome

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
    refused = sum(len(routing.refused) for routing in routings)
    sent = sum(len(turn.steps) for turn in listed)
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
        replaced=_sorted(
            verdict.rule.value
            for turn in listed
            for verdict in turn.verdicts
            if verdict.subject == "draft" and verdict.rule is not None
        ),
        misroute=misroute,
        misrouted=Rate(refused, refused + sent),
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
