"""A name server of one name, which answers with the addresses that it is told."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

_HEADER = struct.Struct(">6H")
_ANSWER = struct.Struct(">HHHIH4s")
_POINTER_TO_THE_NAME, _A, _IN, _TTL_S = 0xC00C, 1, 1, 0
_IS_ANSWER = 0x8580  # a response, authoritative, no error (RFC 1035, 4.1.1)


class NameServer:
    """Made by `open_name_server`.

    Attributes:
        address: Where it is, for `dns://ADDRESS/NAME`.
        hosts: The IPv4 addresses of every name that it is asked for.
        asked: How often it was asked for them.
    """

    def __init__(self, hosts: Sequence[str]) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self.hosts = list(hosts)
        self.asked = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                query, client = self._socket.recvfrom(512)
                self._socket.sendto(self._answer(query), client)
            except OSError:
                return

    def _answer(self, query: bytes) -> bytes:
        question = query[_HEADER.size : query.index(b"\0", _HEADER.size) + 5]
        is_ipv4 = struct.unpack(">H", question[-4:-2]) == (_A,)
        hosts = self.hosts if is_ipv4 else []
        self.asked += is_ipv4
        header = _HEADER.pack(int.from_bytes(query[:2], "big"), _IS_ANSWER, 1, len(hosts), 0, 0)
        answers = (_ANSWER.pack(_POINTER_TO_THE_NAME, _A, _IN, _TTL_S, 4, socket.inet_aton(host)) for host in hosts)
        return header + question + b"".join(answers)


@contextmanager
def open_name_server(hosts: Sequence[str]) -> Iterator[NameServer]:
    server = NameServer(hosts)
    try:
        yield server
    finally:
        server.close()
