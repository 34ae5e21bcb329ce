"""Starts the clinics that are not running yet, and stops those it started, no others.

Starting has two halves, so that a program can do something else while the clinics come up: `launch` looks who is there
and starts the rest, `await_health` waits until all answer.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from mesh.port_holder import port_holder
from orchestrator.fleet.address_probe import probe
from orchestrator.fleet.finding import Finding, Present, Stranger, Vacant
from orchestrator.fleet.held_signals import held_signals
from orchestrator.fleet.member import Member
from orchestrator.fleet.process import ClinicProcess
from orchestrator.fleet.trouble import FleetError, Trouble
from orchestrator.security import Protection
from orchestrator.turn import Introduction

_POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class Calendar:
    """Which calendar every clinic of the fleet must hold.

    Attributes:
        agenda: "rolling" or "blueprint".
        now: The instant at which appointments' time stands still; None: real time.
        today: The date that follows, YYYY-MM-DD.
    """

    agenda: str
    now: str | None
    today: str


class Fleet:
    """The clinics of the registry, as one thing to start and to stop.

    Args:
        members: The clinics, in the registry's order.
        calendar: What they must hold; a running clinic that holds another is refused.
        log_dir: Where the output of those that are started goes.
        protection: The keys that all of them must know, and their certificates.
        telemetry: Those that are started send traces and metrics.
    """

    def __init__(
        self,
        members: Sequence[Member],
        calendar: Calendar,
        log_dir: Path,
        protection: Protection,
        *,
        telemetry: bool = False,
    ) -> None:
        self.members = tuple(members)
        self._calendar = calendar
        self._log_dir = log_dir
        self.protection = protection
        self.telemetry = telemetry
        self._started: list[ClinicProcess] = []
        self._ran_before: tuple[str, ...] = ()
        self._met: dict[str, Introduction] = {}

    @property
    def started(self) -> tuple[str, ...]:
        """The ids of the clinics that this fleet started."""
        return tuple(process.member.id for process in self._started)

    @property
    def ran_before(self) -> tuple[str, ...]:
        """The ids of the clinics that answered already when this fleet was launched."""
        return self._ran_before

    @property
    def met(self) -> Mapping[str, Introduction]:
        """What the members said of themselves that were found to be what they should be, by id."""
        return self._met

    def only(self, clinic: str) -> Fleet:
        """Return the fleet of one of the members alone, which has started nothing yet."""
        members = [member for member in self.members if member.id == clinic]
        return Fleet(members, self._calendar, self._log_dir, self.protection, telemetry=self.telemetry)

    def prepare_keys(self) -> None:
        """Make the keys that clinics are told of, if this is the first start.

        Raises:
            CredentialError: They cannot be made.
        """
        if self.protection.keys is not None:
            self.protection.keys.prepare()

    def launch(self) -> None:
        """Start the members of this machine that are not running; those that are, are checked and left alone.

        Raises:
            FleetError: As `running` says (then nothing was started), or a process cannot be started (then those that
                were, are stopped).
        """
        self._ran_before = self.running()
        try:
            for member in self.members:
                if member.is_local and member.id not in self._ran_before:
                    # Between a process and its place on the list, nothing may come: it would never be stopped.
                    with held_signals():
                        self._started.append(self._start(member))
        except BaseException:
            self.stop()
            raise

    def await_health(self, timeout_s: float = 20.0) -> frozenset[str]:
        """Wait until every clinic that was started answers as itself.

        Args:
            timeout_s: Seconds for all of them together.

        Returns:
            The ids of the clinics that answer, those that ran before among them.

        Raises:
            FleetError: One ended, or does not answer in time; then all that were started are stopped.
        """
        deadline = time.monotonic() + timeout_s
        try:
            for process in self._started:
                self._await_one(process, deadline)
            return frozenset((*self._ran_before, *self.started))
        except BaseException:
            self.stop()
            raise

    def stop(self, timeout_s: float = 10.0) -> None:
        """Stop the clinics that this fleet started: they may finish what they do for `timeout_s` seconds in all."""
        deadline = time.monotonic() + timeout_s
        for process in self._started:
            process.terminate()
        for process in self._started:
            process.await_end(max(0.0, deadline - time.monotonic()))
        self._started.clear()

    def take_ended(self) -> tuple[ClinicProcess, ...]:
        """Return those that were started here and have ended by themselves, and forget them: they stay down."""
        ended = tuple(process for process in self._started if process.has_ended)
        self._started = [process for process in self._started if process not in ended]
        return ended

    def release(self) -> None:
        """Leave the clinics that this fleet started to run on their own."""
        self._started.clear()

    def running(self) -> tuple[str, ...]:
        """Return the ids of the members that run, all of which are what they should be.

        Raises:
            FleetError: One is another clinic, holds another calendar or knows other keys, or somebody else holds the
                port of one that could be started here.
            CredentialError: The keys cannot be read.
        """
        findings = self.survey()
        return tuple(member.id for member in self.members if self._runs(member, findings[member.id]))

    def survey(self) -> Mapping[str, Finding]:
        """Return who is at each member's address, by the member's id."""
        with ThreadPoolExecutor(len(self.members) or 1) as pool:
            found = pool.map(self._probe, self.members)
            return dict(zip((member.id for member in self.members), found, strict=True))

    def knows_keys(self, found: Present) -> bool:
        """Return whether a clinic accepts the tokens that are signed here.

        Raises:
            CredentialError: The keys cannot be read.
        """
        return self.protection.fingerprints <= found.token_keys

    def _probe(self, member: Member) -> Finding:
        return probe(member, self.protection.client_tls)

    def _start(self, member: Member) -> ClinicProcess:
        return ClinicProcess.start(
            member,
            agenda=self._calendar.agenda,
            now=self._calendar.now,
            log_dir=self._log_dir,
            protection=self.protection,
            telemetry=self.telemetry,
        )

    def _runs(self, member: Member, finding: Finding) -> bool:
        match finding:
            case Vacant():
                return False
            case Stranger():
                if member.is_local:
                    raise _held(member)
                return False
            case Present():
                self._meet(member, finding)
                return True
            case _:
                assert_never(finding)

    def _meet(self, member: Member, found: Present) -> None:
        """Hold what answers to what the member should be, and remember what it says of itself."""
        where = {"clinic": member.id, "address": member.address}
        if found.clinic != member.id:
            trouble = Trouble.OTHER_CLINIC if found.clinic else Trouble.OTHER_SERVICE
            raise FleetError(trouble, **where, found=found.clinic)
        for what, has, wanted in (
            ("agenda", found.agenda, self._calendar.agenda),
            ("today", found.today, self._calendar.today),
        ):
            if has != wanted:
                raise FleetError(Trouble.OTHER_CALENDAR, **where, what=what, has=has, wanted=wanted)
        if not self.knows_keys(found):
            raise FleetError(Trouble.OTHER_KEYS if found.token_keys else Trouble.NO_KEYS, **where)
        self._met[member.id] = Introduction(found.name, found.doctors)

    def _await_one(self, process: ClinicProcess, deadline: float) -> None:
        member = process.member
        while True:
            if process.has_ended:
                raise FleetError(Trouble.ENDED, clinic=member.id, words=process.last_words)
            found = self._probe(member)
            if isinstance(found, Present) and found.is_serving:
                return self._meet(member, found)
            if time.monotonic() > deadline:
                raise FleetError(Trouble.SILENT, clinic=member.id, address=member.address, log=process.log)
            time.sleep(_POLL_S)


def _held(member: Member) -> FleetError:
    """Return the error that names who listens where a member should."""
    _, port = member.endpoint
    holder = port_holder(port)
    where = {"clinic": member.id, "port": port}
    if holder is not None and holder.pid is not None:
        return FleetError(Trouble.PORT_HELD_BY_PROCESS, **where, program=holder.program or "?", pid=holder.pid)
    if holder is not None and holder.is_another_users:
        return FleetError(Trouble.PORT_HELD_BY_ANOTHER_USER, **where)
    return FleetError(Trouble.PORT_HELD, **where)
