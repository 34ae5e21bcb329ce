"""Which process listens on a port of this machine, as far as the kernel says; used to word an error."""

import os
from dataclasses import dataclass
from pathlib import Path

_LISTENING = "0A"
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class PortHolder:
    """Who listens on a port."""

    pid: int | None = None  # None where only its owner may know
    program: str = ""
    is_another_users: bool = False


def port_holder(port: int) -> PortHolder | None:
    """Return the process that listens on a TCP port; None where nobody does, or the kernel does not say."""
    try:
        owners = {inode: user for table in ("tcp", "tcp6") for inode, user in _sockets(_PROC / "net" / table, port)}
    except OSError:
        return None
    if not owners:
        return None
    links = {f"socket:[{inode}]" for inode in owners}
    processes = (folder for folder in _PROC.iterdir() if folder.name.isdigit())
    found = next((folder for folder in processes if _has_open(folder, links)), None)
    if found is None:
        return PortHolder(is_another_users=os.geteuid() not in owners.values())
    return PortHolder(int(found.name), _program(found))


def _sockets(table: Path, port: int) -> list[tuple[str, int]]:
    # proc_net_tcp(5): slot, local address:port in hexadecimal, remote, state, ..., user (eighth), ..., inode (tenth).
    rows = [line.split() for line in table.read_text("ascii").splitlines()[1:]]
    return [
        (row[9], int(row[7])) for row in rows if row[3] == _LISTENING and int(row[1].rpartition(":")[2], 16) == port
    ]


def _has_open(process: Path, links: set[str]) -> bool:
    try:
        return any(_target(link) in links for link in (process / "fd").iterdir())
    except OSError:  # the process ended meanwhile, or is another user's
        return False


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # the file was closed meanwhile
        return ""


def _program(process: Path) -> str:
    # comm, not cmdline: a command line may hold what is nobody's business.
    try:
        return (process / "comm").read_text("utf-8", "replace").strip()
    except OSError:  # the process ended meanwhile
        return ""
