"""Three replicas of one clinic on one PostgreSQL: what one acknowledged all know, and to lose one is no loss."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import cast

import grpc
import pytest

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.channel import open_channel
from mesh.reasons import from_call
from tests.torture import replicas

NOW = "2025-07-15T08:00-03:00"
TIMEOUT_S = 20.0
_NO_CLINIC = "DROP SCHEMA IF EXISTS clinic_a CASCADE"


@pytest.fixture
def stubs(tmp_path: Path, postgres_server: str) -> Iterator[list[ClinicServiceStub]]:
    """Three replicas of clinic_a, each by an address of its own."""
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    from clinics.postgres_storage import PostgresStorage  # noqa: PLC0415 - as above

    with ExitStack() as parts:
        connection = parts.enter_context(psycopg.connect(postgres_server, autocommit=True))
        connection.execute(_NO_CLINIC)
        parts.callback(connection.execute, _NO_CLINIC)  # other tests begin without it, too
        opened = partial(PostgresStorage, postgres_server)
        nodes = [
            parts.enter_context(
                serve("clinic_a", "127.0.0.1:0", tmp_path / str(number), "blueprint", NOW, open_shared=opened)
            )
            for number in range(3)
        ]
        yield [ClinicServiceStub(parts.enter_context(open_channel(node.address, ()))) for node in nodes]


def open_slots(stub: ClinicServiceStub) -> list[pb.Slot]:
    return list(stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S).available_slots)


def booking(slot: pb.Slot, number: int) -> pb.BookAppointmentRequest:
    return pb.BookAppointmentRequest(
        doctor=slot.doctor,
        date=slot.date,
        time=slot.time,
        patient_name=f"Paciente {number}",
        cpf=f"{number:011d}",
        request_id=str(uuid.uuid4()),
    )


def test_what_one_replica_acknowledged_the_others_show_at_the_next_read_and_know_as_made(
    stubs: list[ClinicServiceStub],
) -> None:
    slots = open_slots(stubs[0])
    for number, (writer, *others) in enumerate(permutations(stubs)):
        wanted = slots.pop(0)
        request = booking(wanted, number)
        made = writer.BookAppointment(request, timeout=TIMEOUT_S)
        for other in others:
            assert open_slots(other) == slots
            assert other.BookAppointment(request, timeout=TIMEOUT_S) == made
            with pytest.raises(grpc.RpcError) as refusal:
                other.BookAppointment(booking(wanted, 100), timeout=TIMEOUT_S)
            assert from_call(cast("grpc.Call", refusal.value), (pb.SlotAlternatives,)).reason == "SLOT_UNAVAILABLE"
    assert slots == []


@pytest.mark.long
def test_a_replica_that_is_killed_or_ends_under_64_callers_loses_nothing(tmp_path: Path, postgres_server: str) -> None:
    toll = replicas.torture(tmp_path, "short", postgres_server)
    assert toll.acknowledged > 64
    assert toll.seen > 64
    assert toll.repeated > 0
