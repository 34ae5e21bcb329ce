"""The state of every clinic of the fleet at one moment, as `status` shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from orchestrator.fleet.finding import Finding, Present, Stranger, Vacant
from orchestrator.fleet.fleet import Fleet
from orchestrator.fleet.member import Member
from orchestrator.fleet.silo_holder import find_holder


@dataclass(frozen=True, slots=True)
class Entry:
    """A clinic's state.

    Attributes:
        member: The clinic.
        pid: The process that holds its silo; None when none does.
        health: "serving", "not serving", "down", "no clinic", "other keys" when it accepts no token of ours, or
            "is clinic_x" when another clinic answers.
        since: When that process began to listen, UTC.
        agenda: "rolling" or "blueprint"; empty when it does not answer.
        doctors: Full names with title.
        answers_as: The id of another clinic that answers there; empty when none does.
    """

    member: Member
    pid: int | None
    health: str
    since: datetime | None = None
    agenda: str = ""
    doctors: tuple[str, ...] = ()
    answers_as: str = ""

    @property
    def is_serving(self) -> bool:
        """Whether it takes calls."""
        return self.health == _SERVING


_SERVING = "serving"


def call_roll(fleet: Fleet) -> tuple[Entry, ...]:
    """Return the state of every member, in the registry's order."""
    findings = fleet.survey()
    return tuple(_entry(fleet, member, findings[member.id]) for member in fleet.members)


def _entry(fleet: Fleet, member: Member, finding: Finding) -> Entry:
    holder = find_holder(member.silo)
    if holder is not None and holder.address != member.address:
        holder = None
    pid, since = (None, None) if holder is None else (holder.pid, holder.since)
    match finding:
        case Vacant():
            return Entry(member, pid, "down", since)
        case Stranger():
            return Entry(member, pid, "no clinic", since)
        case Present() if finding.clinic != member.id:
            health = f"is {finding.clinic}"
            return Entry(member, None, health, None, finding.agenda, finding.doctors, answers_as=finding.clinic)
        case Present() if not fleet.knows_keys(finding):
            return Entry(member, pid, "other keys", since, finding.agenda, finding.doctors)
        case Present():
            health = _SERVING if finding.is_serving else "not serving"
            return Entry(member, pid, health, since, finding.agenda, finding.doctors)
        case _:
            assert_never(finding)
