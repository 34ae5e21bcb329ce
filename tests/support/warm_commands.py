"""The command `clinic-mesh` as real processes whose modules are loaded when they begin: a tenth of what others cost.

`python -m tests.support.warm_commands FD` loads them once, and forks for each request that comes over that socket;
`WarmCommands` is the other end. What a process does before its modules are loaded is tested with cold ones.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import gc
import importlib
import io
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

from mesh.clock import clock_at
from orchestrator.cli import main
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import Identity, Session
from tests.support.patience import sitecustomize
from tests.support.repository_clinics import CLINICS

_ROOT = Path(__file__).parents[2]
_LARGEST, _PIPE_HOLDS = 1 << 17, 1 << 16
_FORKED_BY = "tests.support.warm_commands"
_LOADED = ("orchestrator.cli", "orchestrator.composition", "orchestrator.terminal", "orchestrator.memory.sqlite_store")
"""Modules, and those of packages, that are loaded beforehand with whatever they load; not the research desk's graph."""
NOW = "2025-07-15T08:00-03:00"
_SAID = ("quero uma consulta com cardiologista amanhã de manhã", "I want to see a doctor tomorrow", "prefiro de manhã")
"""Utterances that are planned beforehand: word lists and patterns are made at their first use."""


@dataclass(frozen=True)
class Start:
    """How a command begins: its arguments, its environment, its folder, and whether its streams are a terminal."""

    arguments: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    is_in_terminal: bool = False


class WarmProcess:
    """A command that was started; `pid` is its process."""

    def __init__(self, reports: socket.socket) -> None:
        self._reports = reports
        self._code: int | None = None
        self.pid = int(reports.recv(64))

    def wait(self, timeout_s: float) -> int:
        """Return how it ended, as subprocess does; raise TimeoutExpired where it has not after so many seconds."""
        if self._code is None:
            if not select.select([self._reports], [], [], timeout_s)[0]:
                raise subprocess.TimeoutExpired("clinic-mesh", timeout_s)
            self._code = int(self._reports.recv(64))
            self._reports.close()
        return self._code

    def kill(self, timeout_s: float) -> None:
        """Kill it where it still runs, and wait for its end."""
        if self._code is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self.wait(timeout_s)


class WarmCommands:
    """The process that starts warm commands; it ends with this one."""

    def __init__(self) -> None:
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._sending = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", _FORKED_BY, str(theirs.fileno())],
                cwd=_ROOT,
                env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "GRPC_ENABLE_FORK_SUPPORT": "false"},
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        atexit.register(self._close)

    def start(self, start: Start, streams: Sequence[int]) -> WarmProcess:
        """Start a command with descriptors for its three streams."""
        named = [list(start.arguments), dict(start.environment), str(start.folder), start.is_in_terminal]
        reports, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, self._sending:
            socket.send_fds(self._requests, [json.dumps(named).encode()], [*streams, theirs.fileno()])
        return WarmProcess(reports)

    def _close(self) -> None:
        self._requests.close()
        self._process.wait()


@cache
def warm_commands() -> WarmCommands:
    """Return the warm commands of this process."""
    return WarmCommands()


def run_warm(start: Start, lines: str, timeout_s: float) -> subprocess.CompletedProcess[str]:
    """Run a command with these lines on standard input, and return how it ended and what it wrote."""
    ours_in, theirs_in = os.pipe()[::-1]
    out, theirs_out = os.pipe()
    errors, theirs_errors = os.pipe()
    process = warm_commands().start(start, (theirs_in, theirs_out, theirs_errors))
    for descriptor in (theirs_in, theirs_out, theirs_errors):
        os.close(descriptor)
    until = time.monotonic() + timeout_s
    try:
        _write_all(ours_in, lines.encode())
        written = _read_all((out, errors), until)
        code = process.wait(max(0.0, until - time.monotonic()))
    finally:
        process.kill(timeout_s)
        os.close(out)
        os.close(errors)
    return subprocess.CompletedProcess(["clinic-mesh", *start.arguments], code, *written)


