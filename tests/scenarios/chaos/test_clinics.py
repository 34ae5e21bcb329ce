"""Clinics that are slow, gone, restarted, flapping or strange: what a person is told, and what is on the disks."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pytest

from mesh.limits import Limits
from orchestrator.agents import router
from orchestrator.turn.reply import TurnOutcome
from tests.scenarios.chaos.faults import KEPT_FROM_CALLERS, ON_THE_WAY, in_turn
from tests.scenarios.chaos.stage import PEOPLE, Person, Stage
from tests.scenarios.chaos.wishes import (
    BOOK,
    CANCEL,
    FERNANDO_18,
    LIST,
    NEVER_ENDS,
    NOTHING_CHANGED,
    TO_FIND_OUT,
    WAIT_S,
    holds,
    leave_in_doubt,
    propose,
)
from tests.support.clinics import Guard
from tests.support.relay import Passage

READS: Mapping[str, TurnOutcome] = {**dict.fromkeys(ON_THE_WAY, TurnOutcome.PARTIAL), "arrives twice": TurnOutcome.OK}
WRITES: Mapping[str, TurnOutcome] = {
    "never arrives": TurnOutcome.UNKNOWN_WRITE,
    "never arrives in time": TurnOutcome.UNKNOWN_WRITE,
    "is turned away for its load": TurnOutcome.UNKNOWN_WRITE,
    "is turned away by a gateway": TurnOutcome.UNKNOWN_WRITE,
    "finds something else there": TurnOutcome.UNKNOWN_WRITE,
    "loses its answer": TurnOutcome.UNKNOWN_WRITE,
    "is answered too late": TurnOutcome.UNKNOWN_WRITE,
    "breaks once it is done": TurnOutcome.UNKNOWN_WRITE,
    "is turned away once it is done": TurnOutcome.UNKNOWN_WRITE,
    "is limited": TurnOutcome.REFUSED,
    "is refused in unknown words": TurnOutcome.UNKNOWN_WRITE,
    "is answered with garbage": TurnOutcome.UNKNOWN_WRITE,
    "arrives twice": TurnOutcome.OK,
}
"""By what befalls every call at one of two clinics, what a turn comes to."""


@pytest.mark.long(but=6)
@pytest.mark.parametrize("name", ON_THE_WAY)
def test_whatever_befalls_one_clinic_the_other_ones_openings_are_shown(stage: Stage, person: Person, name: str) -> None:
    stage.relays["clinic_a"].trouble(ON_THE_WAY[name], NEVER_ENDS)
    reply = stage.say(person, LIST)
    assert reply.outcome is READS[name]
    assert "Dr. Fernando Mendes" in reply.plain
    assert ("Dr. Ricardo Lopes" in reply.plain) is (reply.outcome is TurnOutcome.OK)
    assert "Clínica A" in reply.plain


@pytest.mark.long(but=6)
@pytest.mark.parametrize("name", ON_THE_WAY)
def test_whatever_befalls_a_booking_it_is_made_once_or_not_at_all_and_a_yes_finds_out(
    stage: Stage, person: Person, name: str
) -> None:
    propose(stage, person)
    stage.relays["clinic_c"].trouble(ON_THE_WAY[name], NEVER_ENDS)
    reply = stage.say(person, "sim")
    assert reply.outcome is WRITES[name]
    assert (NOTHING_CHANGED in reply.plain) is (reply.outcome in {TurnOutcome.ALL_DOWN, TurnOutcome.REFUSED})
    stage.heal()
    if reply.outcome is TurnOutcome.UNKNOWN_WRITE:
        assert TO_FIND_OUT in reply.plain
        reply = stage.say(person, "sim")
    is_booked = reply.outcome is TurnOutcome.OK
    assert holds(stage, person, *[FERNANDO_18] * is_booked)
    assert len(person.session.appointments) == is_booked


@pytest.mark.long(but=6)
@pytest.mark.parametrize("kept", KEPT_FROM_CALLERS)
@pytest.mark.parametrize("name", [name for name, outcome in WRITES.items() if outcome is not TurnOutcome.OK])
def test_a_write_in_doubt_stays_in_doubt_whatever_keeps_its_repeat_from_the_clinic(
    stage: Stage, person: Person, kept: str, name: str
) -> None:
    leave_in_doubt(stage, person, kept)
    stage.relays["clinic_c"].trouble(ON_THE_WAY[name], NEVER_ENDS)
    reply = stage.say(person, "sim")
    assert reply.outcome is TurnOutcome.UNKNOWN_WRITE
    assert NOTHING_CHANGED not in reply.plain
    assert TO_FIND_OUT in reply.plain
    stage.heal()
    assert stage.say(person, "sim").outcome is TurnOutcome.OK
    assert holds(stage, person, FERNANDO_18)


def test_a_clinics_own_no_to_a_repeat_says_that_the_first_try_was_not_made(stage: Stage, person: Person) -> None:
    leave_in_doubt(stage, person, "never arrives in time")
    stage.heal()
    quicker = Person(*PEOPLE[1])
    stage.say(quicker, "I'll take Dr. Fernando Mendes on July 18 at 10 AM")
    assert stage.say(quicker, "yes").outcome is TurnOutcome.OK
    reply = stage.say(person, "sim")
    assert reply.outcome is TurnOutcome.REFUSED
    assert NOTHING_CHANGED in reply.plain
    assert holds(stage, quicker, FERNANDO_18)


def test_a_wish_said_again_in_doubt_finds_its_own_booking_and_makes_no_second(stage: Stage, person: Person) -> None:
    leave_in_doubt(stage, person, "is answered too late")
    stage.heal()
    assert "sem duplicar" in stage.say(person, BOOK).plain
    assert stage.say(person, "sim").outcome is TurnOutcome.OK
    assert holds(stage, person, FERNANDO_18)


def test_a_clinic_that_is_gone_between_plan_and_call_has_changed_nothing(stage: Stage, person: Person) -> None:
    propose(stage, person)
    stage.relays["clinic_c"].cut()
    reply = stage.say(person, "sim")
    assert reply.outcome is TurnOutcome.ALL_DOWN
    assert NOTHING_CHANGED in reply.plain
    assert holds(stage, person)


def test_a_clinic_that_stops_once_it_has_written_tells_of_it_when_it_is_back(stage: Stage, person: Person) -> None:
    def dies(passage: Passage) -> bytes:
        passage.forward()
        stage.stop("clinic_c")
        return passage.forward()

    propose(stage, person)
    stage.relays["clinic_c"].trouble(dies, 1)
    assert stage.say(person, "sim").outcome is TurnOutcome.UNKNOWN_WRITE
    assert holds(stage, person, FERNANDO_18)
    stage.restart("clinic_c")
    assert stage.say(person, "sim").outcome is TurnOutcome.OK
    assert holds(stage, person, FERNANDO_18)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("at", [0, 1, 2, 3, 4])
def test_a_clinic_may_be_restarted_before_any_turn(stage: Stage, person: Person, at: int) -> None:
    outcomes = []
    for number, said in enumerate((LIST, BOOK, "sim", CANCEL, "sim")):
        if number == at:
            stage.restart("clinic_c")
        outcomes.append(stage.say(person, said).outcome)
        assert holds(stage, person, *[FERNANDO_18] * (number in {2, 3}))
    assert outcomes == [TurnOutcome.OK, TurnOutcome.CONFIRM, TurnOutcome.OK, TurnOutcome.CONFIRM, TurnOutcome.OK]


def test_a_clinic_that_fails_every_other_call_is_served_as_if_nothing_were(stage: Stage, person: Person) -> None:
    flapping = in_turn(*[ON_THE_WAY["loses its answer"], Passage.forward] * NEVER_ENDS)
    stage.relays["clinic_c"].trouble(flapping, NEVER_ENDS)
    outcomes = [stage.say(person, said).outcome for said in (LIST, BOOK, "sim")]
    assert outcomes == [TurnOutcome.OK, TurnOutcome.CONFIRM, TurnOutcome.OK]
    assert holds(stage, person, FERNANDO_18)
    assert [stage.say(person, said).outcome for said in (CANCEL, "sim")] == [TurnOutcome.CONFIRM, TurnOutcome.OK]
    assert holds(stage, person)


def test_a_clinic_that_is_up_and_down_by_turns_is_named_when_it_is_down(stage: Stage, person: Person) -> None:
    for _ in range(3):
        stage.relays["clinic_c"].cut()
        reply = stage.say(person, LIST)
        assert reply.outcome is TurnOutcome.PARTIAL
        assert "Clínica C não respondeu" in reply.plain
        stage.heal()
        assert stage.say(person, LIST).outcome is TurnOutcome.OK


@pytest.mark.long
def test_a_clinic_that_is_slower_than_the_deadline_costs_its_own_answer_only(
    stage: Stage, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(router, "READ_TIMEOUT_S", 4.0)
    over = threading.Event()

    def slow(passage: Passage) -> bytes:
        assert over.wait(WAIT_S)
        return passage.forward()

    stage.relays["clinic_a"].trouble(slow, NEVER_ENDS)
    reply = stage.say(person, LIST)
    over.set()
    assert reply.outcome is TurnOutcome.PARTIAL
    assert "Clínica A não respondeu" in reply.plain
    assert "Dr. Fernando Mendes" in reply.plain


ONE_WRITE = Limits(writes_per_s=0.001)


def test_a_limit_that_is_reached_after_a_booking_leaves_it_and_says_when_to_come_back(
    stage: Stage, person: Person
) -> None:
    stage.restart("clinic_c", Guard(stage.keys.public, ONE_WRITE))
    for said in (BOOK, "sim", CANCEL):
        stage.say(person, said)
    reply = stage.say(person, "sim")
    assert reply.outcome is TurnOutcome.REFUSED
    assert NOTHING_CHANGED in reply.plain
    assert "daqui a" in reply.plain
    assert holds(stage, person, FERNANDO_18)


def test_a_limit_that_is_reached_by_the_repeat_of_a_lost_answer_does_not_say_that_nothing_was_done(
    stage: Stage, person: Person
) -> None:
    stage.restart("clinic_c", Guard(stage.keys.public, ONE_WRITE))
    propose(stage, person)
    stage.relays["clinic_c"].trouble(ON_THE_WAY["loses its answer"], 1)
    for _ in range(2):
        reply = stage.say(person, "sim")
        assert reply.outcome is TurnOutcome.UNKNOWN_WRITE
        assert "pedidos demais" in reply.plain
        assert NOTHING_CHANGED not in reply.plain
    stage.restart("clinic_c")
    assert stage.say(person, "sim").outcome is TurnOutcome.OK
    assert holds(stage, person, FERNANDO_18)
