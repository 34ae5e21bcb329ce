"""list_appointments at 10,000 slots: warm beside raw gRPC, and the first call of a session and after a write."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from itertools import count

from bench import agenda, callers
from bench.clinic import CPF, clinic_arguments, make_keys, token_of
from bench.measure import interleaved, p50_us, repeated
from bench.processes import running, scratch
from bench.report import Goal, Section
from clinics.slots import Slot
from generated.clinic.v1 import clinic_service_pb2 as pb

_SLOTS, _OWN, _CALLS = 10_000, 4, 100
_WARM, _ECHO = "clinic, typed stub, token", "raw gRPC echo that carries the token's bytes"
_FIRST, _WRITTEN = "first call of a salt", "first call after a write"


def measure(rounds: int) -> list[Section]:
    """Measure with every slot taken, each by somebody else but a few.

    Args:
        rounds: How many count.
    """
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        *taken, last = agenda.make_slots(_SLOTS)
        agenda.write_database(folder / "clinic" / "db.json", (*map(_held, taken, count()), last))
        keys = make_keys(folder)
        clinic = parts.enter_context(running("clinics", *clinic_arguments(folder / "clinic", keys.public)))
        channel = parts.enter_context(callers.channel_to(clinic.address))
        token = token_of(keys, "orchestrator")
        warm = callers.Typed(channel, token)
        if len(warm.appointments().appointments) != _OWN:
            raise RuntimeError("the clinic does not list what its patient holds")
        (folder / "answer").write_bytes(warm.appointments().SerializeToString())
        echo = parts.enter_context(running("bench.peers.echo", str(folder / "answer")))
        request = pb.ListAppointmentsRequest().SerializeToString()
        echoed = callers.Echo(parts.enter_context(callers.channel_to(echo.address)), request, token)
        writer = callers.Typed(channel, token_of(keys))
        calls = {
            _WARM: p50_us(repeated(warm.appointments), _CALLS),
            _ECHO: p50_us(repeated(echoed.list), _CALLS),
            _FIRST: lambda: _us(callers.Typed(channel, token_of(keys, "orchestrator")).appointments),
            _WRITTEN: lambda: _after_a_write(writer, last, warm),
        }
        figures = interleaved(calls, rounds, "µs p50")
    first = replace(figures[_FIRST], unit="ms", rounds=tuple(value / 1e3 for value in figures[_FIRST].rounds))
    return [
        Section(
            f"list_appointments, {_SLOTS} slots, one caller ({rounds} rounds of {_CALLS} calls)",
            [figures[_WARM], figures[_ECHO], figures[_WRITTEN]],
            [Goal(figures[_WARM].over(figures[_ECHO]), 1.4), Goal(first, 20.0)],
        )
    ]


def _held(slot: Slot, number: int) -> Slot:
    # The patient's own are among the last, so that a search that begins with the first finds them late; four doctors
    # attend at a time.
    is_own = number >= _SLOTS - 4 * _OWN and number % 4 == 0
    name, cpf = ("Paciente", CPF) if is_own else agenda.patient(number)
    return replace(slot, available=False, patient_name=name, cpf=cpf)


def _us(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1e6


def _after_a_write(writer: callers.Typed, slot: Slot, reader: callers.Typed) -> float:
    writer.booking(slot, _SLOTS)()
    spent = _us(reader.appointments)
    writer.cancellation(slot, _SLOTS)()
    return spent
