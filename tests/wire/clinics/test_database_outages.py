"""A clinic whose database server is away for all its replicas, or for one; and one that has forgotten something."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import cast

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from clinics.program import serve
from clinics.slots import SlotRef
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.channel import open_channel
from mesh.errors import DomainError
from mesh.reasons import from_call
from tests.support.postgres import DatabaseServer, PostgresMissingError, servers
from tests.torture import outages

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed (extra postgres)")

TIMEOUT_S = 20.0
SERVICE = pb.DESCRIPTOR.services_by_name["ClinicService"]


class Caller:
    """Calls one clinic, by the product's own channel."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._stub, self._health = ClinicServiceStub(channel), health_pb2_grpc.HealthStub(channel)

    def openings(self) -> list[SlotRef]:
        answer = self._stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S)
        return [SlotRef(slot.doctor, slot.date, slot.time) for slot in answer.available_slots]

    def book(self, slot: SlotRef, number: int, timeout_s: float = TIMEOUT_S) -> None:
        """Book for a patient, by always the same request_id."""
        request_id, patient = str(uuid.UUID(int=number, version=4)), {"patient_name": "Ana", "cpf": f"{number:011d}"}
        request = pb.BookAppointmentRequest(**asdict(slot), **patient, request_id=request_id)
        self._stub.BookAppointment(request, timeout=timeout_s)

    def refusal(self, call: Callable[[], object]) -> DomainError:
        with pytest.raises(grpc.RpcError) as refusal:
            call()
        return from_call(cast("grpc.Call", refusal.value), (pb.SlotAlternatives,))

    def is_there(self) -> bool:
        """Whether it says who it is, and that it serves."""
        name = self._stub.GetClinic(pb.GetClinicRequest(), timeout=TIMEOUT_S).clinic_id
        answer = self._health.Check(health_pb2.HealthCheckRequest(service=SERVICE.full_name), timeout=TIMEOUT_S)
        return name == "clinic_a" and bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


class Replicas:
    """Replicas of clinic_a, each with a server's URL of its own."""

    def __init__(self, folder: Path, parts: ExitStack) -> None:
        self._folder, self._parts = folder, parts
        self.addresses: list[str] = []

    def start(self, url: str) -> Caller:
        from clinics.postgres_storage import PostgresStorage  # noqa: PLC0415 - an extra

        silo, opened = self._folder / str(len(self.addresses)), partial(PostgresStorage, url)
        now = "2025-07-15T08:00-03:00"
        node = self._parts.enter_context(serve("clinic_a", "127.0.0.1:0", silo, "blueprint", now, open_shared=opened))
        self.addresses.append(node.address)
        return self.caller(node.address)

    def caller(self, target: str) -> Caller:
        return Caller(self._parts.enter_context(open_channel(target, [SERVICE])))


@pytest.fixture
def pair() -> Iterator[list[DatabaseServer]]:
    """A server that runs, and room for its standby."""
    try:
        with servers(2) as made:
            yield made
    except PostgresMissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def replicas(tmp_path: Path, pair: list[DatabaseServer]) -> Iterator[Replicas]:
    with ExitStack() as parts:
        yield Replicas(tmp_path, parts)


def test_while_the_server_is_away_a_clinic_answers_what_became_of_a_call_and_serves_when_it_is_back(
    replicas: Replicas, pair: list[DatabaseServer]
) -> None:
    clinic = replicas.start(pair[0].url)
    first, *others = clinic.openings()
    pair[0].stop("fast")
    assert clinic.refusal(clinic.openings).reason == "STORAGE_UNAVAILABLE"
    refusal = clinic.refusal(lambda: clinic.book(first, 1))
    assert (refusal.reason, refusal.metadata) == ("STORAGE_UNAVAILABLE", {"outcome": "unknown"})
    assert clinic.is_there(), "or its callers would hear no outcome, and find it late when the server is back"
    pair[0].start()
    clinic.book(first, 1)
    assert clinic.openings() == others


@pytest.mark.long
def test_a_replica_that_alone_has_lost_the_server_costs_the_callers_of_all_replicas_nothing(
    replicas: Replicas, pair: list[DatabaseServer]
) -> None:
    with psycopg.connect(pair[0].url, autocommit=True) as server:
        server.execute("CREATE ROLE lonely SUPERUSER LOGIN")
        lonely = replicas.start(pair[0].url.replace("//clinic@", "//lonely@"))
        replicas.start(pair[0].url)
        both = replicas.caller("ipv4:" + ",".join(replicas.addresses))
        server.execute("ALTER ROLE lonely NOLOGIN")
        server.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'lonely'")
        assert lonely.refusal(lonely.openings).reason == "STORAGE_UNAVAILABLE"
        openings = both.openings()
        for number, slot in enumerate(openings):
            both.book(slot, number)
        assert both.openings() == []


@pytest.mark.long
def test_what_an_asynchronous_standby_had_not_received_is_gone_at_every_replica_and_a_repeat_makes_it(
    replicas: Replicas, pair: list[DatabaseServer]
) -> None:
    primary, standby = pair
    standby.follow(primary)
    one, other = (replicas.start(outages.url_of(pair)) for _ in range(2))
    kept, lost, *others = one.openings()
    one.book(kept, 1)
    standby.stop("fast")
    one.book(lost, 2)
    assert one.openings() == other.openings() == others
    primary.stop("immediate")
    standby.start()
    standby.promote()
    assert one.openings() == other.openings() == [lost, *others]
    one.book(lost, 2)
    assert one.openings() == other.openings() == others


@pytest.mark.long
def test_while_a_synchronous_standby_is_away_no_write_is_acknowledged_and_no_repeat_of_one(
    replicas: Replicas, pair: list[DatabaseServer]
) -> None:
    primary, standby = pair
    standby.follow(primary)
    one, other = (replicas.start(outages.url_of(pair)) for _ in range(2))
    first, *others = one.openings()
    with psycopg.connect(primary.url, autocommit=True) as server:
        server.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        server.execute("SELECT pg_reload_conf()")
        standby.stop("fast")
        assert one.refusal(lambda: one.book(first, 1, 2)).reason == "TIMED_OUT"
        # Who ends the wait leaves the write on the primary alone: it is there, and not safe yet.
        server.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        assert other.openings() == others
        assert other.refusal(lambda: other.book(first, 1, 2)).reason == "TIMED_OUT"
        standby.start()
    other.book(first, 1)
    primary.stop("immediate")
    standby.promote()
    assert one.openings() == other.openings() == others
