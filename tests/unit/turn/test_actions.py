"""Typed actions have the arguments of the contract, in its order."""

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
    is_write,
)
from tests.support.steps import action_of

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
def test_a_typed_action_has_the_contracts_arguments_in_its_order(
    name: str, arguments: Mapping[str, str], kind: type
) -> None:
    step = Step(1, "clinic_c", action_of(name, arguments))
    assert isinstance(step.call, kind)
    assert (step.action, step.parameters) == (name, arguments)
    known = [argument.name for argument in CATALOGUE[name].arguments]
    assert list(step.parameters) == [one for one in known if one in arguments]


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
