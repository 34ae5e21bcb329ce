"""A clinic in a process of its own, to be ended one way or another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile

from orchestrator.security.token_keys import Protection
from tests.torture.silo import CLINIC, NOW, store_of
from tests.torture.writer import TIMEOUT_S, BrokenPromiseError


class ClinicProcess:
    """A clinic's process; at its end it is killed if it still runs.

    Args:
        silo: The folder of its db.json.
        listen: Where it listens; port 0 takes a free one.
        keys: The folder of the keys whose tokens it accepts. None: it answers anybody.
        rate: How often one caller may call. None: what is its default.
        protection: Says the same of keys and rate, and its certificate. None: it speaks in the clear.
    """

    def __init__(
        self,
        silo: Path,
        listen: str = "127.0.0.1:0",
        keys: Path | None = None,
        rate: str | None = "off",
        protection: Protection | None = None,
    ) -> None:
        command = [sys.executable, "-m", "clinics", CLINIC, "--listen", listen, "--silo", str(silo)]
        command += ["--agenda", "blueprint", "--now", NOW]
        if protection is not None:
            command += protection.clinic_arguments(CLINIC)
        else:
            command += ["--no-auth"] if keys is None else ["--keys", str(keys)]
            command += [] if rate is None else ["--rate", rate]
        store = store_of(silo)
        command += [] if store is None else ["--store", store]
        self._log = TemporaryFile()  # noqa: SIM115 - ends with the process; a pipe would be full after many faults
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._log, text=True)

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def memory_mib(self) -> float:
        """Return the memory that is its own alone, and its share of the rest; 0 where the system does not say."""
        file = Path(f"/proc/{self.pid}/smaps_rollup")  # Linux only
        if not os.access(file, os.R_OK):
            return 0.0
        line = next(line for line in file.read_text("ascii").splitlines() if line.startswith("Pss:"))
        return int(line.split()[1]) / 1024

    def address(self) -> str:
        """Wait until it listens and return where.

        Raises:
            BrokenPromiseError: It did not come up on what the last kill left.
        """
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if " listening on " not in line:
            raise BrokenPromiseError(f"no restart: {self.refusal()}")
        return line.split()[-1]

    def refusal(self) -> str:
        """Return what it says when it ends without listening."""
        self._process.communicate(timeout=TIMEOUT_S)
        return self.log()

    def log(self) -> str:
        """Return what it has logged."""
        log = self._log.fileno()
        return os.pread(log, os.fstat(log).st_size, 0).decode()  # its place in the file is the process's, too

    def kill_after(self, life_s: float) -> None:
        """Send SIGKILL once it has lived that long."""
        try:
            self._process.wait(life_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._process.communicate(timeout=TIMEOUT_S)

    def end(self) -> int:
        """Send SIGTERM, wait, and return its exit status."""
        self._process.terminate()
        self._process.communicate(timeout=TIMEOUT_S)
        return self._process.returncode

    def __enter__(self) -> ClinicProcess:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate(timeout=TIMEOUT_S)
        self._log.close()
        if self._process.stdout is not None:  # open still where it ended by itself
            self._process.stdout.close()
