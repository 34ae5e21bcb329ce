"""The HTTP of a scripted model server: paths, streams, broken connections, and every byte that arrives.

What is replied is its witness's to say.
"""

from __future__ import annotations

import io
import json
import re
import select
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import urlsplit

from tests.support.chat_replies import Answer, Body, Drip, Fault, Garbage, HangUp, Reply, Silence, chunks, completion

_PATH = re.compile(r"/v1/chat/completions|/openai/deployments/(?P<deployment>[^/]+)/chat/completions")
_POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class Request:
    """A request that arrived.

    Attributes:
        path: Path and query.
        headers: Headers by their names in lower case.
        body: The JSON.
        deployment: The deployment of the Azure path; None on the other.
    """

    path: str
    headers: Mapping[str, str]
    body: Body
    deployment: str | None


class Witness(Protocol):
    """Who is told of what arrives, and says what is replied; called by the threads of the connections."""

    def keep(self, received: bytes) -> None:
        """Keep bytes that arrived."""
        ...

    def reply_to(self, request: Request) -> Reply:
        """Return the reply to a request."""
        ...

    def client_connected(self) -> None:
        """Take note of a new connection."""
        ...

    def client_hung_up(self) -> None:
        """Take note that a client closed the connection while it was waiting for an answer."""
        ...


class ChatHttpServer(ThreadingHTTPServer):
    daemon_threads = False  # closing waits for them, so that nothing outlives a test

    def __init__(self, witness: Witness) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.witness = witness
        self.is_closing = threading.Event()
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()

    def adopt(self, connection: socket.socket) -> None:
        self.witness.client_connected()
        with self._lock:
            self._connections.add(connection)
            if self.is_closing.is_set():
                _shut(connection)

    def release(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.discard(connection)

    def hang_up(self) -> None:
        with self._lock:
            self.is_closing.set()
            for connection in self._connections:
                _shut(connection)


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):  # the client was quicker
        connection.shutdown(socket.SHUT_RDWR)


class _Tap(io.RawIOBase):
    """A socket's bytes on their way to the parser, kept as they come."""

    def __init__(self, connection: socket.socket, keep: Callable[[bytes], None]) -> None:
        self._connection = connection
        self._keep = keep

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._connection.recv_into(buffer)
        self._keep(bytes(memoryview(buffer)[:count]))
        return count


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ChatHttpServer

    def setup(self) -> None:
        super().setup()
        self.server.adopt(self.connection)
        self.rfile.close()
        self.rfile = io.BufferedReader(_Tap(self.connection, self.server.witness.keep))

    def finish(self) -> None:
        self.server.release(self.connection)
        with suppress(OSError):  # the client is gone before the answer is flushed
            super().finish()

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the overridden method
        """Say nothing."""

    def do_POST(self) -> None:
        target = _PATH.fullmatch(urlsplit(self.path).path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if target is None:
            self._send_whole(404, b'{"error": {"message": "no such path"}}', "application/json", {})
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.witness.reply_to(Request(self.path, headers, body, target["deployment"]))
        try:
            self._reply(reply, body)
        except ConnectionError:  # the client was quicker than what it was to wait for
            self._note_hanging_up()
            raise

    def _reply(self, reply: Reply, body: Body) -> None:
        match reply:
            case str(text):
                self._answer(Answer(text), body)
            case Answer() as answer:
                self._answer(answer, body)
            case Fault() as fault:
                content = fault.body if fault.body is not None else json.dumps({"error": fault.error}).encode()
                self._send_whole(fault.status, content, "application/json", fault.headers, breaks_off=fault.breaks_off)
            case Garbage() as garbage:
                self._send_whole(200, garbage.body, garbage.content_type, {"Content-Encoding": garbage.encoding})
            case Silence():
                self._hold(threading.Event())
            case Drip():
                self._drip()
            case HangUp():
                self.close_connection = True

    def _answer(self, answer: Answer, body: Body) -> None:
        if body.get("stream") and not answer.ignores_stream:
            self._stream(answer, with_usage=bool(body.get("stream_options", {}).get("include_usage")))
            return
        whole = json.dumps(completion(answer)).encode()
        if answer.held_until is not None and not self._hold(answer.held_until):
            return
        self._send_whole(200, whole, "application/json", {}, breaks_off=answer.breaks_off)

    def _stream(self, answer: Answer, *, with_usage: bool) -> None:
        self._begin_stream()
        events = [*answer.extra, *chunks(answer, with_usage=with_usage)]
        if answer.breaks_off:
            del events[len(events) // 2 :]
        for place, event in enumerate(events, start=1):
            if place == len(events) and answer.held_until is not None and not self._hold(answer.held_until):
                return
            self._send_event(event)
        if answer.breaks_off:
            self.close_connection = True
            return
        self._send_chunk(b"data: [DONE]\n\n")
        self._send_chunk(b"")

    def _drip(self) -> None:
        self._begin_stream()
        role, word, *_ = chunks(Answer("a"), with_usage=False)
        self._send_event(role)
        while not self._has_hung_up():
            self._send_event(word)

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _send_event(self, event: Body) -> None:
        self._send_chunk(f"data: {json.dumps(event)}\n\n".encode())

    def _send_chunk(self, content: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(content), content))

    def _send_whole(
        self, status: int, content: bytes, content_type: str, headers: Mapping[str, str], *, breaks_off: bool = False
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if breaks_off else content)
        self.close_connection |= breaks_off

    def _hold(self, until: threading.Event) -> bool:
        """Wait for an event and return True; False when the client hung up, or the test ended, before it was set."""
        while not until.is_set():
            if self._has_hung_up():
                return False
        return True

    def _has_hung_up(self) -> bool:
        """Return after a moment whether the client, or the test, closed the connection.

        A client sends nothing while it waits for an answer: what can be read then is the end.
        """
        if not select.select([self.connection], [], [], _POLL_S)[0]:
            return False
        self.close_connection = True
        self._note_hanging_up()
        return True

    def _note_hanging_up(self) -> None:
        if not self.server.is_closing.is_set():
            self.server.witness.client_hung_up()
