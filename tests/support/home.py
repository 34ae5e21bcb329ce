"""A person's machine: a data folder, free ports, and the command `clinic-mesh` as a real process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from orchestrator.cli import main
from orchestrator.fleet.process import Holder, find_holder, find_holders
from tests.support.free_ports import free_base_port
from tests.support.shared_clinics import SharedClinics
from tests.support.warm_commands import Start, run_warm

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "orchestrator.cli"]
DEADLINE_S = 60.0


class Home:
    """A person's machine: a data folder, the clinics' ports, and the command's environment.

    Args:
        folder: Of the person.
        clinics: What runs already on the machine. None: nothing, and its ports are free.
    """

    def __init__(self, folder: Path, clinics: SharedClinics | None = None) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.data = folder / "data"
        self._silos = self.data / "blueprint" if clinics is None else clinics.silos
        self._folders = (folder,) if clinics is None else (folder, clinics.folder)
        self.environment: dict[str, str] = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "PYTHONPATH": f"{ROOT / 'tests/support/patience'}:{ROOT}",
            "CLINIC_MESH_DATA_DIR": str(self.data),
            "CLINIC_MESH_AGENDA": "blueprint",
            "CLINIC_MESH_NOW": "2025-07-15T08:00-03:00",
            "CLINIC_MESH_BASE_PORT": str(free_base_port() if clinics is None else clinics.base_port),
        }
        if clinics is not None:
            self.environment["CLINIC_MESH_KEYS_DIR"] = str(clinics.keys)

    def run(
        self, *arguments: str, lines: str = "", environment: Mapping[str, str] | None = None, is_cold: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Run the command without a terminal, in a process of its own, and return how it ended.

        Args:
            is_cold: Whether the process is a new Python, which loads all by itself; one that is not begins sooner.
        """
        start = Start(arguments, {**self.environment, **(environment or {})}, self.folder)
        if not is_cold and not any(name.startswith("PYTHON") for name in environment or ()):
            return run_warm(start, lines, DEADLINE_S)
        return subprocess.run(
            [*COMMAND, *arguments],
            input=lines,
            env=start.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=DEADLINE_S,
            check=False,
        )

    def call(
        self, *arguments: str, lines: str = "", environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the command in this process, for tests of what it says, and return how it ended."""
        streams = [io.TextIOWrapper(io.BytesIO(text), "utf-8", newline="\n") for text in (lines.encode(), b"", b"")]
        signals = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        with pytest.MonkeyPatch.context() as patch, contextlib.chdir(self.folder):
            for name in os.environ:
                patch.delenv(name)
            for name, value in {**self.environment, **(environment or {})}.items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["clinic-mesh", *arguments])
            for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
                patch.setattr(sys, name, stream)
            try:
                code = main()
            except SystemExit as end:
                code = int(end.code or 0)
            finally:
                for number, handler in signals.items():
                    signal.signal(number, handler)
        told = []
        for stream in streams[1:]:
            stream.flush()
            told.append(stream.buffer.getvalue().decode())
        return subprocess.CompletedProcess(["clinic-mesh", *arguments], code, *told)

    def start(self, *arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Start the command with pipes."""
        return subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**self.environment, **(environment or {})},
            cwd=self.folder,
            text=True,
            encoding="utf-8",
        )

    def holder(self, clinic: str) -> Holder:
        """Return the process that is a clinic."""
        holder = find_holder(self._silos / clinic)
        assert holder is not None, f"{clinic} does not run"
        return holder

    @property
    def public_keys(self) -> Path:
        """The folder of the keys whose tokens the clinics accept."""
        return Path(self.environment.get("CLINIC_MESH_KEYS_DIR", self.data / "keys")) / "public"

    @property
    def holders(self) -> list[Holder]:
        """The processes that are the clinics of this machine."""
        return find_holders(self._silos.parent)

    def signal(self, clinic: str, number: signal.Signals) -> None:
        """Send a clinic a signal."""
        os.kill(self.holder(clinic).pid, number)

    def taken(self, clinic: str) -> list[tuple[str, str, str]]:
        """Return who holds which slots of a clinic, from its db.json: date, time, name."""
        slots = json.loads((self._silos / clinic / "db.json").read_text("utf-8"))["slots"]
        return [(slot["date"], slot["time"], slot["patient_name"]) for slot in slots if slot["cpf"]]

    def files(self) -> Iterator[tuple[Path, str]]:
        """Yield all files of the machine but the silos' own, with their text; not all of them hold any."""
        for folder in self._folders:
            for path in folder.rglob("*"):
                if path.is_file() and path.name not in {"db.json", "digest.key", "me.txt"}:
                    yield path, path.read_text("utf-8", errors="replace")

    def close(self) -> None:
        """Kill what is left."""
        for holder in find_holders(self.data):
            os.kill(holder.pid, signal.SIGKILL)
