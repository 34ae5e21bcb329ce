"""1,000 random operations of patients and operators at once: what is held, closed and open stays consistent."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import date, timedelta
from typing import Any

import grpc
import pytest

from orchestrator.security.token_keys import KeyFolder
from tests.support.tokens import token_for
from tests.wire.identity.conftest import Guarded
from tests.wire.parity.doors import TRACE, Refusal, TypedDoor

PATIENTS, OPERATORS, EACH = 6, 2, 125
DOCTOR = "Dr. Ricardo Lopes"
DAYS = [f"{date(2025, 7, 21) + timedelta(days=ahead)}" for ahead in range(5)]
TIMES = [f"{hour:02}:{minute}" for hour in range(8, 12) for minute in ("00", "30")]
Slot = tuple[str, str]


class Patient:
    """Books, moves and cancels at random, and knows what they hold by what was acknowledged."""

    def __init__(self, door: TypedDoor, number: int) -> None:
        self.door = door
        self.number = number
        self.cpf = f"{number:03}.000.000-00"
        self.draw = random.Random(number)
        self.held: set[Slot] = set()
        self.made = Counter[str]()

    def act(self, _: int) -> None:
        slot = self.draw.choice(DAYS), self.draw.choice(TIMES)
        tool = self.draw.choice(["book", "book", "reschedule", "cancel"])
        if tool == "book":
            if self.done("book_appointment", date=slot[0], time=slot[1]):
                self.held.add(slot)
        elif self.held:
            old = self.draw.choice(sorted(self.held))
            if tool == "cancel":
                if self.done("cancel_appointment", date=old[0], time=old[1]):
                    self.held.remove(old)
            else:
                dates = {"original_date": old[0], "original_time": old[1], "new_date": slot[0], "new_time": slot[1]}
                if self.done("reschedule_appointment", **dates):
                    self.held = {*self.held - {old}, slot}

    def done(self, tool: str, **arguments: str) -> bool:
        who = {"patient_name": f"Paciente Número {'i' * (self.number + 1)}", "cpf": self.cpf}
        answer = self.door.ask(tool, {"doctor": DOCTOR, **arguments, **who})
        is_made = not isinstance(answer, Refusal)
        self.made[tool] += is_made
        return is_made


class Operator:
    """Opens and closes times at random."""

    def __init__(self, door: TypedDoor, number: int) -> None:
        self.door = door
        self.draw = random.Random(1000 + number)
        self.slots = 0

    def act(self, _: int) -> None:
        day, time = self.draw.choice(DAYS), self.draw.choice(TIMES)
        match self.draw.choice(["open", "open", "close", "list"]):
            case "open":
                self.ask("open_slots", doctor=DOCTOR, dates=[day], times=[time])
            case "close":
                span = {"first_time": time, "last_time": f"{int(time[:2]) + 1:02}{time[2:]}"}
                answer = self.ask("close_slots", doctor=DOCTOR, date=day, reason="CLOSING_REASON_ILLNESS", **span)
                assert all(entry["state"] == "SLOT_STATE_HELD" for entry in answer["held"])
            case _:
                assert all(entry["date"] == day for entry in self.ask("list_agenda", date=day)["entries"])

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.door.ask(tool, arguments)
        assert isinstance(answer, dict), answer
        return answer


def check(database: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    """Check what must hold at any time, and return who holds what."""
    slots = {(slot["date"], slot["time"]): slot for slot in database["slots"] if slot["doctor"] == DOCTOR}
    assert len(slots) == sum(slot["doctor"] == DOCTOR for slot in database["slots"])
    held = {place for place, slot in slots.items() if slot["cpf"]}
    marked = {key: {(one["date"], one["time"]) for one in database.get(key, ())} for key in ("closed", "closing")}
    assert not marked["closed"] & held
    assert marked["closing"] <= held
    for place, slot in slots.items():
        assert slot["available"] == (place not in held | marked["closed"])
    visits = [(visit["date"], visit["time"]) for visit in database["appointments"]]
    assert sorted(visits) == sorted(held)
    return {(slots[place]["cpf"], *place) for place in held}


@pytest.mark.long
def test_nothing_is_held_twice_or_lost_or_both_closed_and_held(guarded: Guarded, keys: KeyFolder) -> None:
    with ExitStack() as channels:

        def door(token: str) -> TypedDoor:
            own = grpc.insecure_channel(guarded.clinics["clinic_a"].address, [("grpc.use_local_subchannel_pool", 1)])
            return TypedDoor(channels.enter_context(own), (*TRACE, ("authorization", f"Bearer {token}")))

        patients = [
            Patient(door(token_for(keys, f"{number:03}.000.000-00", ttl_s=600)), number) for number in range(PATIENTS)
        ]
        staff = [Operator(door(token_for(keys, issuer="operator", ttl_s=600)), number) for number in range(OPERATORS)]
        _run_all(guarded, [*patients, *staff])
    expected = {(patient.cpf, *slot) for patient in patients for slot in patient.held}
    assert check(json.loads(guarded.database("clinic_a"))) == expected
    lines = [json.loads(line) for line in (guarded.folder / "clinic_a" / "operations.jsonl").read_bytes().splitlines()]
    told = Counter(line["outcome"] for line in lines)
    made = sum((patient.made for patient in patients), Counter[str]())
    assert made["book_appointment"] > 20
    assert (told["booked"], told["moved"], told["cancelled"]) == (
        made["book_appointment"],
        made["reschedule_appointment"],
        made["cancel_appointment"],
    )


def _run_all(guarded: Guarded, actors: Sequence[Patient | Operator]) -> None:
    """Let all act at once, and check db.json all the while."""
    over, seen = threading.Event(), []

    def watch() -> None:
        while not over.wait(0.01):
            seen.append(check(json.loads(guarded.database("clinic_a"))))

    with ThreadPoolExecutor(len(actors) + 1) as threads:
        watching = threads.submit(watch)
        try:
            together = threading.Barrier(len(actors))
            done = [threads.submit(_run, each, together) for each in actors]
            for one in done:
                one.result()
        finally:
            over.set()
        watching.result()
    assert len(seen) > 10


def _run(actor: Patient | Operator, together: threading.Barrier) -> None:
    together.wait(20)
    for step in range(EACH):
        actor.act(step)
