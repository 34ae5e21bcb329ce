"""Which process listens on a port of this machine, as far as the kernel says; used to word an error."""

import os
from contextlib import suppress
from dataclasses import dataclass
from glob import iglob
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
    for link in iglob(f"{_PROC}/[0-9]*/fd/*"):  # noqa: PTH207 - unlike Path.glob it passes over processes that end
        with suppress(OSError):  # the file was closed meanwhile
            if os.readlink(link) in links:  # noqa: PTH115 - a Path for each file of the machine costs more
                process = Path(link).parents[1]
                program = ""
                with suppress(OSError):  # the process ended meanwhile
                    # comm, not cmdline: a command line may hold what is nobody's business.
                    program = (process / "comm").read_text("utf-8", "replace").strip()
                return PortHolder(int(process.name), program)
    return PortHolder(is_another_users=os.geteuid() not in owners.values())


def _sockets(table: Path, port: int) -> list[tuple[str, int]]:
    # proc_net_tcp(5): slot, local address:port in hexadecimal, remote, state, ..., user (eighth), ..., inode (tenth).
    rows = [line.split() for line in table.read_text("ascii").splitlines()[1:]]
    listening = (row for row in rows if row[3] == _LISTENING)
    return [(row[9], int(row[7])) for row in listening if int(row[1].rpartition(":")[2], 16) == port]
