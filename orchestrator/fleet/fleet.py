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

from orchestrator.fleet.finding import Finding, Present, Stranger, Vacant
from orchestrator.fleet.member import FleetError, Member
from orchestrator.fleet.probe import probe
from orchestrator.fleet.process import ClinicProcess
from orchestrator.protection import Protection

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
        self._answering: set[str] = set()

    @property
    def started(self) -> tuple[str, ...]:
        """The ids of the clinics that this fleet started."""
        return tuple(process.member.id for process in self._started)

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
            FleetError: A running one is another clinic, holds another calendar or knows other keys (then nothing was
                started), or a process cannot be started (then those that were, are stopped).
        """
        findings = self.survey()
        missing = [member for member in self.members if self._must_start(member, findings[member.id])]
        try:
            for member in missing:
                self._started.append(
                    ClinicProcess.start(
                        member,
                        agenda=self._calendar.agenda,
                        now=self._calendar.now,
                        log_dir=self._log_dir,
                        protection=self.protection,
                        telemetry=self.telemetry,
                    )
                )
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
                self._answering.add(process.member.id)
            return frozenset(self._answering)
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

    def release(self) -> None:
        """Leave the clinics that this fleet started to run on their own."""
        self._started.clear()

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

    def _must_start(self, member: Member, finding: Finding) -> bool:
        match finding:
            case Vacant() | Stranger():
                # A clinic that finds its port taken says by whom; so a stranger's port is left to it to report.
                return member.is_local
            case Present():
                self._check(member, finding)
                self._answering.add(member.id)
                return False
            case _:
                assert_never(finding)

    def _check(self, member: Member, found: Present) -> None:
        if found.clinic != member.id:
            raise FleetError(
                f"{member.id}: {found.clinic or 'another service'} answers at {member.address}; "
                "stop it, or set CLINIC_MESH_BASE_PORT"
            )
        for what, has, wanted in (
            ("agenda", found.agenda, self._calendar.agenda),
            ("today", found.today, self._calendar.today),
        ):
            if has != wanted:
                raise FleetError(
                    f'{member.id}: already running at {member.address} with {what} "{has}", not "{wanted}"; '
                    "stop it with `clinic-mesh down`, or set CLINIC_MESH_BASE_PORT"
                )
        if not self.knows_keys(found):
            has = "other keys than ours" if found.token_keys else "no keys, so that anybody may call it"
            raise FleetError(
                f"{member.id}: already running at {member.address} with {has}; "
                "stop it, set CLINIC_MESH_KEYS_DIR to the folder of its keys, or set CLINIC_MESH_BASE_PORT"
            )

    def _await_one(self, process: ClinicProcess, deadline: float) -> None:
        member = process.member
        while True:
            if process.has_ended:
                raise FleetError(f"{member.id}: could not start: {process.last_words}")
            found = self._probe(member)
            if isinstance(found, Present) and found.is_serving:
                return self._check(member, found)
            if time.monotonic() > deadline:
                raise FleetError(f"{member.id}: does not answer at {member.address}; see {process.log}")
            time.sleep(_POLL_S)
