"""book_appointment by eight callers, durable: the clinic, the blueprint's stack, raw gRPC, and a bare fsync commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench import agenda, callers
from bench.clinic import clinic_arguments, make_keys, token_of
from bench.commits import HERE, Checkout, ratio
from bench.measure import Figure, calls_per_s, interleaved
from bench.processes import running, scratch
from bench.report import Goal, Section
from clinics.slots import Slot
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.private_file import Disk

CALLERS = 8
_CLINIC, _PLAIN_CLINIC = "clinic, request_id, token", "clinic, no request_id, token"
_STACK, _SESSION, _ECHO, _COMMIT, _OWN_COMMIT = (
    "blueprint's stack, requests",
    "blueprint's stack, requests.Session",
    "raw gRPC echo",
    "bare commit: write, fsync, rename, fsync (one caller)",
    "the same of the clinic's own file, with its request_ids",
)
# Enough for a second or so each; the blueprint's stack takes a tenth of a second a booking at 10,000 slots.
_BOOKINGS = {500: {"quick": 480, "slow": 160}, 10_000: {"quick": 480, "slow": 16}}


def measure(rounds: int) -> list[Section]:
    """Measure with 500 and with 10,000 slots.

    Args:
        rounds: How many count.
    """
    small, large = (_figures(slots, rounds) for slots in (500, 10_000))
    goals = [
        Goal(small[_CLINIC].over(small[_STACK]), 12, at_least=True, note="which is not durable"),
        Goal(small[_CLINIC].over(small[_ECHO]), 0.5, at_least=True),
    ]
    return [
        Section(f"book_appointment, 500 slots, {CALLERS} callers ({rounds} rounds)", list(small.values()), goals),
        Section(
            f"book_appointment, 10,000 slots, {CALLERS} callers ({rounds} rounds)",
            list(large.values()),
            [Goal(_growth(small, large, name), 20, note="20 times the slots") for name in (_PLAIN_CLINIC, _STACK)],
        ),
    ]


def compare(rounds: int, base: Checkout) -> list[Section]:
    """Measure the clinics of two commits with 500 slots and request_ids.

    Args:
        rounds: How many count.
        base: What the working tree is measured beside.
    """
    data = agenda.make_slots(500)
    contenders: dict[str, Callable[[], float]] = {}
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        keys = make_keys(folder)
        token = token_of(keys)
        for number, each in enumerate((HERE, base)):
            silo = folder / str(number)
            agenda.write_database(silo / "db.json", data)
            server = parts.enter_context(running("clinics", *clinic_arguments(silo, keys.public), tree=each.tree))
            channel = parts.enter_context(callers.channel_to(server.address))
            contenders[each.name] = _round(callers.Typed(channel, token), data[: _BOOKINGS[500]["quick"]])
        figures = interleaved(contenders, rounds, "calls/s")
    work = f"book_appointment, 500 slots, {CALLERS} callers ({rounds} rounds)"
    return [Section(work, [*figures.values(), ratio(figures, base)])]


def _growth(small: dict[str, Figure], large: dict[str, Figure], name: str) -> Figure:
    grown = small[name].over(large[name])
    return Figure(f"time of a booking, {name}: 10,000 / 500 slots", "", grown.rounds)


def _figures(slots: int, rounds: int) -> dict[str, Figure]:
    data = agenda.make_slots(slots)
    quick, slow = data[: _BOOKINGS[slots]["quick"]], data[: _BOOKINGS[slots]["slow"]]
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        keys = make_keys(folder)
        token = token_of(keys)
        typed: dict[str, callers.Typed] = {}
        for name, has_request_id in ((_CLINIC, True), (_PLAIN_CLINIC, False)):
            silo = folder / f"clinic-{has_request_id}"
            agenda.write_database(silo / "db.json", data)
            server = parts.enter_context(running("clinics", *clinic_arguments(silo, keys.public)))
            channel = parts.enter_context(callers.channel_to(server.address))
            typed[name] = callers.Typed(channel, token, has_request_id=has_request_id)
        agenda.write_database(folder / "blueprint" / "db.json", data)
        stack = parts.enter_context(running("bench.peers.blueprint", str(folder / "blueprint" / "db.json")))
        request, answer = _same_bytes(data[0])
        (folder / "answer").write_bytes(answer)
        echo = parts.enter_context(running("bench.peers.echo", str(folder / "answer")))
        raw = callers.Echo(parts.enter_context(callers.channel_to(echo.address)), request)
        contenders = {
            _CLINIC: _round(typed[_CLINIC], quick),
            _PLAIN_CLINIC: _round(typed[_PLAIN_CLINIC], quick),
            _ECHO: _round(raw, quick),
            _STACK: _round(callers.Blueprint(stack.address), slow),
            _SESSION: _round(callers.Blueprint(stack.address, sessions=True), slow),
            _COMMIT: _commits(folder / "commit", folder / "blueprint" / "db.json"),
            _OWN_COMMIT: _commits(folder / "own-commit", folder / f"clinic-{True}" / "db.json"),
        }
        return interleaved(contenders, rounds, "calls/s")


def _round(booker: callers.Booker, slots: Sequence[Slot]) -> Callable[[], float]:
    """Return a round: every slot is booked by a patient of its own; that all are given back is not measured."""

    def measured() -> float:
        # Made anew for each round: a request_id that was used would be a repeat.
        bookings = [booker.booking(slot, number) for number, slot in enumerate(slots)]
        cancellations = [booker.cancellation(slot, number) for number, slot in enumerate(slots)]
        value = calls_per_s(lambda number: bookings[number](), range(len(slots)), CALLERS)
        calls_per_s(lambda number: cancellations[number](), range(len(slots)), CALLERS)
        return value

    return measured


def _commits(folder: Path, like: Path) -> Callable[[], float]:
    """Return a round of what a durable write cannot do without, on a file as large as another is then."""
    folder.mkdir()
    disk = Disk()

    def measured() -> float:
        content = like.read_bytes()

        def commit(_: int) -> None:
            disk.replace(folder / "db.json", content)
            disk.sync_folder(folder)

        return calls_per_s(commit, range(50), 1)

    return measured


def _same_bytes(slot: Slot) -> tuple[bytes, bytes]:
    name, cpf = agenda.patient(1)
    request = pb.BookAppointmentRequest(
        doctor=slot.doctor, date=slot.date, time=slot.time, patient_name=name, cpf=cpf, request_id="0" * 36
    )
    appointment = pb.Appointment(
        doctor=slot.doctor, date=slot.date, time=slot.time, patient_name=name, cpf=cpf, specialty="Cardiology"
    )
    answer = pb.BookAppointmentResponse(status="confirmed", appointment=appointment, message="Consulta agendada.")
    return request.SerializeToString(), answer.SerializeToString()
