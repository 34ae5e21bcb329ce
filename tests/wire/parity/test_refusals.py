"""Every reason of the contract: the same refusal through both doors, with the contract's status and code.

`TypedDoor` and `EnvelopeDoor` check status and code; `Doors.ask` checks that all the rest is the same.
"""

import errno
import threading
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass

import pytest

from clinics.program import MAX_WRITES
from tests.wire.parity.doors import CARLOS, DEADLINE_S, REASONS, Answer, Doors, Hook, Refusal, Side, nothing

RICARDO = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"}
HELENA = {"doctor": "Dra. Helena Prado", "date": "2025-07-21", "time": "09:00"}
LAST_WEEK = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-14", "time": "09:00"}
MARIA = {"patient_name": "Maria Souza", "cpf": "111.444.777-35"}
MOVE = {"original_date": "2025-07-21", "original_time": "09:00", "new_date": "2025-07-23", "new_time": "08:00"}
REQUEST_ID = "c7a1f1f0-3d0b-4a59-9d0e-6a1c2f1b7a10"


def disk_full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def defect() -> None:
    raise RuntimeError("a defect")


ONE_DOOR = {
    "INVALID_ENVELOPE": "the typed door has no envelope",
    "METHOD_NOT_FOUND": "the typed door's methods are gRPC's own",
    "UNKNOWN_TOOL": "the typed door's tools are gRPC methods",
    "UNKNOWN_AGENT": "said by the registry of whoever calls",
    "UNREACHABLE": "said by whoever calls, of gRPC's status",
    "UNKNOWN_SERVICE": "said of gRPC's health checks alone",
    "TIMED_OUT": "said by whoever calls, of gRPC's status: both doors end with the deadline",
    "WRONG_ANSWER": "said by whoever calls, of the answer",
}
"""Reasons that no clinic gives through both doors."""

Call = tuple[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Case:
    """A call that must be refused.

    Attributes:
        reason: Why.
        call: The tool and its arguments.
        before: A call that must succeed first.
        before_write: What the disk does then when it should write.
        before_folder_sync: And when it should make a new name durable.
    """

    reason: str
    call: Call
    before: Call | None = None
    before_write: Hook = nothing
    before_folder_sync: Hook = nothing


def book(slot: Mapping[str, str], patient: Mapping[str, str] = CARLOS, **more: str) -> Call:
    return "book_appointment", {**slot, **patient, **more}


def move(patient: Mapping[str, str] = CARLOS, **dates: str) -> Call:
    return "reschedule_appointment", {"doctor": "Dr. Ricardo Lopes", **MOVE, **patient, **dates}


def cancel(slot: Mapping[str, str], patient: Mapping[str, str] = CARLOS, **more: str) -> Call:
    return "cancel_appointment", {**slot, **patient, **more}


CASES = {
    "taken by another": Case("SLOT_UNAVAILABLE", book(RICARDO, MARIA), before=book(RICARDO)),
    "not in the agenda": Case("SLOT_UNAVAILABLE", book({**RICARDO, "time": "03:00"})),
    "no such doctor": Case("SLOT_UNAVAILABLE", book({**RICARDO, "doctor": "Dr. Ninguém"})),
    "past": Case("SLOT_UNAVAILABLE", book(LAST_WEEK, MARIA)),
    "moved to a closed slot": Case("SLOT_UNAVAILABLE", move(new_time="03:00"), before=book(RICARDO)),
    "nothing to move": Case("APPOINTMENT_NOT_FOUND", move()),
    "another's to move": Case("APPOINTMENT_NOT_FOUND", move(MARIA), before=book(RICARDO)),
    "nothing to cancel": Case("APPOINTMENT_NOT_FOUND", cancel(RICARDO)),
    "another's to cancel": Case("APPOINTMENT_NOT_FOUND", cancel(RICARDO, MARIA), before=book(RICARDO)),
    "two doctors at one time": Case("APPOINTMENT_CONFLICT", book(HELENA), before=book(RICARDO)),
    "begun, to move": Case("APPOINTMENT_IN_PAST", move(original_date="2025-07-14")),
    "begun, to cancel": Case("APPOINTMENT_IN_PAST", cancel(LAST_WEEK)),
    "no such patient": Case("PATIENT_NOT_FOUND", ("get_patient", {"patient_id": "CARD-999"})),
    "other content": Case(
        "REQUEST_ID_REUSED", book(HELENA, request_id=REQUEST_ID), before=book(RICARDO, request_id=REQUEST_ID)
    ),
    "other tool": Case(
        "REQUEST_ID_REUSED", cancel(RICARDO, request_id=REQUEST_ID), before=book(RICARDO, request_id=REQUEST_ID)
    ),
    "disk full": Case("STORAGE_UNAVAILABLE", book(RICARDO), before_write=disk_full),
    "disk full, to move": Case("STORAGE_UNAVAILABLE", move(), before=book(RICARDO), before_write=disk_full),
    "booked already": Case("ALREADY_BOOKED", book(RICARDO), before=book(RICARDO)),
    "disk full, to cancel": Case("STORAGE_UNAVAILABLE", cancel(RICARDO), before=book(RICARDO), before_write=disk_full),
    "disk does not confirm": Case("STORAGE_UNAVAILABLE", book(RICARDO), before_folder_sync=disk_full),
    "impossible date": Case("INVALID_ARGUMENTS", book({**RICARDO, "date": "2025-02-30"})),
    "several faults": Case("INVALID_ARGUMENTS", book({"doctor": " ", "date": "21/07/2025", "time": "9h"})),
    "no CPF": Case("INVALID_ARGUMENTS", book(RICARDO, {**CARLOS, "cpf": "123"})),
    "no UUID": Case("INVALID_ARGUMENTS", book(RICARDO, request_id="1")),
    "control character": Case("INVALID_ARGUMENTS", ("query", {"query": "asma\x1b[2J"})),
    "empty query": Case("INVALID_ARGUMENTS", ("query", {"query": ""})),
    "a fault of the clinic": Case("INTERNAL", book(RICARDO), before_write=defect),
}


def test_every_reason_of_the_contract_is_compared_here_or_is_known_to_have_one_door() -> None:
    # Those about tokens and their holders are compared where clinics ask for them: tests/wire/identity.
    # What takes many writes, or rules of the house, is where those are: tests/wire/clinics, tests/unit/clinics.
    elsewhere = {"UNAUTHENTICATED", "PERMISSION_DENIED", "RATE_LIMITED", "REQUEST_IDS_EXHAUSTED"}
    elsewhere |= {"NOTICE_TOO_SHORT", "CHANGE_TOO_LATE", "TOO_MANY_APPOINTMENTS"}
    elsewhere |= {"NOT_IN_AGENDA", "SLOT_OVERLAPS"}  # tests/wire/identity, too
    compared = {case.reason for case in CASES.values()} | {"OVERLOADED"} | elsewhere
    assert compared | set(ONE_DOOR) == set(REASONS)
    assert not compared & set(ONE_DOOR)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_refusal_is_the_same_through_both_doors_and_repeats_nothing_personal(doors: Doors, case: Case) -> None:
    if case.before is not None:
        assert isinstance(doors.ask(*case.before), dict)
    doors.hook(case.before_write, case.before_folder_sync)
    refusal = doors.ask(*case.call)
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.domain) == (case.reason, REASONS[case.reason].domain)
    assert not any(value in repr(refusal) for value in (*CARLOS.values(), *MARIA.values()))
    assert doors.typed.slots == doors.enveloped.slots


