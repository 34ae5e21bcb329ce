"""Servers as processes of their own, on free ports, with data in a folder that goes away.

A server says where it is as a clinic does: a line that ends with "listening on HOST:PORT".
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[1]
NOW = "2025-07-15T08:00-03:00"
"""The instant at which the clinics' clock stands still."""

_PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs.

    Attributes:
        address: Host and port.
        pid: Its process.
    """

    address: str
    pid: int
    _popen: subprocess.Popen[str] = field(repr=False)

    def stop(self) -> None:
        """End it, orderly if it can."""
        self._popen.terminate()
        try:
            self._popen.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        _close(self._popen.stdout)


@contextmanager
def running(module: str, *arguments: str, tree: Path = ROOT) -> Iterator[Server]:
    """Yield a server and end it.

    Args:
        module: What `python -m` runs.
        *arguments: Its command line.
        tree: Where its modules are.
    """
    server = start(module, arguments, tree)
    try:
        yield server
    finally:
        server.stop()


def start(module: str, arguments: Sequence[str], tree: Path = ROOT) -> Server:
    """Start a server and return when it listens.

    Args:
        module: What `python -m` runs.
        arguments: Its command line.
        tree: Where its modules are.

    Raises:
        RuntimeError: It ended instead.
    """
    environment = {**kept_environment(), "PYTHONPATH": str(tree), "PYTHONSAFEPATH": "1"}
    popen = subprocess.Popen(
        [sys.executable, "-m", module, *arguments], stdout=subprocess.PIPE, text=True, env=environment, cwd=tree
    )
    line = popen.stdout.readline() if popen.stdout else ""
    if " listening on " not in line:
        popen.kill()
        popen.wait()
        raise RuntimeError(f"{module} did not start")
    return Server(line.split()[-1], popen.pid, popen)


def kept_environment() -> dict[str, str]:
    """Return the variables of this process, but the one that would make every start compile the modules anew."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield a folder that goes away with all that was written into it."""
    with tempfile.TemporaryDirectory(prefix="clinic-mesh-bench-") as name:
        yield Path(name)


def _close(stream: IO[str] | None) -> None:
    if stream is not None:
        stream.close()
