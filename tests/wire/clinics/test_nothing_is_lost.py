from __future__ import annotations

import errno
import subprocess
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import grpc
import pytest

from clinics.database import Database, load
from clinics.program import serve
from clinics.slots import Slot, SlotRef, Snapshot
from clinics.startup import StartupError
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.errors import DomainError
from mesh.private_file import Disk
from mesh.reasons import from_call
from mesh.server import Server

NOW = "2025-07-15T08:00-03:00"
TIMEOUT_S = 20.0
Connect = Callable[[str], ClinicServiceStub]
Spawn = Callable[..., subprocess.Popen[str]]
AddressOf = Callable[[subprocess.Popen[str]], str]


def booking(slot: pb.Slot | SlotRef, number: int, request_id: str | None = None) -> pb.BookAppointmentRequest:
    return pb.BookAppointmentRequest(
        doctor=slot.doctor,
        date=slot.date,
        time=slot.time,
        patient_name=f"Paciente {number}",
        cpf=f"{number:011d}",
        request_id=request_id,
    )


def reason(error: grpc.RpcError) -> DomainError:
    return from_call(cast("grpc.Call", error), (pb.SlotAlternatives,))


def open_slots(stub: ClinicServiceStub) -> list[pb.Slot]:
    return list(stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S).available_slots)


def many_slots() -> Iterator[Slot]:
    for day in range(1, 31):
        for hour in range(8, 16):
            yield Slot("Dr. Ricardo Lopes", "Cardiologia", f"2025-09-{day:02d}", f"{hour:02d}:30")


class SwitchableDisk(Disk):
    """A disk that can be filled up, and whose writes can be held back."""

    __slots__ = ("entered", "full", "gate")

    def __init__(self) -> None:
        self.full = False
        self.entered = threading.Event()
        self.gate = threading.Event()
        self.gate.set()

    def write(self, descriptor: int, data: bytes) -> None:
        self.entered.set()
        assert self.gate.wait(TIMEOUT_S)
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().write(descriptor, data)


def test_of_64_clients_on_one_slot_exactly_one_wins(clinic: Server, connect: Connect, silo: Path) -> None:
    stubs = [connect(clinic.address) for _ in range(64)]
    slot = open_slots(stubs[0])[0]
    barrier = threading.Barrier(64)

    def attempt(number: int) -> str:
        barrier.wait(TIMEOUT_S)
        try:
            return stubs[number].BookAppointment(booking(slot, number), timeout=TIMEOUT_S).status
        except grpc.RpcError as error:
            return reason(error).reason

    with ThreadPoolExecutor(64) as pool:
        assert Counter(pool.map(attempt, range(64))) == {"confirmed": 1, "SLOT_UNAVAILABLE": 63}
    assert [one.available for one in load(silo / "db.json").snapshot.slots].count(False) == 1


def test_every_acknowledged_booking_outlives_a_kill_in_the_middle_of_them(
    spawn: Spawn, address_of: AddressOf, connect: Connect, silo: Path
) -> None:
    now = ("--now", NOW)
    silo.mkdir(parents=True, exist_ok=True)
    (silo / "db.json").write_bytes(Database(Snapshot(many_slots())).encode())
    process = spawn(*now)
    address = address_of(process)
    slots = open_slots(connect(address))
    assert len(slots) > 200
    ids = [str(uuid.uuid4()) for _ in slots]
    acknowledged: set[int] = set()
    workers = 8

    def book(worker: int) -> None:
        stub = connect(address)
        for number in range(worker, len(slots), workers):
            try:
                stub.BookAppointment(booking(slots[number], number, ids[number]), timeout=TIMEOUT_S)
            except grpc.RpcError as error:
                assert reason(error).reason == "UNREACHABLE"  # noqa: PT017 - the loop needs to end, not the test
                return
            acknowledged.add(number)
            if len(acknowledged) >= 20:
                process.kill()

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(book, range(workers)))
    process.wait(TIMEOUT_S)
    assert 20 <= len(acknowledged) < len(slots)
    kept = {slot.ref: slot for slot in load(silo / "db.json").snapshot.slots}

    stub = connect(address_of(spawn(*now)))
    taken = {SlotRef(slot.doctor, slot.date, slot.time) for slot in slots} - {
        SlotRef(slot.doctor, slot.date, slot.time) for slot in open_slots(stub)
    }
    for number in acknowledged:
        ref = SlotRef(slots[number].doctor, slots[number].date, slots[number].time)
        assert kept[ref].patient_name == f"Paciente {number}"
        assert ref in taken
    holders = Counter(slot.patient_name for slot in kept.values() if slot.patient_name)
    assert set(holders.values()) == {1}

    # Whoever got no answer repeats: each booking is then made exactly once, whichever side of the kill it was on.
    for number, slot in enumerate(slots):
        answer = stub.BookAppointment(booking(slot, number, ids[number]), timeout=TIMEOUT_S)
        assert answer.appointment.patient_name == f"Paciente {number}"
    assert open_slots(stub) == []


