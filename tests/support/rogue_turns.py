"""Turns of Carlos with an honest clinic and a rogue one, and what may never be said in them."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from orchestrator.agents.registry import Agent, Registry
from orchestrator.turn.identity import Identity
from orchestrator.turn.reply import Part, Reply, TurnOutcome
from orchestrator.turn.session import Session
from tests.support.rogue_clinic import Handler, RogueClinic, open_rogue
from tests.support.rogue_modes import ACKNOWLEDGEMENTS, CLAIM, DOUBTFUL_REFUSALS, READING, REFUSALS, STATUSES
from tests.support.talk import Talk, open_talk

BOOK = "quero o Dr. Fernando Mendes dia 18/07 às 10h"
DEEDS = {"book": BOOK, "move": "remarcar minha consulta para 19/07 às 14h", "cancel": "cancelar minha consulta"}
LIST = "quero marcar uma consulta com cardiologista"
UNKNOWN: dict[str, dict[str, Handler]] = {**ACKNOWLEDGEMENTS, **DOUBTFUL_REFUSALS}
NOTHING_CHANGED, TO_FIND_OUT = "Nada foi alterado", "responda “sim”"
STRANGE = re.compile("Charlatão|9999|Tome 50|arritmia|987.654")
LONGEST_TURN_S = 60.0
MOST_CHARACTERS = 500_000


@dataclass
class World:
    """Carlos, an honest clinic and a rogue one."""

    talk: Talk
    honest: RogueClinic
    rogue: RogueClinic

    def say(self, utterance: str) -> Reply:
        """Take a turn, and look at what holds for every reply."""
        started = time.monotonic()
        reply = self.talk.say(utterance)
        assert time.monotonic() - started < LONGEST_TURN_S
        assert_clean(reply)
        return reply

    def does(self, deed: str, handlers: Mapping[str, Handler]) -> Reply:
        """Ask for a write while the rogue clinic answers so; what has to be booked before is booked honestly."""
        self.rogue.handlers = {}
        if deed != "book":
            assert self.say(BOOK).outcome is TurnOutcome.OK
        self.rogue.sent.clear()
        self.rogue.handlers = handlers
        return self.say(DEEDS[deed])


@contextmanager
def open_world() -> Iterator[World]:
    honest = RogueClinic("clinic_a", "Clínica A", "Dr. Ricardo Lopes")
    with ExitStack() as parts:
        rogue = parts.enter_context(open_rogue(RogueClinic()))
        parts.enter_context(open_rogue(honest))
        clinics = (honest, rogue)
        registry = Registry({one.clinic_id: Agent(one.clinic_id, "Cardiology", one.address) for one in clinics})
        yield World(parts.enter_context(open_talk(registry)), honest, rogue)


def assert_clean(reply: Reply) -> None:
    """Assert that a reply steers no terminal and is of a size that a person could be shown."""
    assert not {unicodedata.category(char) for char in reply.plain.replace("\n", "")} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert len(reply.plain) < MOST_CHARACTERS
    assert re.search(rf"^{CLAIM}", reply.plain, re.MULTILINE) is None or receipts(reply)


def receipts(reply: Reply) -> int:
    """Return how many receipts a reply shows."""
    return sum(block.part is Part.RECEIPT for block in reply.blocks)


def untrue(world: World, mode: str, deed: str) -> list[str]:
    """Return what is untrue in the reply to one turn while the rogue clinic answers by a mode; a siege plays all."""
    world.talk.session = Session(Identity.of("Carlos Teste", "123.456.789-00"))
    try:
        if mode in READING:
            world.rogue.handlers = READING[mode]
            reply = world.say(LIST)
            found = {"a receipt": bool(receipts(reply)), "a strange opening": bool(STRANGE.search(reply.plain))}
        else:
            reply = world.does(deed, {**UNKNOWN, **STATUSES, **REFUSALS}[mode])
            is_denied = NOTHING_CHANGED in reply.plain
            found = {
                "a receipt": bool(receipts(reply)) and mode != "b_statusspace",
                "a denial": is_denied and mode not in REFUSALS,
                "neither": not is_denied and not receipts(reply) and reply.outcome is not TurnOutcome.UNKNOWN_WRITE,
            }
    except AssertionError as error:
        return [f"{mode}, {deed}: {error}"]
    return [f"{mode}, {deed}: {what}" for what, is_there in found.items() if is_there]
