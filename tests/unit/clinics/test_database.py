from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinics.database import Database, load
from clinics.ledger import Ledger, Record, WriteOutcome
from clinics.slots import Slot, SlotRef, Snapshot, Visit
from clinics.startup import StartupError

SLOT = {
    "doctor": "Dr. Ricardo Lopes",
    "specialty": "Cardiologia",
    "date": "2025-07-21",
    "time": "09:00",
    "available": False,
    "patient_name": "Carlos Secreto",
    "cpf": "123.456.789-00",
}
RECORD = {
    "digest": "ab",
    "outcome": {"booked": {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"}, "released": None},
    "at": "2025-07-15T11:00:00+00:00",
}


def with_slot(**fields: object) -> dict[str, Any]:
    return {"slots": [{**SLOT, "time": "08:00"}, {**SLOT, **fields}]}


def without(name: str) -> dict[str, Any]:
    return {"slots": [{key: value for key, value in SLOT.items() if key != name}]}


def with_record(**fields: object) -> dict[str, Any]:
    return {"slots": [SLOT], "requests": {"id-1": {**RECORD, **fields}}}


def test_the_blueprints_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "db.json"
    path.write_text(json.dumps({"slots": [SLOT]}), "utf-8")
    database = load(path)
    assert database.snapshot.slots == [Slot(**SLOT)]  # type: ignore[arg-type]  # values of a JSON object
    assert not database.ledger.records


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ({}, 'slots: the field "slots" is missing'),
        ([], "the root: an object is expected"),
        ({"slots": {}}, "slots: a list is expected"),
        ({"slots": [SLOT], "extra": 1}, "the root: there is an unknown field"),
        ({"slots": [SLOT, 7]}, "slots[1]: an object is expected"),
        (without("cpf"), 'slots[0].cpf: the field "cpf" is missing'),
        (with_slot(room="1"), "slots[1]: there is an unknown field"),
        (with_slot(doctor=" "), "slots[1].doctor: text is expected"),
        (with_slot(doctor=None), "slots[1].doctor: text is expected"),
        (with_slot(date="2025-02-30"), "slots[1].date: a date as YYYY-MM-DD is expected"),
        (with_slot(date="20250721"), "slots[1].date: a date as YYYY-MM-DD is expected"),
        (with_slot(time="9:00"), "slots[1].time: a time as HH:MM is expected"),
        (with_slot(time="24:00"), "slots[1].time: a time as HH:MM is expected"),
        (with_slot(available="no"), "slots[1].available: true or false is expected"),
        (with_slot(available=0), "slots[1].available: true or false is expected"),
        (with_slot(available=True), "slots[1].patient_name: null is expected"),
        (with_slot(available=True, patient_name=None), "slots[1].cpf: null is expected"),
        (with_slot(cpf=None), "slots[1].cpf: text is expected, because"),
        (with_slot(patient_name=5), "slots[1].patient_name: text is expected"),
        (with_slot(cpf="123"), "slots[1].cpf: eleven digits are expected"),
        (with_slot(doctor="dr RICARDO lopes", time="08:00"), "slots[1]: an earlier slot has the same doctor"),
        ({"slots": [SLOT], "requests": []}, "requests: an object is expected"),
        (with_record(at="yesterday"), "requests[0].at: an ISO 8601 instant"),
        (with_record(at="2025-07-15T08:00:00-03:00"), "requests[0].at: an ISO 8601 instant"),
        (with_record(outcome={"booked": None}), 'requests[0].outcome.released: the field "released" is missing'),
        (with_record(outcome={"booked": 1, "released": None}), "requests[0].outcome.booked: an object is expected"),
        (with_record(digest=None), "requests[0].digest: text is expected"),
        (with_record(cpf="x"), "requests[0]: there is an unknown field"),
    ],
)
def test_a_fault_is_named_by_its_place_and_no_value_is_repeated(tmp_path: Path, content: object, place: str) -> None:
    path = tmp_path / "db.json"
    path.write_text(json.dumps(content), "utf-8")
    before = path.read_bytes()
    with pytest.raises(StartupError) as error:
        load(path)
    message = str(error.value)
    assert message.startswith(f"{path}: {place}")
    assert "move it away" in message
    assert "Secreto" not in message
    assert "123.456" not in message
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        (lambda text: "", "line 1, column 1: this is not JSON"),
        (lambda text: text[: len(text) // 2], "this is not JSON"),
        (lambda text: text.replace('"slots": [', '"slots": [,\n'), "line 2, column 13: this is not JSON"),
        (lambda text: text.replace("Carlos", "\ud800"), "this is not JSON"),
    ],
    ids=["empty", "cut off", "typing error", "not UTF-8"],
)
def test_what_is_not_json_is_named_by_line(tmp_path: Path, spoil: Callable[[str], str], place: str) -> None:
    path = tmp_path / "db.json"
    path.write_bytes(spoil(json.dumps({"slots": [SLOT]}, indent=2)).encode("utf-8", "surrogatepass"))
    with pytest.raises(StartupError) as error:
        load(path)
    assert place in str(error.value)
    assert "Secreto" not in str(error.value)


def test_a_file_that_cannot_be_read_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "db.json").mkdir()
    with pytest.raises(StartupError, match="cannot be read"):
        load(tmp_path / "db.json")


TEXT = st.text(min_size=1).filter(lambda text: bool(text.strip()))
DATES, TIMES = st.dates().map(str), st.times().map(lambda time: f"{time:%H:%M}")
VISITS = st.builds(Visit, st.uuids().map(str), st.integers(0, 9))
SLOTS = st.one_of(
    st.builds(Slot, TEXT, TEXT, DATES, TIMES),
    st.builds(
        *(Slot, TEXT, TEXT, DATES, TIMES, st.just(value=False), TEXT),
        st.from_regex(r"[0-9]{11}", fullmatch=True),
        st.none() | VISITS,
    ),
)
REFS = st.none() | st.builds(SlotRef, TEXT, DATES, TIMES)
RECORDS = st.builds(
    Record,
    TEXT,
    st.builds(WriteOutcome, REFS, REFS, st.none() | VISITS),
    st.just("2025-07-15T11:00:00+00:00") | st.just("2025-07-15T11:00:01+00:00"),
)


@given(st.lists(SLOTS, max_size=4, unique_by=lambda slot: slot.date), st.dictionaries(TEXT, RECORDS, max_size=3))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, slots: list[Slot], records: dict[str, Record]
) -> None:
    path = tmp_path_factory.mktemp("silo") / "db.json"
    database = Database(Snapshot(slots), Ledger.of(records.items()))
    path.write_bytes(database.encode())
    read = load(path)
    assert read.snapshot.slots == database.snapshot.slots
    assert [slot.visit for slot in read.snapshot.slots] == [slot.visit for slot in slots]
    assert read.ledger == database.ledger