def test_a_repeated_request_is_made_once_before_and_after_a_restart(
    spawn: Spawn, address_of: AddressOf, connect: Connect, silo: Path
) -> None:
    arguments = ("--agenda", "blueprint", "--now", NOW)
    process = spawn(*arguments)
    stub = connect(address_of(process))
    request = booking(open_slots(stub)[0], 1, str(uuid.uuid4()))
    first = stub.BookAppointment(request, timeout=TIMEOUT_S)
    content = (silo / "db.json").read_bytes()
    assert stub.BookAppointment(request, timeout=TIMEOUT_S) == first
    process.kill()
    process.wait(TIMEOUT_S)

    again = connect(address_of(spawn(*arguments)))
    assert again.BookAppointment(request, timeout=TIMEOUT_S) == first
    assert (silo / "db.json").read_bytes() == content


def test_a_full_disk_refuses_writes_keeps_reads_and_heals_without_a_restart(silo: Path, connect: Connect) -> None:
    disk = SwitchableDisk()
    with serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW, disk=disk) as clinic:
        stub = connect(clinic.address)
        slots = open_slots(stub)
        before = (silo / "db.json").read_bytes()
        disk.full = True
        try:
            stub.BookAppointment(booking(slots[0], 1), timeout=TIMEOUT_S)
        except grpc.RpcError as error:
            refusal = reason(error)
        assert (refusal.reason, dict(refusal.metadata)) == ("STORAGE_UNAVAILABLE", {"outcome": "unchanged"})
        assert open_slots(stub) == slots
        assert (silo / "db.json").read_bytes() == before
        disk.full = False
        assert stub.BookAppointment(booking(slots[0], 1), timeout=TIMEOUT_S).status == "confirmed"


def test_a_clinic_that_starts_on_a_full_disk_on_a_new_day_serves_what_it_has(silo: Path, connect: Connect) -> None:
    disk = SwitchableDisk()
    with serve("clinic_a", "127.0.0.1:0", silo, "rolling", NOW, disk=disk) as clinic:
        planned = open_slots(connect(clinic.address))
    disk.full = True
    with serve("clinic_a", "127.0.0.1:0", silo, "rolling", "2025-07-16T08:00-03:00", disk=disk) as clinic:
        stub = connect(clinic.address)
        slots = open_slots(stub)
        assert slots == [slot for slot in planned if (slot.date, slot.time) > ("2025-07-16", "08:00")]
        with pytest.raises(grpc.RpcError) as refusal:
            stub.BookAppointment(booking(slots[0], 1), timeout=TIMEOUT_S)
        assert reason(refusal.value).reason == "STORAGE_UNAVAILABLE"
        disk.full = False
        assert stub.BookAppointment(booking(slots[0], 1), timeout=TIMEOUT_S).status == "confirmed"


def test_a_first_start_on_a_full_disk_is_refused_with_what_to_do(silo: Path) -> None:
    disk = SwitchableDisk()
    with serve("clinic_a", "127.0.0.1:0", silo, "rolling", NOW, disk=disk):
        pass
    (silo / "db.json").unlink()
    disk.full = True
    with pytest.raises(StartupError, match="Make room on the disk"):
        serve("clinic_a", "127.0.0.1:0", silo, "rolling", NOW, disk=disk)


def test_a_stop_lets_a_write_in_flight_end_and_answers_it(silo: Path, connect: Connect) -> None:
    disk = SwitchableDisk()
    clinic = serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW, disk=disk)
    stub = connect(clinic.address)
    slots = open_slots(stub)
    disk.entered.clear()
    disk.gate.clear()
    with ThreadPoolExecutor(2) as pool:
        in_flight = pool.submit(stub.BookAppointment, booking(slots[0], 1), timeout=TIMEOUT_S)
        assert disk.entered.wait(TIMEOUT_S)
        stopping = pool.submit(clinic.stop)
        disk.gate.set()
        stopping.result(TIMEOUT_S)
        assert in_flight.result(TIMEOUT_S).status == "confirmed"
    assert [slot.available for slot in load(silo / "db.json").snapshot.slots].count(False) == 1


def test_sigterm_in_the_middle_of_bookings_ends_orderly_and_loses_none(
    spawn: Spawn, address_of: AddressOf, connect: Connect, silo: Path
) -> None:
    process = spawn("--now", NOW)
    address = address_of(process)
    slots = open_slots(connect(address))
    acknowledged: set[int] = set()
    asked = threading.Lock()

    def book(worker: int) -> None:
        stub = connect(address)
        for number in range(worker, len(slots), 4):
            try:
                stub.BookAppointment(booking(slots[number], number), timeout=TIMEOUT_S)
            except grpc.RpcError:
                return
            acknowledged.add(number)
            if len(acknowledged) >= 10 and asked.acquire(blocking=False):  # a second signal would cut the end short
                process.terminate()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(book, range(4)))
    assert process.wait(TIMEOUT_S) == 0
    holders = {slot.patient_name for slot in load(silo / "db.json").snapshot.slots if not slot.available}
    assert holders == {f"Paciente {number}" for number in acknowledged}
