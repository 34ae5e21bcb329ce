"""A receipt says what a visit needs: how long it takes, where it is, what to bring, until when it can be moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orchestrator.cli.turn_record import turn_record
from orchestrator.turn.reply import Card, Part, Reply, TurnOutcome
from tests.support.clinics import NOW, OPEN_TO_ALL, open_clinics
from tests.support.talk import Talk, open_talk


def receipt(reply: Reply) -> dict[str, str]:
    (card,) = (block for block in reply.blocks if isinstance(block, Card) and block.part is Part.RECEIPT)
    return dict(card.rows)


def booked(talk: Talk) -> Reply:
    """Book the first opening of a list."""
    talk.say("quero um cardiologista na clínica A")
    talk.say("1")
    reply = talk.say("sim")
    assert reply.outcome is TurnOutcome.OK
    return reply


@pytest.mark.parametrize("agenda", ["rolling", "blueprint"])
def test_a_receipt_says_what_the_visit_needs(tmp_path: Path, agenda: str) -> None:
    with (
        open_clinics(tmp_path, ["clinic_a"], OPEN_TO_ALL, (agenda, NOW)) as clinics,  # type: ignore[arg-type]
        open_talk(clinics.registry, consent_given=False) as talk,
    ):
        told = receipt(booked(talk))
        held = talk.session.receipts[0].appointment
    assert told["Duração"] == "30 min"
    assert told["Endereço"] == "Rua das Acácias, 120, Bela Vista, São Paulo"
    assert told["Levar"] == "Documento com foto; Carteirinha do convênio; Exames anteriores do coração"
    # The rules of a house are off in the agenda of July 2025.
    end = f"{held.date:%d/%m/%Y}, {held.time.hour - 2:02}:{held.time.minute:02}"
    assert told.get("Remarcar ou cancelar até", "").endswith(end if agenda == "rolling" else "")
    assert ("Remarcar ou cancelar até" in told) is (agenda == "rolling")


def test_the_record_for_scripts_holds_the_same(tmp_path: Path) -> None:
    with open_clinics(tmp_path, ["clinic_a"]) as clinics, open_talk(clinics.registry, consent_given=False) as talk:
        before = talk.session
        reply = booked(talk)
        record = json.loads(turn_record(3, reply, before, talk.session))
    card = next(block for block in record["blocks"] if block["type"] == "card")
    assert {"label": "Duração", "value": "30 min"} in card["rows"]
    assert record["receipts"][0]["appointment"]["duration_min"] == 30


def test_a_cancelled_visit_needs_nothing(tmp_path: Path) -> None:
    with open_clinics(tmp_path, ["clinic_a"]) as clinics, open_talk(clinics.registry, consent_given=False) as talk:
        booked(talk)
        talk.say("cancela")
        assert "Levar" not in receipt(talk.say("sim"))
