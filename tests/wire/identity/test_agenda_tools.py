"""Operators keep the agenda through both doors: what opens, what closes, who is in the way, and what the log tells."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest

from clinics.program import serve
from mesh.server import NodePolicies
from orchestrator.security.token_keys import KeyFolder
from tests.support.clinics import NOW
from tests.support.tokens import CARLOS_CPF, JOANA_CPF, resigned, token_for
from tests.wire.identity.conftest import DOORS, Guarded
from tests.wire.parity.doors import EnvelopeDoor, Refusal, TypedDoor

DoorKind = type[TypedDoor | EnvelopeDoor]
RICARDO = "Dr. Ricardo Lopes"
MONDAY, TUESDAY = "2025-07-21", "2025-07-22"
CARLOS = {"patient_name": "Carlos Teste", "cpf": CARLOS_CPF}
JOANA = {"patient_name": "Joana Lima", "cpf": JOANA_CPF}
MORNING = {"doctor": RICARDO, "date": MONDAY, "reason": "CLOSING_REASON_ILLNESS", "last_time": "12:00"}


class Desk:
    """An operator and patients at one door of one clinic."""

    def __init__(self, guarded: Guarded, keys: KeyFolder, kind: DoorKind) -> None:
        self._guarded = guarded
        self._keys = keys
        self._kind = kind
        self.operator = guarded.door(kind, token_for(keys, issuer="operator"))

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.operator.ask(tool, arguments)
        assert isinstance(answer, dict), answer
        return answer

    def refusal(self, tool: str, **arguments: Any) -> Refusal:
        answer = self.operator.ask(tool, arguments)
        assert isinstance(answer, Refusal), answer
        return answer

    def book(self, who: Mapping[str, str], date: str, time: str) -> str:
        """Return "booked" or the reason of the refusal, as the patient is answered."""
        return self.as_patient("book_appointment", who, doctor=RICARDO, date=date, time=time)

    def cancel(self, who: Mapping[str, str], date: str, time: str) -> str:
        return self.as_patient("cancel_appointment", who, doctor=RICARDO, date=date, time=time)

    def as_patient(self, tool: str, who: Mapping[str, str], **arguments: str) -> str:
        door = self._guarded.door(self._kind, token_for(self._keys, who["cpf"]))
        answer = door.ask(tool, {**arguments, **who})
        return answer.reason if isinstance(answer, Refusal) else "done"

    def open_times(self, date: str) -> list[str]:
        slots = self.ask("list_available_slots", doctor=RICARDO)["available_slots"]
        return [slot["time"] for slot in slots if slot["date"] == date]

    def day(self, date: str = MONDAY) -> dict[str, str]:
        entries = self.ask("list_agenda", date=date)["entries"]
        return {entry["time"]: entry["state"].removeprefix("SLOT_STATE_").lower() for entry in entries}

    def log(self) -> list[dict[str, Any]]:
        path = self._guarded.folder / "clinic_a" / "operations.jsonl"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(params=DOORS, ids=lambda kind: kind.__name__)
def desk(request: pytest.FixtureRequest, guarded: Guarded, keys: KeyFolder) -> Desk:
    return Desk(guarded, keys, request.param)


def root(guarded: Guarded) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(guarded.database("clinic_a"))
    return content


def test_closed_times_are_not_listed_nor_booked_and_open_again(desk: Desk, guarded: Guarded) -> None:
    closed = desk.ask("close_slots", **MORNING)
    assert [entry["time"] for entry in closed["closed"]] == ["09:00", "10:30"]
    assert {entry["reason"] for entry in closed["closed"]} == {"CLOSING_REASON_ILLNESS"}
    assert (closed["held"], closed["unchanged"]) == ([], 0)
    assert desk.open_times(MONDAY) == []
    assert desk.book(CARLOS, MONDAY, "09:00") == "SLOT_UNAVAILABLE"
    assert [slot["reason"] for slot in root(guarded)["closed"]] == ["illness"] * 2
    seven = {"doctor", "specialty", "date", "time", "available", "patient_name", "cpf"}
    assert all(set(slot) == seven for slot in root(guarded)["slots"])
    opened = desk.ask("open_slots", doctor="ricardo lopes", dates=[MONDAY], times=["09:00"])
    assert [slot["time"] for slot in opened["slots"]] == ["09:00"]
    assert desk.book(CARLOS, MONDAY, "09:00") == "done"


def test_a_held_slot_stays_held_is_listed_and_closes_when_its_holder_leaves(desk: Desk, guarded: Guarded) -> None:
    assert desk.book(CARLOS, MONDAY, "09:00") == "done"
    closed = desk.ask("close_slots", **MORNING)
    assert [entry["time"] for entry in closed["closed"]] == ["10:30"]
    assert [(entry["time"], entry["patient_name"]) for entry in closed["held"]] == [("09:00", "Carlos Teste")]
    assert desk.day() == {"09:00": "held", "10:30": "closed"}
    assert [len(root(guarded)[key]) for key in ("closed", "closing")] == [1, 1]
    assert desk.cancel(CARLOS, MONDAY, "09:00") == "done"
    assert desk.day() == {"09:00": "closed", "10:30": "closed"}
    assert desk.book(JOANA, MONDAY, "09:00") == "SLOT_UNAVAILABLE"


def test_a_repeat_changes_nothing_more(desk: Desk, guarded: Guarded) -> None:
    assert desk.book(CARLOS, MONDAY, "09:00") == "done"
    opening = {"doctor": RICARDO, "dates": [TUESDAY], "times": ["08:00"]}
    for tool, arguments in (("close_slots", MORNING), ("open_slots", opening)):
        desk.ask(tool, **arguments)
        before = guarded.database("clinic_a")
        again = desk.ask(tool, **arguments)
        assert again["unchanged"] == 1
        assert guarded.database("clinic_a") == before


def test_a_weekly_pattern_opens_its_weekdays(desk: Desk) -> None:
    weekly = {"weekdays": ["WEEKDAY_TUESDAY", "WEEKDAY_THURSDAY"], "last_date": "2025-08-01"}
    opened = desk.ask("open_slots", doctor=RICARDO, times=["08:00"], **weekly)["slots"]
    days = ["2025-07-17", "2025-07-22", "2025-07-24", "2025-07-29", "2025-07-31"]  # the 15th at 08:00 is now
    assert [(slot["date"], slot["duration_min"]) for slot in opened] == [(day, 30) for day in days]


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("open_slots", {"dates": [MONDAY], "times": ["09:15"]}, "SLOT_OVERLAPS"),
        ("open_slots", {"dates": [TUESDAY], "times": ["08:00", "08:15"]}, "SLOT_OVERLAPS"),
        ("open_slots", {"dates": ["2025-07-14"], "times": ["09:00"]}, "NOT_IN_AGENDA"),
        ("open_slots", {"dates": ["2027-07-14"], "times": ["09:00"]}, "NOT_IN_AGENDA"),
        ("open_slots", {"dates": ["2025-07-15"], "times": ["07:00"]}, "NOT_IN_AGENDA"),
        ("open_slots", {"dates": [TUESDAY], "times": []}, "NOT_IN_AGENDA"),
        ("open_slots", {"times": ["09:00"], "weekdays": ["WEEKDAY_MONDAY"]}, "NOT_IN_AGENDA"),
        ("open_slots", {"times": ["09:00"]}, "NOT_IN_AGENDA"),
        ("close_slots", {"date": "2025-07-14", "reason": "CLOSING_REASON_OTHER"}, "NOT_IN_AGENDA"),
        ("close_slots", {"date": MONDAY, "last_date": "2025-10-01", "reason": "CLOSING_REASON_OTHER"}, "NOT_IN_AGENDA"),
        ("close_slots", {"date": TUESDAY, "last_date": MONDAY, "reason": "CLOSING_REASON_OTHER"}, "NOT_IN_AGENDA"),
        ("list_agenda", {"doctor": "Dra. Ninguém"}, "NOT_IN_AGENDA"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(
    desk: Desk, guarded: Guarded, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    before = guarded.database("clinic_a")
    assert desk.refusal(tool, **{"doctor": RICARDO, **arguments}).reason == reason
    assert guarded.database("clinic_a") == before


def test_names_take_the_scope_records(guarded: Guarded, keys: KeyFolder) -> None:
    desk = Desk(guarded, keys, TypedDoor)
    desk.book(CARLOS, MONDAY, "09:00")
    token = resigned(keys, token_for(keys, issuer="operator"), issuer="operator", scope="read write")
    narrow = guarded.door(TypedDoor, token)
    for answer in (narrow.ask("list_agenda", {"date": MONDAY}), narrow.ask("close_slots", MORNING)):
        assert isinstance(answer, dict)
        assert "Carlos" not in str(answer)
        assert CARLOS_CPF not in str(answer)
    assert "Carlos Teste" in str(desk.ask("list_agenda", date=MONDAY))


def test_the_log_tells_each_change_and_each_read_of_a_record_and_names_nobody(desk: Desk, guarded: Guarded) -> None:
    desk.book(CARLOS, MONDAY, "09:00")
    desk.book(JOANA, MONDAY, "09:00")  # refused: nothing to tell
    desk.as_patient(
        "reschedule_appointment",
        CARLOS,
        doctor=RICARDO,
        original_date=MONDAY,
        original_time="09:00",
        new_date=TUESDAY,
        new_time="14:00",
    )
    desk.cancel(CARLOS, TUESDAY, "14:00")
    for tool, arguments in (
        ("close_slots", MORNING),
        ("open_slots", {"doctor": RICARDO, "dates": [MONDAY], "times": ["09:00", "10:30"]}),
        ("get_patient", {"patient_id": "CARD-001"}),
        ("list_patients", {}),
        ("query", {"query": "hipertensão"}),
        ("list_agenda", {"date": MONDAY}),
        ("list_appointments", {}),
        ("list_available_slots", {}),
    ):
        desk.ask(tool, **arguments)
    told = [(line["tool"], line["outcome"], line["role"]) for line in desk.log()]
    assert told == [
        ("book_appointment", "booked", "patient"),
        ("reschedule_appointment", "moved", "patient"),
        ("cancel_appointment", "cancelled", "patient"),
        *[("close_slots", "closed", "operator")] * 2,
        *[("open_slots", "opened", "operator")] * 2,
        ("get_patient", "read", "operator"),
        ("list_patients", "read", "operator"),
        ("query", "read", "operator"),
        ("list_agenda", "read", "operator"),
        ("list_appointments", "read", "operator"),
    ]
    first, moved, *_ = desk.log()
    assert first["slot"] == {"doctor": RICARDO, "date": MONDAY, "time": "09:00"}
    assert (moved["slot"]["date"], moved["moved_from"]["date"]) == (TUESDAY, MONDAY)
    assert desk.log()[7]["record"] == "CARD-001"
    assert len({line["subject"] for line in desk.log()}) > 1
    text = (guarded.folder / "clinic_a" / "operations.jsonl").read_text("utf-8")
    digits = "".join(filter(str.isdigit, CARLOS_CPF))
    assert not [secret for secret in ("Carlos", "Joana", CARLOS_CPF, digits) if secret in text]


@pytest.mark.parametrize(
    ("sent", "told"),
    [("Claude Desktop 1.2", "Claude Desktop 1.2"), ("x" * 60, "x" * 60), ("x" * 61, None), (" ", None)],
)
def test_the_log_tells_which_program_confirmed_a_write(
    guarded: Guarded, keys: KeyFolder, sent: str, told: str | None
) -> None:
    metadata = (("authorization", f"Bearer {token_for(keys)}"), ("x-confirmed-by", sent))
    kinds: tuple[DoorKind, ...] = DOORS
    for kind, time in zip(kinds, ("09:00", "10:30"), strict=True):
        door, slot = guarded.door(kind, None, metadata=metadata), {"doctor": RICARDO, "date": MONDAY, "time": time}
        assert isinstance(door.ask("book_appointment", {**slot, **CARLOS}), dict)
    assert [line["host"] for line in Desk(guarded, keys, TypedDoor).log()] == [told, told]


@pytest.fixture
def rolling(tmp_path: Path, keys: KeyFolder) -> Iterator[Any]:
    """Starts the clinic of one silo anew, at an instant, and returns an operator's door."""
    with ExitStack() as running:

        def start(now: str) -> TypedDoor:
            running.close()
            server = running.enter_context(
                serve("clinic_a", "127.0.0.1:0", tmp_path, "rolling", now, NodePolicies(keys.public))
            )
            channel = running.enter_context(grpc.insecure_channel(server.address))
            return TypedDoor(channel, (("authorization", f"Bearer {token_for(keys, issuer='operator')}"),))

        yield start


def test_the_rolling_agenda_does_not_open_what_was_closed(rolling: Any) -> None:
    def open_days(door: TypedDoor) -> set[str]:
        answer = door.ask("list_available_slots", {"doctor": RICARDO})
        assert isinstance(answer, dict)
        return {slot["date"] for slot in answer["available_slots"]}

    door = rolling(NOW)
    # The 1st of August is beyond the horizon of today.
    closing = {"doctor": RICARDO, "date": "2025-07-21", "last_date": "2025-08-01", "reason": "CLOSING_REASON_LEAVE"}
    assert isinstance(door.ask("close_slots", closing), dict)
    assert open_days(door) == {"2025-07-16", "2025-07-18"}
    assert open_days(rolling("2025-07-22T08:00-03:00")) == {"2025-08-04"}