def _write_all(descriptor: int, content: bytes) -> None:
    assert len(content) < _PIPE_HOLDS, "start this command cold"
    with contextlib.suppress(BrokenPipeError):
        os.write(descriptor, content)
    os.close(descriptor)


def _read_all(descriptors: Sequence[int], until: float) -> list[str]:
    written = dict.fromkeys(descriptors, b"")
    unread = set(descriptors)
    while unread:
        ready = select.select(unread, [], [], max(0.0, until - time.monotonic()))[0]
        if not ready:
            raise subprocess.TimeoutExpired("clinic-mesh", 0)
        for descriptor in ready:
            content = os.read(descriptor, 1 << 16)
            written[descriptor] += content
            if not content:
                unread.discard(descriptor)
    return [written[descriptor].decode().replace("\r\n", "\n") for descriptor in descriptors]


def _load() -> None:
    for name in _LOADED:
        for module in pkgutil.iter_modules(getattr(importlib.import_module(name), "__path__", ()), f"{name}."):
            if not module.name.endswith(".__main__"):
                importlib.import_module(module.name)
    planner, speaker = OfflinePlanner(), Identity.of("Carlos Teste", "123.456.789-00")

    for utterance in _SAID:
        planner.plan(utterance, Session(speaker), CLINICS, clock_at(NOW)())
    # What is not copied when a fork collects garbage is shared.
    gc.collect()
    gc.freeze()


def _serve(requests: socket.socket) -> None:
    """Fork for each request; return in a forked process, and when nobody asks any more."""
    running: dict[int, tuple[int, socket.socket]] = {}
    while True:
        ready = select.select([requests.fileno(), *running], [], [])[0]
        for ended in running.keys() & set(ready):
            pid, reports = running.pop(ended)
            os.close(ended)
            _tell(reports, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            reports.close()
        if requests.fileno() not in ready:
            continue
        content, descriptors, _, _ = socket.recv_fds(requests, _LARGEST, 4)
        if not content:
            sys.exit()
        *streams, told = descriptors
        reports = socket.socket(fileno=told)
        if (pid := os.fork()) == 0:
            requests.close()
            reports.close()
            _become(streams, *json.loads(content))
            return
        _tell(reports, pid)
        running[os.pidfd_open(pid)] = pid, reports
        for stream in streams:
            os.close(stream)


def _tell(reports: socket.socket, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):  # nobody waits for it any more
        reports.send(str(number).encode())


def _become(
    streams: Sequence[int], arguments: list[str], environment: dict[str, str], folder: str, is_in_terminal: bool
) -> None:
    """Make this process what a command is when its modules have been loaded."""
    if is_in_terminal:
        os.setsid()
        fcntl.ioctl(streams[0], termios.TIOCSCTTY, 0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    tempfile.tempdir = None
    sys.argv = ["clinic-mesh", *arguments]
    for number, (name, mode) in enumerate((("stdin", "rb"), ("stdout", "wb"), ("stderr", "wb"))):
        errors = "backslashreplace" if name == "stderr" else "surrogateescape"
        binary = os.fdopen(number, mode, closefd=False)
        is_by_line = name == "stderr" or binary.isatty()
        text = io.TextIOWrapper(binary, "utf-8", errors, line_buffering=is_by_line)
        setattr(sys, name, text)
        setattr(sys, f"__{name}__", text)
    sitecustomize.be_patient(float(environment.get(sitecustomize.VARIABLE, sitecustomize.PATIENCE_S)))
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _main() -> NoReturn:
    _load()
    assert threading.active_count() == len([*Path("/proc/self/task").iterdir()]) == 1, "a fork has no other threads"
    _serve(socket.socket(fileno=int(sys.argv[1])))
    sys.exit(main())


if __name__ == "__main__":
    _main()