def test_what_is_not_open_comes_with_the_same_alternatives(doors: Doors) -> None:
    refusal = doors.ask(*book({**RICARDO, "time": "03:00"}))
    assert isinstance(refusal, Refusal)
    (detail,) = refusal.details
    assert detail["@type"] == "type.googleapis.com/clinic.v1.SlotAlternatives"
    assert [(slot["date"], slot["time"], slot["available"]) for slot in detail["slots"]] == [
        ("2025-07-21", "09:00", True),
        ("2025-07-21", "10:30", True),
        ("2025-07-22", "14:00", True),
    ]


def test_wrong_arguments_are_named_field_by_field(doors: Doors) -> None:
    refusal = doors.ask(*CASES["several faults"].call)
    assert isinstance(refusal, Refusal)
    assert [(violation["field"], violation["reason"]) for violation in refusal.violations] == [
        ("doctor", "REQUIRED"),
        ("date", "WRONG_FORMAT"),
        ("time", "WRONG_FORMAT"),
    ]
    assert refusal.metadata == {"tool": "book_appointment"}


@pytest.mark.parametrize(("reached", "outcome"), [(False, "unchanged"), (True, "unknown")])
def test_what_became_of_a_write_that_the_disk_failed_is_said_alike(
    doors: Doors, *, reached: bool, outcome: str
) -> None:
    before = doors.typed.slots
    doors.hook(nothing if reached else disk_full, disk_full)
    refusal = doors.ask(*book(RICARDO))
    assert isinstance(refusal, Refusal)
    assert refusal.metadata == {"outcome": outcome}
    assert (doors.typed.slots == before) is not reached


def test_a_clinic_that_has_all_the_writes_it_takes_refuses_the_next_one_alike(doors: Doors) -> None:
    opened = threading.Event()

    def held_up() -> None:
        assert opened.wait(DEADLINE_S)

    doors.hook(held_up)
    with ThreadPoolExecutor(2 * (MAX_WRITES + 1)) as callers:
        try:
            refusals = [_first_answer(callers, side) for side in (doors.typed, doors.enveloped)]
        finally:
            opened.set()
    typed, enveloped = refusals
    assert typed == enveloped
    assert isinstance(typed, Refusal)
    assert typed.reason == "OVERLOADED"


def _first_answer(callers: ThreadPoolExecutor, side: Side) -> Answer:
    """Repeat a write once more than a clinic takes and return the first answer; the others wait for the disk."""
    same_write = book(RICARDO, request_id=REQUEST_ID)
    # A connection takes fewer calls at once than a clinic.
    doors = [side.another_connection() for _ in range(MAX_WRITES // 8)]
    asked = [callers.submit(doors[number % len(doors)].ask, *same_write) for number in range(MAX_WRITES + 1)]
    answered = wait(asked, timeout=DEADLINE_S, return_when=FIRST_COMPLETED).done
    return next(iter(answered)).result()
