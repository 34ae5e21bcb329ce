"""Six clinics as processes that run for many tests, each of which finds them as new; they end with the tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

from orchestrator.fleet.clinic_probe import Member
from orchestrator.fleet.process import Calendar, ClinicProcess, find_holder
from orchestrator.security.token_keys import KeyFolder, Protection
from tests.support.clinics import NOW, SPECIALTIES
from tests.support.free_ports import free_base_port

_DEADLINE_S = 60.0
_POLL_S = 0.01
_CLINIC_RUNS = frozenset("RSD")
"""States in /proc of a process that is neither stopped nor dead."""

_WATCH = """
import os, signal, sys

watched = []
for line in sys.stdin:
    try:
        watched.append(os.pidfd_open(int(line)))
    except ProcessLookupError:
        pass
for process in watched:
    try:
        signal.pidfd_send_signal(process, signal.SIGKILL)
    except ProcessLookupError:
        pass
"""
"""A program that takes process ids, and kills those processes when its input ends, as it does with who writes there."""


class SharedClinics:
    """The clinics of a session of tests, on ports of their own; `make_as_new` starts them.

    Attributes:
        folder: Of all their files.
        base_port: Of the first; the others follow.
        keys: The folder of the keys whose tokens they accept.
        silos: The folder of their silos.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.base_port = free_base_port()
        self.keys = folder / "keys"
        self.silos = folder / "silos"
        self._logs = folder / "logs"
        keys = KeyFolder(self.keys)
        keys.prepare()
        self._protection = Protection(keys)
        self._members = [
            Member(clinic, f"127.0.0.1:{self.base_port + place}", self.silos / clinic)
            for place, clinic in enumerate(SPECIALTIES)
        ]
        self._running: dict[str, ClinicProcess] = {}
        self._agendas: dict[str, int] = {}
        # In a session of its own: what kills the tests must not kill it.
        self._watch = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _WATCH],
            stdin=subprocess.PIPE,
            text=True,
            bufsize=1,
            start_new_session=True,
        )

    def make_as_new(self) -> None:
        """Start the clinics that do not run, and start anew, with an empty agenda, those that a test has changed."""
        missing = [member for member in self._members if not self._is_as_new(member)]
        for member in missing:
            if (old := self._running.pop(member.id, None)) is not None:
                _kill(old)
            shutil.rmtree(member.silo, ignore_errors=True)
            self._running[member.id] = ClinicProcess.start(
                member, Calendar("blueprint", NOW), self._logs, self._protection
            )
            print(self._running[member.id].popen.pid, file=self._watch.stdin)
        deadline = time.monotonic() + _DEADLINE_S
        for member in missing:
            while (holder := find_holder(member.silo)) is None or not holder.address:
                self._running[member.id].check(deadline)
                time.sleep(_POLL_S)
            self._agendas[member.id] = _version(member)

    def close(self) -> None:
        """End all."""
        for process in self._running.values():
            _kill(process)
        self._watch.communicate(timeout=_DEADLINE_S)

    def _is_as_new(self, member: Member) -> bool:
        process = self._running.get(member.id)
        return (
            process is not None
            and not process.has_ended
            and Path(f"/proc/{process.popen.pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] in _CLINIC_RUNS
            and _version(member) == self._agendas[member.id]
        )


def _version(member: Member) -> int:
    return (member.silo / "db.json").stat().st_mtime_ns


def _kill(process: ClinicProcess) -> None:
    if not process.has_ended:
        process.popen.kill()
    process.popen.wait(_DEADLINE_S)
