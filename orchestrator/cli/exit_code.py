"""The exit codes of the command, what is said with them, and which one a run of several turns ends with."""

import sys
from collections.abc import Iterable, Mapping
from enum import IntEnum

from orchestrator.turn import TurnOutcome


class ExitCode(IntEnum):
    """What the command tells a script."""

    OK = 0
    INTERNAL = 1  # a fault of ours
    USAGE = 2  # an argument, a setting or an input line that cannot be used
    PARTIAL = 3  # some clinics did not answer
    CONFIRM = 4  # a write was proposed and not made: give --confirm or --yes
    REFUSED = 5  # a clinic, the verifier or the planner said no
    IDENTITY = 6  # no usable name and CPF
    UNKNOWN_WRITE = 7  # a write may or may not have been made
    CHANGED = 8  # nothing that was proposed is what --confirm stands for
    ALL_DOWN = 69  # no clinic answered or could be started; EX_UNAVAILABLE of sysexits.h
    INTERRUPTED = 130  # SIGINT, as shells count it


OF_OUTCOME: Mapping[TurnOutcome, ExitCode] = {
    TurnOutcome.OK: ExitCode.OK,
    TurnOutcome.PARTIAL: ExitCode.PARTIAL,
    TurnOutcome.ALL_DOWN: ExitCode.ALL_DOWN,
    TurnOutcome.CONFIRM: ExitCode.CONFIRM,
    TurnOutcome.REFUSED: ExitCode.REFUSED,
    TurnOutcome.UNKNOWN_WRITE: ExitCode.UNKNOWN_WRITE,
    TurnOutcome.CANCELLED: ExitCode.INTERRUPTED,
}

MOST_SERIOUS_FIRST = (
    ExitCode.UNKNOWN_WRITE,
    ExitCode.INTERNAL,
    ExitCode.INTERRUPTED,
    ExitCode.ALL_DOWN,
    ExitCode.IDENTITY,
    ExitCode.USAGE,
    ExitCode.CHANGED,
    ExitCode.REFUSED,
    ExitCode.CONFIRM,
    ExitCode.PARTIAL,
    ExitCode.OK,
)
"""An unknown write comes first because somebody must look; a partial answer is still an answer, so it comes late."""


def complain(text: object) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"clinic-mesh: {text}\n")


def most_serious(codes: Iterable[ExitCode]) -> ExitCode:
    """Return the code that a run with these turns ends with; OK for none."""
    return min(codes, key=MOST_SERIOUS_FIRST.index, default=ExitCode.OK)
