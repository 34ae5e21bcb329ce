from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinics.database import Database, Encoder, load
from clinics.ledger import Ledger, Record, WriteOutcome
from clinics.slots import Slot, SlotRef, Snapshot

SLOTS = tuple(Slot("Dra. Inês Sant'Anna", "Cardiologia", "2025-07-21", f"{hour:02d}:00") for hour in range(8, 13))
TAKEN = Slot("Dra. Inês Sant'Anna", "Cardiologia", "2025-07-21", "08:00", False, 'João "Jô" Araújo', "12345678900")
RECORDS = {
    f"id-{number}": Record("ab", WriteOutcome(booked=SlotRef("Dr. X", "2025-07-21", f"{number:02d}:00")), "at")
    for number in range(4)
}
AGENDAS = st.lists(st.sampled_from([*SLOTS, TAKEN]), max_size=40).map(tuple)


@dataclass
class Course:
    """How a ledger goes on: some of the oldest are dropped, some of the newest are taken back, and others are added."""

    dropped: int
    taken_back: int
    added: list[str]


COURSES = st.builds(
    Course, st.integers(0, 3), st.integers(0, 3), st.lists(st.sampled_from("abcdef"), max_size=4, unique=True)
)


@given(st.lists(st.tuples(AGENDAS, COURSES), min_size=1, max_size=8))
def test_what_is_kept_from_one_encoding_to_the_next_never_shows(states: list[tuple[tuple[Slot, ...], Course]]) -> None:
    encoder, records = Encoder(), dict[str, Record]()
    for at, (slots, course) in enumerate(states):
        kept = [*records.items()][course.dropped :]
        records = dict(kept[: max(0, len(kept) - course.taken_back)])
        # An id that was taken back may come again, with another record.
        records |= {key: Record(f"digest-{at}", WriteOutcome(), "at") for key in course.added if key not in records}
        assert encoder.encode(slots, records) == Encoder().encode(slots, records)


def test_slots_are_indented_with_accents_and_a_record_takes_a_line() -> None:
    content = Database(Snapshot((TAKEN, SLOTS[1])), Ledger(dict(list(RECORDS.items())[:2]))).encode().decode()
    assert json.loads(content)["slots"][0]["patient_name"] == 'João "Jô" Araújo'
    lines = content.splitlines()
    assert lines[:4] == ["{", '  "slots": [', "    {", '      "doctor": "Dra. Inês Sant\'Anna",']
    assert [line[:12] for line in lines if line.startswith('    "')] == ['    "id-0": ', '    "id-1": ']
    assert content.endswith("\n  }\n}\n")


def test_an_empty_agenda_is_readable(tmp_path: Path) -> None:
    path = tmp_path / "db.json"
    path.write_bytes(Database().encode())
    assert (load(path).snapshot.slots, load(path).ledger) == ([], Ledger())


def test_an_encoding_that_failed_leaves_nothing_behind() -> None:
    unwritable = Slot("Dr. X", "Cardiologia", "2025-07-21", "09:00", False, "\ud800", "12345678900")
    encoder = Encoder()
    before = encoder.encode(SLOTS, {})
    with pytest.raises(TypeError):
        encoder.encode((TAKEN, unwritable, *SLOTS[2:]), {})
    assert encoder.encode(SLOTS, {}) == before


def test_a_record_that_cannot_be_encoded_takes_none_of_the_others_away() -> None:
    encoder = Encoder()
    before = encoder.encode(SLOTS, RECORDS)
    newer = dict([*RECORDS.items()][1:]) | {"id-9": Record("\ud800", WriteOutcome(), "at")}
    with pytest.raises(TypeError):
        encoder.encode(SLOTS, newer)
    assert encoder.encode(SLOTS, RECORDS) == before
