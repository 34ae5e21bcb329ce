"""HTTP/2 frames by hand (RFC 9113), because no client library sends what an attacker does."""

from __future__ import annotations

import select
import socket
import struct
from collections.abc import Iterable
from typing import Self

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _GOAWAY, _WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
_END_STREAM = _ACK = 1
_END_HEADERS = 4
_INITIAL_WINDOW_SIZE = 4
_CANCEL = 8
_WIDE_WINDOW = 2**30

Metadata = Iterable[tuple[str, str]]


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return a frame."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def header_block(path: str, metadata: Metadata = ()) -> bytes:
    """Return the headers of a gRPC call, each a literal that is not indexed (RFC 7541)."""
    headers = (
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "siege"),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
        *metadata,
    )
    return b"".join(b"\x00" + _text(name) + _text(value) for name, value in headers)


def message(content: bytes) -> bytes:
    """Return a message with gRPC's five bytes before it."""
    return b"\x00" + struct.pack(">I", len(content)) + content


def _text(text: str) -> bytes:
    content = text.encode()
    length, size = len(content), bytearray()
    if length < 127:
        return bytes([length]) + content
    length -= 127
    while length >= 128:
        size.append(length % 128 + 128)
        length //= 128
    return b"\x7f" + bytes(size) + bytes([length]) + content


class Connection:
    """A connection that sends what it is told to; a context manager that hangs up."""

    def __init__(self, address: str, window: int = _WIDE_WINDOW) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), 10)
        self._unread = b""
        self._next_stream = 1
        self.open: set[int] = set()
        self.answers = 0
        self.is_over = False
        settings = struct.pack(">HI", _INITIAL_WINDOW_SIZE, window)
        self._send(_PREFACE + frame(_SETTINGS, 0, 0, settings))
        if window:
            self._send(frame(_WINDOW_UPDATE, 0, 0, struct.pack(">I", _WIDE_WINDOW)))

    def begin(self, block: bytes, count: int = 1) -> list[int]:
        """Open calls with their headers alone, and return their streams."""
        streams = [self._next_stream + 2 * number for number in range(count)]
        self._next_stream += 2 * count
        self._send(b"".join(frame(_HEADERS, _END_HEADERS, stream, block) for stream in streams))
        self.open.update(streams)
        return streams

    def say(self, stream: int, content: bytes, *, is_last: bool = False) -> None:
        """Send a part of a call's messages."""
        self._send(frame(_DATA, _END_STREAM if is_last else 0, stream, content))

    def reset(self, streams: Iterable[int]) -> None:
        """Give calls up."""
        streams = list(streams)
        self._send(b"".join(frame(_RST_STREAM, 0, stream, struct.pack(">I", _CANCEL)) for stream in streams))
        self.open.difference_update(streams)

    def ping(self, count: int = 1) -> None:
        """Send pings."""
        self._send(frame(_PING, 0, 0, b"siege...") * count)

    def listen(self, seconds: float = 0.0) -> int:
        """Read what has come, wait that long for the first byte, and return how many calls the server ended."""
        ended = 0
        while not self.is_over and select.select([self._socket], [], [], seconds)[0]:
            seconds = 0.0
            try:
                content = self._socket.recv(1 << 18)
            except OSError:
                content = b""
            if not content:
                self.is_over = True
                break
            ended += self._read(content)
        return ended

    def _read(self, content: bytes) -> int:
        content = self._unread + content
        ended = at = 0
        while len(content) >= at + 9:
            length = int.from_bytes(content[at : at + 3], "big")
            if len(content) < at + 9 + length:
                break
            kind, flags, stream = struct.unpack(">BBI", content[at + 3 : at + 9])
            ended += self._take(kind, flags, stream & 0x7FFFFFFF, content[at + 9 : at + 9 + length])
            at += 9 + length
        self._unread = content[at:]
        return ended

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> int:
        if kind == _SETTINGS and not flags & _ACK:
            self._send(frame(_SETTINGS, _ACK, 0))
        elif kind == _PING and not flags & _ACK:
            self._send(frame(_PING, _ACK, 0, payload))
        elif kind == _GOAWAY:
            self.is_over = True
        elif kind == _DATA:
            self.answers += 1
        elif stream in self.open and (kind == _RST_STREAM or (kind == _HEADERS and flags & _END_STREAM)):
            self.open.discard(stream)
            return 1
        return 0

    def _send(self, content: bytes) -> None:
        try:
            self._socket.sendall(content)
        except OSError:
            self.is_over = True

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
