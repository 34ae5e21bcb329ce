"""Text arguments become typed actions and come out again as they were; what is not exact stays text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time

import pytest

from orchestrator.turn.plan import Step
from orchestrator.turn.step_actions import (
    BOOK,
    CANCEL,
    CATALOGUE,
    LIST,
    MOVE,
    Appointment,
    Book,
    Cancel,
    ListOpenings,
    Move,
    ToolCall,
    action_of,
    arguments_of,
    is_write,
)

FRIDAY = {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
MOVED = {
    "original_date": "2025-07-18",
    "original_time": "10:00",
    "doctor": "Dr. Fernando Mendes",
    "new_date": "2025-07-24",
    "new_time": "16:00",
}


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        (LIST, {}, ListOpenings),
        (LIST, {"doctor": "Dr. Fernando Mendes"}, ListOpenings),
        (BOOK, FRIDAY, Book),
        (CANCEL, FRIDAY, Cancel),
        (MOVE, MOVED, Move),
    ],
)
def test_the_contracts_arguments_make_a_typed_action_and_come_out_in_its_order(
    name: str, arguments: Mapping[str, str], kind: type
) -> None:
    action = action_of(name, arguments)
    assert isinstance(action, kind)
    assert (action.name, arguments_of(action)) == (name, arguments)
    known = [argument.name for argument in CATALOGUE[name].arguments]
    assert list(arguments_of(action)) == [one for one in known if one in arguments]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (BOOK, {}),
        (BOOK, {**FRIDAY, "date": "18/07/2025"}),
        (BOOK, {**FRIDAY, "date": "20250718"}),
        (BOOK, {**FRIDAY, "time": "10:00:00"}),
        (BOOK, {**FRIDAY, "cpf": "123.456.789-00"}),
        (BOOK, {**FRIDAY, "doctor": "Dr. \ud800"}),
        (MOVE, FRIDAY),
        (LIST, {"doctor": "Dr. Fernando Mendes", "specialty": "Cardiology"}),
        ("raw_response", {"characters": "12"}),
    ],
)
def test_what_is_not_exactly_the_contracts_stays_as_it_was_given(name: str, arguments: Mapping[str, str]) -> None:
    assert action_of(name, arguments) == ToolCall(name, arguments)


def test_a_step_names_the_slots_that_it_gives_back_and_takes() -> None:
    friday = Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 18), time(10))
    thursday = Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 24), time(16))
    slots = {name: Step(1, "clinic_c", action_of(name, FRIDAY)).slots for name in (BOOK, CANCEL)}
    assert slots == {BOOK: (friday,), CANCEL: (friday,)}
    move = Step(1, "clinic_c", action_of(MOVE, MOVED))
    assert (move.slots, move.given_back, move.taken) == ((friday, thursday), friday, thursday)
    assert Step(1, "clinic_c", ListOpenings()).slots == ()


def test_typed_actions_call_tools_of_the_catalogue_and_the_writes_are_writes() -> None:
    assert {name for name in (LIST, BOOK, MOVE, CANCEL) if is_write(name)} == {BOOK, MOVE, CANCEL}
