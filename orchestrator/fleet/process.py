"""One clinic as a child process: its environment, its log file, its end, and the error that says what is wrong.

Any process that holds a silo is found by its lock file. The lock is the kernel's (flock) and ends with its process, so
a held lock proves that the holder is alive.
"""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from mesh import private_file
from mesh.telemetry import telemetry_environment
from orchestrator.fleet.clinic_probe import Member
from orchestrator.security import Protection
from orchestrator.texts import texts_in
from orchestrator.turn import Language

_PACKAGES = Path(__file__).parents[2]
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_INHERITED = ("LD_LIBRARY_PATH", "TMPDIR")
_FOR_A_STORE = ("PGPASSFILE", "PGPASSWORD", "PGSERVICEFILE")  # where libpq finds a password

LOCK_FILE = "clinic.lock"
_POLL_S = 0.02


class FleetError(Exception):
    """The fleet cannot be had as it was asked for; a `trouble` has a text, whose placeholders `facts` fill."""

    def __init__(self, trouble: str, **facts: object) -> None:
        super().__init__(texts_in(Language.EN).text(f"fleet.trouble.{trouble}", **facts))
        self._trouble = trouble
        self._facts = facts

    def told(self, language: Language) -> str:
        """Return which clinic, what is wrong and what to do, for a person; `str` is that in English."""
        return texts_in(language).text(f"fleet.trouble.{self._trouble}", **self._facts)


def clinic_environment(*, telemetry: bool = False, has_store: bool = False) -> dict[str, str]:
    """Return a clinic's environment, without key, name or CPF; only what it uses of the exporter and of libpq."""
    names = (*_INHERITED, *_FOR_A_STORE) if has_store else _INHERITED
    inherited = {name: os.environ[name] for name in names if name in os.environ}
    if telemetry:
        inherited |= telemetry_environment()
    return {**inherited, "PYTHONPATH": str(_PACKAGES), "PYTHONSAFEPATH": "1", "PYTHONUTF8": "1"}


@dataclass(frozen=True, slots=True)
class Calendar:
    """Which calendar a clinic must hold."""

    agenda: str  # "rolling" or "blueprint"
    now: str | None  # the instant at which the clinic's clock stands still; None: real time
    today: str = ""  # the date at that instant, YYYY-MM-DD; empty where none is checked


def clinic_command(member: Member, calendar: Calendar, protection: Protection, *, telemetry: bool = False) -> list[str]:
    """Return the command line that runs a clinic."""
    command = [sys.executable, "-m", "clinics", member.id]
    command += ["--listen", member.address, "--silo", str(member.silo), "--agenda", calendar.agenda]
    command += protection.clinic_arguments(member.id)
    command += ["--telemetry"] if telemetry else []
    command += [] if member.clinics is None else ["--clinics", str(member.clinics)]
    command += [] if member.store is None else ["--store", member.store]
    return command if calendar.now is None else [*command, "--now", calendar.now]


def store_command(action: str, member: Member) -> list[str]:
    """Return the command line that moves a clinic's agenda to its PostgreSQL server or back, or looks at it there."""
    command = [sys.executable, "-m", "clinics.transfer", action, member.id, "--silo", str(member.silo)]
    command += [] if member.clinics is None else ["--clinics", str(member.clinics)]
    return command if member.store is None else [*command, "--store", member.store]


def log_file(log_dir: Path, clinic: str) -> Path:
    """Return the log file of a clinic's output."""
    return log_dir / f"{clinic}.log"


