"""A real HTTP server that speaks Voyage AI's embeddings API, and does what a test says.

    with voyage_server(good_answer) as server:
        ... server.base_url, server.bodies, server.keys

Its replies are a function of a request's body; `Hold` keeps a client waiting until the test ends.
"""

from __future__ import annotations

import base64
import json
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from orchestrator.memory.memory_store import DIMENSIONS

Body = dict[str, Any]
"""A request or an answer, as JSON holds it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and the bytes of a body."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Hold:
    """No answer while the test runs."""


Script = Callable[[Body], Answer | Hold]


def numbers_for(text: str) -> Sequence[float]:
    """Return the vector that the server gives a text: its length and its number of vowels, not of length 1."""
    return [float(len(text)), float(sum(text.count(vowel) for vowel in "aeiou")), *[0.0] * (DIMENSIONS - 2)]


def good_answer(body: Body) -> Answer:
    """Return what the API answers, in the encoding that was asked for."""
    return answer_of([numbers_for(text) for text in body["input"]], body)


def answer_of(vectors: Sequence[Sequence[float]], body: Mapping[str, Any]) -> Answer:
    """Return an answer with these vectors."""
    in_base64 = body.get("encoding_format") == "base64"
    data = [
        {
            "object": "embedding",
            "embedding": base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode() if in_base64 else vector,
            "index": index,
        }
        for index, vector in enumerate(vectors)
    ]
    whole = {"object": "list", "data": data, "model": body["model"], "usage": {"total_tokens": 7}}
    return Answer(200, json.dumps(whole).encode())


class VoyageServer:
    """A running server; made by `voyage_server`.

    Attributes:
        bodies: The requests so far.
        keys: The Authorization headers so far.
        script: What is replied.
    """

    def __init__(self, script: Script) -> None:
        self.bodies: list[Body] = []
        self.keys: list[str] = []
        self.script = script
        self.is_closing = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the overridden method
                """Say nothing."""

            def do_POST(self) -> None:
                with suppress(ConnectionError):  # the client gave up
                    server._reply(self)

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = False  # closing waits for them, so that nothing outlives a test
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), name="voyage-server")
        self._thread.start()

    @property
    def base_url(self) -> str:
        """What the client is told."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def _reply(self, connection: BaseHTTPRequestHandler) -> None:
        body: Body = json.loads(connection.rfile.read(int(connection.headers["Content-Length"])))
        self.bodies.append(body)
        self.keys.append(connection.headers["Authorization"])
        reply = self.script(body) if connection.path == "/v1/embeddings" else Answer(404, b"{}")
        if isinstance(reply, Hold):
            self.is_closing.wait()
            return
        connection.send_response(reply.status)
        connection.send_header("Content-Type", "application/json")
        connection.send_header("Content-Length", str(len(reply.body)))
        connection.end_headers()
        connection.wfile.write(reply.body)

    def close(self) -> None:
        """End all threads."""
        self.is_closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@contextmanager
def voyage_server(script: Script = good_answer) -> Iterator[VoyageServer]:
    """Yield a server on a free port of 127.0.0.1."""
    server = VoyageServer(script)
    try:
        yield server
    finally:
        server.close()
