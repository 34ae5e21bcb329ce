"""Start the clinics that are not running yet, and stop those that were started here, no others.

`launch` checks who runs and starts the rest; `await_health` waits until each of them answers or has failed. For one
piece of work they run a second time, on free ports, with temporary silos and logs, and with keys of their own, so that
a token says whose appointments are meant.
"""

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from mesh.limits import OFF
from mesh.port_holder import port_holder
from orchestrator.agents import Registry, at_once, introduction_of
from orchestrator.fleet.clinic_probe import Absence, Finding, Member, Present, probe
from orchestrator.fleet.process import LOCK_FILE, Calendar, ClinicProcess, FleetError, end_all, held_signals
from orchestrator.security import KeyFolder, Protection
from orchestrator.turn import Introduction

_SILOS = "silos"  # the folder of the silos of a temporary fleet

_POLL_S = 0.01
_START_S = 20.0  # that clinics have to take calls
_END_S = 10.0  # that clinics have to finish their work
_END_TEMPORARY_S = 5.0
_ANY_PORT = "127.0.0.1:0"


@dataclass(eq=False)
class Fleet:
    """The clinics of the registry, in its order, as one thing to start and to stop."""

    members: Sequence[Member]
    calendar: Calendar  # a running clinic with another one is refused
    log_dir: Path  # where started clinics write
    protection: Protection  # a running clinic without its keys is refused
    telemetry: bool = False
    ran_before: tuple[str, ...] = field(default=(), init=False)  # ids of those that already answered at the launch
    failed: Mapping[str, FleetError] = field(default_factory=dict, init=False)  # why one did not come up, by its id
    met: dict[str, Introduction] = field(default_factory=dict, init=False)  # what those checked say of themselves
    _started: list[ClinicProcess] = field(default_factory=list, init=False)

    @property
    def started(self) -> tuple[str, ...]:
        """The ids of the clinics that this fleet started."""
        return tuple(process.member.id for process in self._started)

    def launch(self) -> None:
        """Start the members of this machine that are not running; check those that run and leave them alone.

        Raise FleetError as `running` does, with nothing started, or if one cannot be started; the others are stopped.
        """
        self.ran_before = self.running()
        try:
            for member in self.members:
                if member.is_local and member.id not in self.ran_before:
                    asked = member, self.calendar, self.log_dir, self.protection
                    # A signal between the start and the entry in the list would leave a process that is never stopped.
                    with held_signals():
                        self._started.append(ClinicProcess.start(*asked, telemetry=self.telemetry))
        except BaseException:
            self.stop()
            raise

    def await_health(self, timeout_s: float = _START_S) -> frozenset[str]:
        """Wait until every started clinic answers or has failed, and return the ids of all that answer.

        A clinic fails that ends, or does not answer within `timeout_s` seconds: it is stopped, and `failed` says why.
        Raise the first failure if no clinic answers.
        """
        deadline = time.monotonic() + timeout_s
        failed: dict[str, FleetError] = {}
        try:
            for process in self._started:
                try:
                    self._await_one(process, deadline)
                except FleetError as error:
                    failed[process.member.id] = error
        except BaseException:
            self.stop()
            raise
        up = frozenset((*self.ran_before, *self.started)) - failed.keys()
        if failed and not up:
            self.stop()
            raise next(iter(failed.values()))
        end_all([process for process in self._started if process.member.id in failed], _END_S)
        self._started = [process for process in self._started if process.member.id in up]
        self.failed = failed
        return up

    def stop(self, timeout_s: float = _END_S) -> None:
        """Stop the clinics that this fleet started; they have `timeout_s` seconds in all to finish their work."""
        end_all(self._started, timeout_s)
        self._started.clear()

    def take_ended(self) -> tuple[ClinicProcess, ...]:
        """Return and forget the clinics that were started here and have ended by themselves."""
        ended = tuple(process for process in self._started if process.has_ended)
        self._started = [process for process in self._started if process not in ended]
        return ended

    def release(self) -> None:
        """Leave the clinics that this fleet started running."""
        self._started.clear()

    def running(self) -> tuple[str, ...]:
        """Return the ids of the members that run, after checking them.

        Raise FleetError if one is another clinic, holds another calendar or knows other keys, or another program holds
        the port of one that could be started here, and CredentialError if the keys cannot be read.
        """
        findings = self.survey()
        return tuple(member.id for member in self.members if self._runs(member, findings[member.id]))

    def survey(self) -> Mapping[str, Finding]:
        """Return what is at each member's address, by the member's id."""
        return dict(zip((member.id for member in self.members), at_once(self._probe, self.members), strict=True))

    def knows_keys(self, found: Present) -> bool:
        """Return whether a clinic accepts our tokens; raise `CredentialError` if the keys cannot be read."""
        return self.protection.keys.fingerprints <= {*found.said.token_keys}

    def _probe(self, member: Member) -> Finding:
        return probe(member, self.protection.client_tls())

    def _runs(self, member: Member, finding: Finding) -> bool:
        if finding is Absence.STRANGER and member.is_local:
            raise _held(member)
        if isinstance(finding, Present):
            self._meet(member, finding)
        # One that is unreadable is left alone and believed nothing, which turns say; the others are used.
        return isinstance(finding, Present) or finding is Absence.UNREADABLE

    def _meet(self, member: Member, found: Present) -> None:
        where = {"clinic": member.id, "address": member.address}
        if found.said.clinic_id != member.id:
            found_id = found.said.clinic_id
            raise FleetError("other_clinic" if found_id else "other_service", **where, found=found_id)
        kept = ("agenda", found.agenda, self.calendar.agenda), ("today", found.said.today, self.calendar.today)
        for what, has, wanted in kept:
            if has != wanted:
                raise FleetError("other_calendar", **where, what=what, has=has, wanted=wanted)
        if not self.knows_keys(found):
            raise FleetError("other_keys" if found.said.token_keys else "no_keys", **where)
        self.met[member.id] = introduction_of(found.said)

    def _await_one(self, process: ClinicProcess, deadline: float) -> None:
        member = process.member
        while True:
            found = self._probe(member)
            if found is Absence.UNREADABLE:
                return None
            if isinstance(found, Present) and found.is_serving:
                return self._meet(member, found)
            process.check(deadline)
            time.sleep(_POLL_S)


