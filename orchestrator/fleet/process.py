"""One clinic as a child process: its environment, its log file, its end.

Whether it should run at all is not decided here.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from mesh.telemetry import telemetry_environment
from orchestrator.fleet.member import Member
from orchestrator.fleet.trouble import FleetError, Trouble
from orchestrator.security import Protection

_PACKAGES = Path(__file__).parents[2]
_INHERITED = ("LD_LIBRARY_PATH", "TMPDIR")


def clinic_environment(*, telemetry: bool = False) -> dict[str, str]:
    """Return all that a clinic is told by its environment: where its program is, and how to speak.

    No key, no name, no CPF: what a clinic needs is on its command line, which anybody may read.

    Args:
        telemetry: It is told where traces and metrics go, too; those variables may hold a collector's key.
    """
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    if telemetry:
        inherited |= telemetry_environment()
    return {**inherited, "PYTHONPATH": str(_PACKAGES), "PYTHONSAFEPATH": "1", "PYTHONUTF8": "1"}


def clinic_command(
    member: Member, agenda: str, now: str | None, protection: Protection, *, telemetry: bool = False
) -> list[str]:
    """Return the command line that runs a clinic.

    Args:
        member: The clinic.
        agenda: "rolling" or "blueprint".
        now: The instant at which appointments' time stands still; None: real time.
        protection: Whose tokens it accepts, and its certificate.
        telemetry: It sends traces and metrics.
    """
    command = [sys.executable, "-m", "clinics", member.id]
    command += ["--listen", member.address, "--silo", str(member.silo), "--agenda", agenda]
    command += protection.clinic_arguments(member.id)
    command += ["--telemetry"] if telemetry else []
    return command if now is None else [*command, "--now", now]


def log_file(log_dir: Path, clinic: str) -> Path:
    """Return the file that a clinic's output goes to."""
    return log_dir / f"{clinic}.log"


@dataclass(slots=True)
class ClinicProcess:
    """A clinic that this process started.

    Attributes:
        member: The clinic.
        log: Where its output goes; earlier runs' output stands before this one's.
    """

    member: Member
    log: Path
    _popen: subprocess.Popen[bytes] = field(repr=False)
    _log_start: int = field(repr=False)

    @classmethod
    def start(
        cls,
        member: Member,
        *,
        agenda: str,
        now: str | None,
        log_dir: Path,
        protection: Protection,
        telemetry: bool = False,
    ) -> ClinicProcess:
        """Start a clinic in a session of its own, so that Ctrl-C in the terminal does not reach it.

        Args:
            member: The clinic.
            agenda: "rolling" or "blueprint".
            now: The instant at which appointments' time stands still; None: real time.
            log_dir: Where its output goes, as `<id>.log`; made if it is not there.
            protection: Whose tokens it accepts, and its certificate.
            telemetry: It sends traces and metrics.

        Raises:
            FleetError: The log cannot be written, or the process cannot be started.
        """
        log = log_file(log_dir, member.id)
        try:
            log_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise FleetError(Trouble.LOG, log=log, reason=error.strerror) from error
        try:
            popen = subprocess.Popen(
                clinic_command(member, agenda, now, protection, telemetry=telemetry),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=clinic_environment(telemetry=telemetry),
                cwd="/",
                start_new_session=True,
            )
            return cls(member, log, popen, os.fstat(output).st_size)
        except OSError as error:
            raise FleetError(Trouble.NOT_STARTED, clinic=member.id, reason=error.strerror) from error
        finally:
            os.close(output)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._popen.pid

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self.status is not None

    @property
    def status(self) -> int | None:
        """What it ended with, the negative number of a signal among that; None while it runs."""
        return self._popen.poll()

    @property
    def last_words(self) -> str:
        """The last line that this run wrote, or a word on how it ended."""
        with self.log.open("rb") as output:
            output.seek(self._log_start)
            lines = output.read().decode("utf-8", "replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return said[-1] if said else f"it ended with status {self.status} and said nothing"

    def terminate(self) -> None:
        """Ask it to finish what it is doing and end."""
        self._popen.terminate()

    def await_end(self, timeout_s: float) -> None:
        """Wait until it is gone; kill it when that takes longer than `timeout_s` seconds."""
        try:
            self._popen.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