@dataclass(slots=True)
class ClinicProcess:
    """A clinic that this process started."""

    member: Member
    log: Path  # its log file, which may begin with the output of earlier runs
    popen: subprocess.Popen[bytes] = field(repr=False)
    _log_start: int = field(repr=False)

    @classmethod
    def start(
        cls, member: Member, calendar: Calendar, log_dir: Path, protection: Protection, *, telemetry: bool = False
    ) -> "ClinicProcess":
        """Start a clinic in its own session, out of reach of Ctrl-C, with its log in `log_dir`; or raise FleetError."""
        log = log_file(log_dir, member.id)
        try:
            private_file.make_folder(log_dir)
            output = private_file.open_private(log, os.O_WRONLY | os.O_APPEND)
        except OSError as error:
            raise FleetError("log", log=log, reason=error.strerror) from error
        try:
            popen = subprocess.Popen(
                [*clinic_command(member, calendar, protection, telemetry=telemetry), "--log", str(log)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=clinic_environment(telemetry=telemetry, has_store=member.store is not None),
                cwd="/",
                start_new_session=True,
            )
            return cls(member, log, popen, os.fstat(output).st_size)
        except OSError as error:
            raise FleetError("not_started", clinic=member.id, reason=error.strerror) from error
        finally:
            os.close(output)

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return self.popen.poll() is not None

    def check(self, deadline: float) -> None:
        """Raise FleetError if it has ended, or takes no calls yet at the deadline, in seconds of `time.monotonic`."""
        if self.has_ended:
            with self.log.open("rb") as output:
                output.seek(self._log_start)
                lines = output.read().decode("utf-8", "replace").split("\n")
            said = [line.strip() for line in lines if line.strip()]
            words = said[-1] if said else f"it ended with status {self.popen.returncode} and said nothing"
            raise FleetError("ended", clinic=self.member.id, words=words)
        if time.monotonic() > deadline:
            raise FleetError("silent", clinic=self.member.id, address=self.member.address, log=self.log)


def end_all(processes: Sequence[ClinicProcess], timeout_s: float) -> None:
    """Ask processes to finish their work; those that have not ended after `timeout_s` seconds in all are killed."""
    deadline = time.monotonic() + timeout_s
    for process in processes:
        process.popen.terminate()
    for process in processes:
        try:
            process.popen.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.popen.kill()
            process.popen.wait()


@contextmanager
def held_signals() -> Iterator[None]:
    """Delay SIGINT, SIGTERM and SIGHUP until the block is done; then raise the first that came."""
    came: list[int] = []  # a child process would inherit a mask that blocks them
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a silo."""

    lock: Path
    pid: int
    address: str  # where it listens, as host:port; empty while it starts
    agenda: str  # "rolling" or "blueprint"
    clinic: str
    since: datetime  # when it began to listen, or to start if it does not listen yet; UTC


def find_holder(silo: Path) -> Holder | None:
    """Return the holder of a silo; None if there is none, or its lock file cannot be read yet."""
    lock = silo / LOCK_FILE
    if not is_held(lock):
        return None
    try:
        facts = json.loads(lock.read_bytes())
        # A clinic writes the file when it takes the silo and when it starts to listen, never after.
        since = datetime.fromtimestamp(lock.stat().st_mtime, UTC)
        return Holder(lock, int(facts["pid"]), str(facts["address"]), str(facts["agenda"]), str(facts["clinic"]), since)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def find_holders(data_dir: Path) -> list[Holder]:
    """Return the holders of all silos under a data folder (`<agenda>/<clinic>`)."""
    silos = sorted(lock.parent for lock in data_dir.glob(f"*/*/{LOCK_FILE}"))
    return [holder for silo in silos if (holder := find_holder(silo)) is not None]


def is_held(lock: Path) -> bool:
    """Return whether a process holds a lock file."""
    try:
        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return isinstance(error, BlockingIOError)
    return False


def end(holder: Holder, timeout_s: float = 10.0) -> bool:
    """Ask a holder to end, kill it after `timeout_s` seconds, and return whether its lock is free."""
    for request, patience_s in ((signal.SIGTERM, timeout_s), (signal.SIGKILL, 2.0)):
        with contextlib.suppress(ProcessLookupError):
            try:
                os.kill(holder.pid, request)
            except PermissionError:
                return False  # who may not be signalled is left alone
        deadline = time.monotonic() + patience_s
        while (is_alive := is_held(holder.lock)) and time.monotonic() <= deadline:
            time.sleep(_POLL_S)
        if not is_alive:
            return True
    return False