def _held(member: Member) -> FleetError:
    _, port = member.endpoint
    holder, where = port_holder(port), {"clinic": member.id, "port": port}
    if holder is not None and holder.pid is not None:
        return FleetError("port_held_by_process", **where, program=holder.program or "?", pid=holder.pid)
    if holder is not None and holder.is_another_users:
        return FleetError("port_held_by_another_user", **where)
    return FleetError("port_held", **where)


@dataclass(frozen=True, slots=True)
class TemporaryFleet:
    """Clinics that run until the work is done."""

    registry: Registry  # the same agents, at the addresses where they run now
    folder: Path  # holds their silos; removed at the end
    protection: Protection  # whose tokens they accept

    def silo(self, clinic: str) -> Path:
        """Return the folder of a clinic's db.json."""
        return self.folder / _SILOS / clinic


@contextmanager
def temporary_fleet(registry: Registry, *, agenda: str, now: str | None) -> Iterator[TemporaryFleet]:
    """Yield fresh clinics that take calls, or raise FleetError; stop them and remove their files at the end."""
    with tempfile.TemporaryDirectory(prefix="clinic-mesh-") as name:
        folder = Path(name)
        keys = KeyFolder(folder / "keys")
        keys.prepare()
        protection = Protection(keys, rate=OFF)
        processes: list[ClinicProcess] = []
        try:
            for clinic in registry:
                member = Member(clinic, _ANY_PORT, folder / _SILOS / clinic)
                processes.append(ClinicProcess.start(member, Calendar(agenda, now), folder / "logs", protection))
            deadline = time.monotonic() + _START_S
            addresses = {process.member.id: _await_address(process, deadline) for process in processes}
            yield TemporaryFleet(registry.with_addresses(addresses), folder, protection)
        finally:
            end_all(processes, _END_TEMPORARY_S)


def _await_address(process: ClinicProcess, deadline: float) -> str:
    # A clinic writes its address into its lock file once it takes calls. The file is read without trying the lock,
    # which would hold it for a moment while the clinic may want it.
    while True:
        try:
            address = json.loads((process.member.silo / LOCK_FILE).read_bytes())["address"]
        except (FileNotFoundError, ValueError):
            address = ""
        if address:
            return str(address)
        process.check(deadline)
        time.sleep(_POLL_S)
