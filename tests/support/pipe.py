"""A TCP pipe to a server, which is cut or falls silent as it is told to, as by a kill or by a machine that vanishes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_CHUNK = 64 * 1024


class Pipe:
    """One server as its callers see it; made by `open_pipe`.

    Attributes:
        address: Where callers find it.
    """

    def __init__(self, server: str) -> None:
        host, _, port = server.rpartition(":")
        self._server = host, int(port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._is_cut = False
        self._flows = threading.Event()
        self._flows.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections in the middle of what they carry, and take no other, as after a kill."""
        with self._lock:
            self._is_cut = True
            cut, self._open = self._open, []
        for each in cut:
            _break(each)

    def heal(self) -> None:
        """Take connections again."""
        self._is_cut = False

    def hold(self) -> None:
        """Carry nothing any more and break nothing, as when a machine vanishes."""
        self._flows.clear()

    def close(self) -> None:
        """Stop."""
        self._flows.set()
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
                server = socket.create_connection(self._server)
            except OSError:
                return
            with self._lock:
                if not self._is_cut:
                    self._open += [client, server]
                    for source, target in ((client, server), (server, client)):
                        threading.Thread(target=self._carry, args=(source, target), daemon=True).start()
                    continue
            _break(client)
            _break(server)

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while content := source.recv(_CHUNK):
                self._flows.wait()
                target.sendall(content)
        _break(source)
        _break(target)


def _break(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


@contextmanager
def open_pipe(server: str) -> Iterator[Pipe]:
    pipe = Pipe(server)
    try:
        yield pipe
    finally:
        pipe.close()
