"""Says how a turn ended, from how its steps ended."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from orchestrator.turn import StepResult, StepStatus, TurnOutcome

_SEVEREST_FIRST = (
    TurnOutcome.UNKNOWN_WRITE,
    TurnOutcome.CANCELLED,
    TurnOutcome.REFUSED,
    TurnOutcome.PARTIAL,
    TurnOutcome.ALL_DOWN,
)


def outcome_of_reads(results: Sequence[StepResult]) -> TurnOutcome:
    """Return the outcome of reads of one kind at several clinics: whatever one of them brought is worth showing."""
    statuses = {result.status for result in results}
    if StepStatus.DONE in statuses:
        return TurnOutcome.OK if len(statuses) == 1 else TurnOutcome.PARTIAL
    if statuses == {StepStatus.SKIPPED}:
        return TurnOutcome.CANCELLED
    if StepStatus.REFUSED in statuses:
        return TurnOutcome.PARTIAL if StepStatus.UNREACHED in statuses else TurnOutcome.REFUSED
    return TurnOutcome.ALL_DOWN


def outcome_of_record(results: Sequence[StepResult]) -> TurnOutcome:
    """Return the outcome of one patient id asked of several clinics: whoever has it settles it."""
    return outcome_of_reads([result for result in results if result.status is StepStatus.DONE] or results)


def outcome_of_writes(results: Sequence[StepResult]) -> TurnOutcome:
    """Return the outcome of writes: what is not known weighs most, then what was refused."""
    statuses = {result.status for result in results}
    if StepStatus.UNKNOWN in statuses:
        return TurnOutcome.UNKNOWN_WRITE
    return TurnOutcome.REFUSED if StepStatus.REFUSED in statuses else outcome_of_reads(results)


def combined(outcomes: Collection[TurnOutcome]) -> TurnOutcome:
    """Return the outcome of a turn of several kinds of steps: the severest; silence of some only is partial."""
    if len(set(outcomes)) > 1:
        outcomes = [TurnOutcome.PARTIAL if outcome is TurnOutcome.ALL_DOWN else outcome for outcome in outcomes]
    return next((outcome for outcome in _SEVEREST_FIRST if outcome in outcomes), TurnOutcome.OK)
