"""Several replicas behind one name: all are called, and one that ends, dies or falls silent costs a caller nothing."""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc

from mesh import channel as channels
from mesh import server as nodes
from mesh.caller import Caller
from mesh.channel import open_channel
from mesh.errors import DomainError
from mesh.server import NodePolicies, Server, open_node
from mesh.tls import read_server_tls
from orchestrator.security.certificates import make_certificates
from orchestrator.security.token_keys import TlsFolder
from tests.support.doors import DEADLINE_S, Client, lent, loan, open_client, open_library
from tests.support.library import Library, lend, library_reasons, library_service
from tests.support.name_server import open_name_server
from tests.support.pipe import open_pipe

CALLERS = 8


class Ledger:
    """A library that several servers share, which lends each request_id once and knows by which server.

    Attributes:
        served: How often each server was called.
        repeats: Requests that had been made already.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lent: dict[str, str] = {}
        self.served: Counter[str] = Counter()
        self.repeats = 0

    def at(self, name: str) -> Library:
        """Return it as one server has it."""

        def lend_once(request: Any, caller: Caller) -> Message:
            with self._lock:
                self.served[name] += 1
                self.repeats += request.request_id in self._lent
                self._lent[request.request_id] = request.title
            return lend(request, caller)

        return Library(lending=lend_once)

    @property
    def titles(self) -> list[str]:
        """What was lent, once for each request_id."""
        return sorted(self._lent.values())


@dataclass
class Replicas:
    """Servers of one ledger, by name."""

    ledger: Ledger
    servers: dict[str, Server]

    @property
    def target(self) -> str:
        """The name of them all."""
        return "ipv4:" + ",".join(server.address for server in self.servers.values())


@contextmanager
def open_replicas(count: int = 3) -> Iterator[Replicas]:
    ledger = Ledger()
    names = [f"replica {number}" for number in range(count)]
    with ExitStack() as parts:
        yield Replicas(ledger, {name: parts.enter_context(open_library(ledger.at(name))) for name in names})


@dataclass
class Load:
    """Callers who lend book after book, until they are told to stop.

    Attributes:
        lent: The titles that were acknowledged.
        failures: What the others were told.
    """

    client: Client
    lent: list[str] = field(default_factory=list)
    failures: list[DomainError] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _is_over: bool = False

    def run(self) -> None:
        while not self._is_over:
            title = f"book {next(self._numbers)}"
            try:
                assert self.client.call("lend_book", loan(title)).result(DEADLINE_S) == lent(title)
            except DomainError as failure:
                self.failures.append(failure)
            else:
                with self._changed:
                    self.lent.append(title)
                    self._changed.notify_all()

    def go_on(self, calls: int = 200) -> None:
        """Return when so many more were acknowledged."""
        with self._changed:
            until = len(self.lent) + calls
            assert self._changed.wait_for(lambda: len(self.lent) >= until or self.failures, DEADLINE_S)

    def end(self) -> None:
        self._is_over = True


@contextmanager
def load_on(target: str, callers: int = CALLERS) -> Iterator[Load]:
    """Yield callers at work; they have ended when it is left."""
    with open_client(target) as client, ThreadPoolExecutor(callers) as threads:
        load = Load(client)
        running = [threads.submit(load.run) for _ in range(callers)]
        try:
            load.go_on()
            yield load
        finally:
            load.end()
        for each in running:
            each.result(DEADLINE_S)


def test_all_replicas_of_a_name_are_called() -> None:
    with open_replicas() as replicas, load_on(replicas.target):
        pass
    assert len(replicas.ledger.served) == 3
    assert min(replicas.ledger.served.values()) * 2 > max(replicas.ledger.served.values())


@pytest.mark.long
def test_replicas_that_end_and_come_one_after_another_cost_callers_under_load_nothing() -> None:
    with open_replicas() as replicas, ExitStack() as parts, load_on(replicas.target) as load:
        served = replicas.ledger.served
        for name, server in replicas.servers.items():
            server.stop()
            before = served[name]
            load.go_on()
            assert served[name] == before
            parts.enter_context(open_library(replicas.ledger.at(f"{name} again"), listen=server.address))
            while not served[f"{name} again"] and not load.failures:
                load.go_on()
    assert load.failures == []
    assert replicas.ledger.titles == sorted(load.lent)


@pytest.mark.long
def test_a_replica_that_ends_is_left_while_it_still_takes_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "_LEAVING_S", 3.0)
    with open_replicas(2) as replicas, ExitStack() as parts:
        client = parts.enter_context(open_client(replicas.target))
        (name, leaving), _ = replicas.servers.items()
        served = replicas.ledger.served
        while len(served) < 2:
            client.call("lend_book", loan()).result(DEADLINE_S)
        ending = threading.Thread(target=leaving.stop)
        ending.start()

        def was_called() -> bool:
            before = served[name]
            for _ in range(10):
                client.call("lend_book", loan()).result(DEADLINE_S)
            return served[name] > before

        while was_called():
            assert ending.is_alive()
        with open_client(leaving.address) as late:
            assert late.call("lend_book", loan()).result(DEADLINE_S) == lent()
        assert ending.is_alive()
        monkeypatch.undo()
    ending.join(DEADLINE_S)


@pytest.mark.long
def test_a_replica_that_is_cut_off_in_the_middle_of_calls_costs_nothing() -> None:
    with open_replicas() as replicas, ExitStack() as parts:
        pipes = [parts.enter_context(open_pipe(server.address)) for server in replicas.servers.values()]
        target = "ipv4:" + ",".join(pipe.address for pipe in pipes)
        with load_on(target) as load:
            for pipe in pipes:
                pipe.cut()
                load.go_on()
                pipe.heal()
                load.go_on()
    assert load.failures == []
    # One that was made, and whose answer was lost, was asked for again under its request_id.
    assert replicas.ledger.titles == sorted(load.lent)


@pytest.mark.long
def test_a_replica_that_falls_silent_is_left_when_it_does_not_answer_a_ping(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("keepalive_time", "keepalive_timeout", "http2.ping_timeout"):
        monkeypatch.setitem(channels.GRPC_OPTIONS["channel"], f"grpc.{name}_ms", 500)
    with open_replicas(2) as replicas, ExitStack() as parts:
        pipes = [parts.enter_context(open_pipe(server.address)) for server in replicas.servers.values()]
        target = "ipv4:" + ",".join(pipe.address for pipe in pipes)
        with load_on(target) as load:
            pipes[0].hold()
            load.go_on()
        assert load.failures == []


@pytest.mark.long
@pytest.mark.parametrize(("allowed_s", "is_left"), [(10, True), (0, False)])
def test_a_client_that_pings_more_often_than_is_allowed_is_left(
    allowed_s: int, is_left: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "grpc.http2.min_ping_interval_without_data_ms"
    options = dict(nodes._GRPC_OPTIONS)
    assert options[name] == 10_000
    monkeypatch.setattr(nodes, "_GRPC_OPTIONS", tuple({**options, name: allowed_s * 1000}.items()))
    eager = (("grpc.keepalive_time_ms", 100), ("grpc.http2.max_pings_without_data", 0), ("grpc.http2.bdp_probe", 0))
    with open_library() as server, grpc.insecure_channel(server.address, eager) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(), timeout=4)
        with pytest.raises(grpc.RpcError) as ended:
            assert [answer.status for answer in watch] == [health_pb2.HealthCheckResponse.SERVING]
    expected = grpc.StatusCode.UNAVAILABLE if is_left else grpc.StatusCode.DEADLINE_EXCEEDED
    assert cast("grpc.Call", ended.value).code() is expected


@pytest.mark.long
def test_callers_of_a_node_in_trouble_stop_repeating() -> None:
    calls: list[Any] = []

    def refuse(request: Any, caller: Caller) -> Message:
        calls.append(request)
        raise DomainError("CATALOGUE_BUSY", "the catalogue cannot be written now")

    with open_library(Library(lending=refuse)) as server, open_client(server.address) as client:
        refused = [client.call("lend_book", loan()) for _ in range(100)]
        assert {type(each.exception(DEADLINE_S)) for each in refused} == {DomainError}
    assert 200 <= len(calls) < 350  # 400 without a bound


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home") / "tls"
    make_certificates(folder, ["clinic_a"])
    return folder


def test_what_dns_knows_by_a_name_is_called_under_its_certificate_and_a_new_replica_is_found_when_one_goes(
    certificates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(channels.GRPC_OPTIONS["channel"], "grpc.dns_min_time_between_resolutions_ms", 100)
    tls = read_server_tls(certificates / "clinic_a.pem", certificates / "clinic_a.key", certificates / "ca.pem")
    ledger, hosts = Ledger(), [f"127.0.0.{number}" for number in (1, 2, 3)]

    def replica(host: str, port: str = "0") -> Server:
        services = {library_service(): ledger.at(host)}
        return open_node("library", f"{host}:{port}", services, [library_reasons()], NodePolicies(tls=tls))

    with ExitStack() as parts:
        first = parts.enter_context(replica(hosts[0]))
        port = first.address.rpartition(":")[2]
        parts.enter_context(replica(hosts[1], port))
        names = parts.enter_context(open_name_server(hosts[:2]))
        target, threads = f"dns://{names.address}/clinic_a:{port}", parts.enter_context(ThreadPoolExecutor())
        channel = parts.enter_context(open_channel(target, [library_service()], TlsFolder(certificates).client({})))
        load = Load(Client(channel, threads))
        running = threads.submit(load.run)
        while ledger.served.keys() != set(hosts[:2]):
            load.go_on(1)
        parts.enter_context(replica(hosts[2], port))
        names.hosts = hosts[1:]
        first.stop()
        until = time.monotonic() + DEADLINE_S  # less than gRPC's own time between two questions
        while hosts[2] not in ledger.served and not load.failures:
            assert time.monotonic() < until
            load.go_on(1)
        load.end()
        running.result(DEADLINE_S)
    assert load.failures == []
    assert ledger.titles == sorted(load.lent)
