"""Who listens on a port: the process where it may be known, else as much as may."""

import os
import socket
from pathlib import Path

import pytest

from mesh import port_holder as module
from mesh.port_holder import PortHolder, port_holder

HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"


def proc(folder: Path, user: int, *, port: int = 8003) -> Path:
    """Return a /proc in which a user's socket listens on a port, and no process shows that it holds it."""
    (folder / "net").mkdir()
    row = f"   0: 0100007F:{port:04X} 00000000:0000 0A 00000000:00000000 00:00000000 00000000 {user:5} 0 424242 1\n"
    (folder / "net" / "tcp").write_text(HEADER + row, "ascii")
    (folder / "net" / "tcp6").write_text(HEADER, "ascii")
    (folder / "17" / "fd").mkdir(parents=True)
    return folder


def test_a_process_of_ours_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        program = Path("/proc/self/comm").read_text("utf-8").strip()
        assert port_holder(held.getsockname()[1]) == PortHolder(os.getpid(), program)


def test_a_socket_that_does_not_listen_holds_nothing() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        assert port_holder(bound.getsockname()[1]) is None


@pytest.mark.parametrize(("owner", "is_another_users"), [(0, True), (1, False)])
def test_a_process_that_may_not_be_looked_into_is_known_by_its_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: int, is_another_users: bool
) -> None:
    user = os.geteuid() if owner else os.geteuid() + 1
    monkeypatch.setattr(module, "_PROC", proc(tmp_path, user))
    assert port_holder(8003) == PortHolder(is_another_users=is_another_users)
    assert port_holder(8004) is None


def test_where_the_kernel_says_nothing_nobody_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PROC", tmp_path / "none")
    assert port_holder(8003) is None
