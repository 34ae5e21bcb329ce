"""What a person wishes of the clinics in the tests of single faults, and what the disks hold of it."""

from __future__ import annotations

from orchestrator.turn.reply import TurnOutcome
from tests.scenarios.chaos.faults import ON_THE_WAY
from tests.scenarios.chaos.stage import Person, Stage

LIST = "quero marcar uma consulta com cardiologista"
BOOK = "quero o Dr. Fernando Mendes dia 18/07 às 10h"
CANCEL = "preciso cancelar minha consulta"
FERNANDO_18 = ("clinic_c", "Dr. Fernando Mendes", "2025-07-18", "10:00")

NEVER_ENDS = 100
"""Calls that a fault lasts for: more than gRPC repeats one."""

WAIT_S = 20.0
"""Seconds after which a test that waits has failed."""

NOTHING_CHANGED = "Nada foi alterado"
TO_FIND_OUT = "Para verificar, responda “sim”"


def holds(stage: Stage, person: Person, *slots: tuple[str, str, str, str]) -> bool:
    """Whether the disks hold exactly these slots, all this person's."""
    return stage.clinics.taken() == {(*slot, person.identity.cpf) for slot in slots}


def propose(stage: Stage, person: Person, wish: str = BOOK) -> None:
    assert stage.say(person, wish).outcome is TurnOutcome.CONFIRM


def leave_in_doubt(stage: Stage, person: Person, fault: str) -> None:
    """Let a fault befall a booking, so that its caller does not know what came of it."""
    propose(stage, person)
    stage.relays["clinic_c"].trouble(ON_THE_WAY[fault], NEVER_ENDS)
    assert stage.say(person, "sim").outcome is TurnOutcome.UNKNOWN_WRITE
