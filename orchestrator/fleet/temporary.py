"""Run the registry's clinics a second time for one piece of work, on free ports with temporary silos and logs.

They have keys of their own, so that a token says whose appointments are meant.
"""

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mesh.limits import OFF
from orchestrator.agents import Registry
from orchestrator.fleet.clinic_probe import Member
from orchestrator.fleet.process import Calendar, ClinicProcess, end_all
from orchestrator.fleet.silo_holder import LOCK_FILE
from orchestrator.security import KeyFolder, Protection

SILOS = "silos"  # the folder of their silos

_ANY_PORT = "127.0.0.1:0"
_POLL_S = 0.01
_PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True)
class TemporaryFleet:
    """Clinics that run until the work is done."""

    registry: Registry  # the same agents, at the addresses where they run now
    folder: Path  # holds their silos; removed at the end
    protection: Protection  # whose tokens they accept

    def silo(self, clinic: str) -> Path:
        """Return the folder of a clinic's db.json."""
        return self.folder / SILOS / clinic


@contextmanager
def temporary_fleet(
    registry: Registry, *, agenda: str, now: str | None, timeout_s: float = 20.0
) -> Iterator[TemporaryFleet]:
    """Yield fresh clinics that take calls, or raise FleetError; stop them and remove their files at the end."""
    with tempfile.TemporaryDirectory(prefix="clinic-mesh-") as name:
        folder = Path(name)
        keys = KeyFolder(folder / "keys")
        keys.prepare()
        protection = Protection(keys, rate=OFF)
        processes: list[ClinicProcess] = []
        try:
            for clinic in registry:
                member = Member(clinic, _ANY_PORT, folder / SILOS / clinic)
                processes.append(ClinicProcess.start(member, Calendar(agenda, now), folder / "logs", protection))
            deadline = time.monotonic() + timeout_s
            addresses = {process.member.id: _await_address(process, deadline) for process in processes}
            yield TemporaryFleet(registry.with_addresses(addresses), folder, protection)
        finally:
            end_all(processes, _PATIENCE_S)


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
