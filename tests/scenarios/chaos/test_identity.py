"""Tokens that do not hold, clocks that disagree, keys that were changed: nothing is shown, nothing is written."""

from __future__ import annotations

import pytest

from orchestrator.turn.reply import TurnOutcome
from tests.scenarios.chaos.faults import FORGERIES, Forgery, with_token
from tests.scenarios.chaos.stage import Person, Stage
from tests.scenarios.chaos.wishes import (
    BOOK,
    FERNANDO_18,
    LIST,
    NEVER_ENDS,
    NOTHING_CHANGED,
    holds,
    leave_in_doubt,
    propose,
)
from tests.support.clinics import Guard

NO_TOKENS = {name: forge for name, forge in FORGERIES.items() if name != "of another person"}
"""Tokens that open nothing; another person's does, for that person."""


def forge_all(stage: Stage, forge: Forgery | None) -> None:
    for clinic, relay in stage.relays.items():
        relay.trouble(with_token(None if forge is None else forge(stage.keys, clinic)), NEVER_ENDS)


@pytest.mark.parametrize("forge", [None, *NO_TOKENS.values()], ids=["none", *NO_TOKENS])
def test_a_token_that_does_not_hold_shows_nothing(stage: Stage, person: Person, forge: Forgery | None) -> None:
    forge_all(stage, forge)
    reply = stage.say(person, LIST)
    assert reply.outcome is TurnOutcome.REFUSED
    assert "não reconheceu quem está chamando" in reply.plain
    assert "Dr." not in reply.plain
    assert person.session.offers == ()


@pytest.mark.parametrize("forge", [None, *FORGERIES.values()], ids=["none", *FORGERIES])
def test_a_token_that_does_not_hold_writes_nothing(stage: Stage, person: Person, forge: Forgery | None) -> None:
    propose(stage, person)
    forge_all(stage, forge)
    reply = stage.say(person, "sim")
    assert reply.outcome is TurnOutcome.REFUSED
    assert NOTHING_CHANGED in reply.plain
    assert holds(stage, person)
    stage.heal()
    propose(stage, person)
    assert stage.say(person, "sim").outcome is TurnOutcome.OK
    assert holds(stage, person, FERNANDO_18)


@pytest.mark.parametrize("forge", [None, *FORGERIES.values()], ids=["none", *FORGERIES])
def test_a_token_that_does_not_hold_settles_no_doubt(stage: Stage, person: Person, forge: Forgery | None) -> None:
    leave_in_doubt(stage, person, "is answered too late")
    forge_all(stage, forge)
    reply = stage.say(person, "sim")
    assert reply.outcome is TurnOutcome.UNKNOWN_WRITE
    assert NOTHING_CHANGED not in reply.plain
    stage.heal()
    assert stage.say(person, "sim").outcome is TurnOutcome.OK
    assert holds(stage, person, FERNANDO_18)


@pytest.mark.parametrize("offset_s", [-30.0, -4.0, 3.0])
def test_clocks_that_differ_a_little_are_not_noticed(stage: Stage, newcomer: Person, offset_s: float) -> None:
    stage.clock.offset_s = offset_s
    outcomes = [stage.say(newcomer, said).outcome for said in (LIST, BOOK, "sim")]
    assert outcomes == [TurnOutcome.OK, TurnOutcome.CONFIRM, TurnOutcome.OK]
    assert holds(stage, newcomer, FERNANDO_18)


@pytest.mark.parametrize("offset_s", [-86_400.0, -70.0, 30.0, 86_400.0])
def test_clocks_that_differ_much_are_said_to_until_they_agree(stage: Stage, newcomer: Person, offset_s: float) -> None:
    stage.clock.offset_s = offset_s
    reply = stage.say(newcomer, BOOK)
    assert reply.outcome is TurnOutcome.REFUSED
    assert "os relógios não batem" in reply.plain
    stage.clock.offset_s = 0.0
    propose(stage, newcomer)
    assert stage.say(newcomer, "sim").outcome is TurnOutcome.OK
    assert holds(stage, newcomer, FERNANDO_18)


@pytest.mark.parametrize("offset_s", [-86_400.0, -70.0, 86_400.0])
def test_clocks_that_part_before_a_yes_are_said_to_and_nothing_is_written(
    stage: Stage, newcomer: Person, offset_s: float
) -> None:
    propose(stage, newcomer)
    stage.clock.offset_s = offset_s
    reply = stage.say(newcomer, "sim")
    assert reply.outcome is TurnOutcome.REFUSED
    assert "os relógios não batem" in reply.plain
    assert holds(stage, newcomer)


def test_a_clinic_with_other_keys_is_not_talked_into_anything(stage: Stage, person: Person) -> None:
    propose(stage, person)
    stage.restart("clinic_c", Guard(stage.other_keys.public))
    assert stage.say(person, "sim").outcome is TurnOutcome.REFUSED
    reply = stage.say(person, LIST)
    assert reply.outcome is TurnOutcome.PARTIAL
    assert "Clínica C: A clínica não reconheceu quem está chamando" in reply.plain
    assert holds(stage, person)


def test_other_keys_settle_no_doubt_and_the_own_ones_do(stage: Stage, person: Person) -> None:
    leave_in_doubt(stage, person, "is answered too late")
    stage.relays["clinic_c"].heal()
    stage.restart("clinic_c", Guard(stage.other_keys.public))
    assert stage.say(person, "sim").outcome is TurnOutcome.UNKNOWN_WRITE
    stage.restart("clinic_c")
    assert stage.say(person, "sim").outcome is TurnOutcome.OK
    assert holds(stage, person, FERNANDO_18)
