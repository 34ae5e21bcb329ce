"""Which process listens on a port of this machine, as far as the kernel tells us.

Only ever used to word an error: where it cannot be found out (another user's process, not Linux), nobody is named.
"""

from __future__ import annotations

from pathlib import Path

_LISTENING = "0A"
_PROC = Path("/proc")


def port_holder(port: int) -> int | None:
    """Returns the id of the process that listens on a TCP port, or None.

    Args:
        port: The port.
    """
    try:
        sockets = {f"socket:[{inode}]" for table in ("tcp", "tcp6") for inode in _inodes(_PROC / "net" / table, port)}
    except OSError:
        return None
    if not sockets:
        return None
    processes = (folder for folder in _PROC.iterdir() if folder.name.isdigit())
    return next((int(folder.name) for folder in processes if _has_open(folder, sockets)), None)


def _inodes(table: Path, port: int) -> list[str]:
    # proc_net_tcp(5): slot, local address:port in hexadecimal, remote, state, ..., inode as the tenth column.
    rows = [line.split() for line in table.read_text("ascii").splitlines()[1:]]
    return [row[9] for row in rows if row[3] == _LISTENING and int(row[1].rpartition(":")[2], 16) == port]


def _has_open(process: Path, sockets: set[str]) -> bool:
    try:
        return any(_target(link) in sockets for link in (process / "fd").iterdir())
    except OSError:  # the process ended meanwhile, or is another user's
        return False


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # the file was closed meanwhile
        return ""
