"""A real HTTP server that speaks the Chat Completions API, as OpenAI and as Azure, and does what a test says.

    with chat_server(["first answer", Answer(finish_reason="length"), Fault(429)]) as server:
        ... server.base_url, server.azure_endpoint, server.requests, server.received

A script is a sequence of replies, taken in order, or a function from a request's body to a reply; a plain string is the
whole text of a good answer. Every byte that arrives is kept. Leaving the context closes all connections, and fails when
a script was too short or raised: a client that only sees an HTTP 500 would hide it.

It judges nothing that it is sent and checks no credentials; a test reads them in `requests`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.chat_http import ChatHttpServer, Request
from tests.support.chat_replies import Answer, Body, Drip, Fault, Garbage, HangUp, Reply, Script, Silence

__all__ = [
    "Answer",
    "Body",
    "ChatServer",
    "Drip",
    "Fault",
    "Garbage",
    "HangUp",
    "Reply",
    "Request",
    "Script",
    "Silence",
    "chat_server",
]

_DEADLINE_S = 30.0


class ChatServer:
    """A running server; made by `chat_server`.

    Attributes:
        requests: The requests so far, in the order in which they arrived.
        connections: How many connections were made.
        hung_up: Set when a client closes the connection on a `Silence`, a `Drip` or an answer that is held.
    """

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        self.hung_up = threading.Event()
        self._script = script
        self._arrival = threading.Condition()
        self._received: list[bytes] = []
        self._faults: list[BaseException] = []
        self._http = ChatHttpServer(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), name="chat-server")

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def base_url(self) -> str:
        """What an OpenAI client is told."""
        return f"{self.origin}/v1"

    @property
    def azure_endpoint(self) -> str:
        """What an Azure OpenAI client is told."""
        return self.origin

    @property
    def received(self) -> bytes:
        """Every byte that arrived, headers included."""
        return b"".join(self._received)

    @property
    def prompts(self) -> list[str]:
        """The messages of each request, as one text."""
        return ["\n".join(str(message["content"]) for message in request.body["messages"]) for request in self.requests]

    def await_requests(self, count: int) -> None:
        """Wait until this many requests have arrived."""
        with self._arrival:
            assert self._arrival.wait_for(lambda: len(self.requests) >= count, _DEADLINE_S), "no request arrived"

    def keep(self, received: bytes) -> None:
        """Keep bytes that arrived."""
        self._received.append(received)

    def reply_to(self, request: Request) -> Reply:
        """Keep a request and return what the script says to it."""
        with self._arrival:
            place = len(self.requests)
            self.requests.append(request)
            self._arrival.notify_all()
        try:
            return self._script(request.body) if callable(self._script) else self._script[place]
        except Exception as fault:  # noqa: BLE001 - a test's script may raise anything; the test is told at the end
            self._faults.append(fault)
            return Fault(500, {"message": "the script of this test failed"})

    def client_connected(self) -> None:
        """Count a connection."""
        with self._arrival:
            self.connections += 1

    def client_hung_up(self) -> None:
        """Set `hung_up`."""
        self.hung_up.set()

    def start(self) -> None:
        """Serve in a thread."""
        self._thread.start()

    def close(self) -> None:
        """Close all connections and end all threads."""
        self._http.shutdown()
        self._thread.join()
        self._http.hang_up()
        self._http.server_close()

    def check(self) -> None:
        """Raise what the script raised."""
        for fault in self._faults:
            raise AssertionError(f"the script failed at request {len(self.requests)}") from fault


@contextmanager
def chat_server(script: Script) -> Iterator[ChatServer]:
    """Yield a server on a free port of 127.0.0.1 that follows a script."""
    server = ChatServer(script)
    server.start()
    try:
        yield server
    finally:
        server.close()
    server.check()
