"""The exit codes of the command, what is said with them, and which one a run of several turns ends with."""

import os
import sys
from collections.abc import Iterable
from enum import IntEnum

from orchestrator.fleet import Fleet, FleetError
from orchestrator.turn import TurnOutcome, language_of_locale


class ExitCode(IntEnum):
    """What the command tells a script, the most serious first."""

    UNKNOWN_WRITE = 7  # a write may or may not have been made: somebody must look
    INTERNAL = 1  # a fault of ours
    INTERRUPTED = 130  # SIGINT, as shells count it
    ALL_DOWN = 69  # no clinic answered or could be started; EX_UNAVAILABLE of sysexits.h
    IDENTITY = 6  # no usable name and CPF
    USAGE = 2  # an argument, a setting or an input line that cannot be used
    CHANGED = 8  # nothing that was proposed is what --confirm stands for
    REFUSED = 5  # a clinic, the verifier or the planner said no
    CONFIRM = 4  # a write was proposed and not made: give --confirm or --yes
    PARTIAL = 3  # some clinics did not answer; a partial answer is still an answer
    OK = 0

    @classmethod
    def of(cls, outcome: TurnOutcome) -> "ExitCode":
        """Return the code of a turn, which has the name of its outcome."""
        return cls.INTERRUPTED if outcome is TurnOutcome.CANCELLED else cls[outcome.name]


def complain(text: object) -> None:
    """Write a line to standard error, an error of the fleet in the language of the locale."""
    told = text.told(language_of_locale(os.environ)) if isinstance(text, FleetError) else text
    sys.stderr.write(f"clinic-mesh: {told}\n")


def await_clinics(fleet: Fleet, timeout_s: float = 20.0) -> frozenset[str]:
    """Wait as `Fleet.await_health` does, and write to standard error why those failed that did not come up."""
    up = fleet.await_health(timeout_s)
    for failure in fleet.failed.values():
        complain(failure)
    return up


def most_serious(codes: Iterable[ExitCode]) -> ExitCode:
    """Return the code that a run with these turns ends with; OK for none."""
    return min(codes, key=list(ExitCode).index, default=ExitCode.OK)
