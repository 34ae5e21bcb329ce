"""A session rebuilt from this system's own replies is the one that the live conversation kept."""

from __future__ import annotations

import pytest

from mesh.clock import clock_at
from orchestrator.composition import open_conversation
from orchestrator.composition.connection import Connection
from orchestrator.journal.events import EventChannel
from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Session
from tests.support.clinics import NOW
from tests.wire.replay.conftest import Rebuild


def essence(session: Session) -> dict[str, object]:
    """What a session knows, apart from who speaks and from ids."""
    proposal = session.proposal
    return {
        "offers": [(offer.number, offer.doctor, offer.date, offer.time) for offer in session.offers],
        "proposal": proposal and [(one.clinic, one.action, dict(one.parameters)) for one in proposal.plan.steps],
        "receipts": session.receipts,
        "question": session.question and (session.question.topic, session.question.action),
        "language": session.language,
    }


@pytest.mark.parametrize(
    "utterances",
    [
        ("quero um cardiologista", "o segundo", "sim", "muda para o dia 25 às 8h30", "sim", "cancelar", "sim"),
        ("I need a dermatologist next week in the morning", "the earliest", "yes", "cancel it", "no"),
        ("marcar uma consulta", "ortopedia", "quinta", "o primeiro"),
        ("quero a dra marina", "couto", "o primeiro", "não"),
        ("estou com dor no joelho", "sim", "o mais cedo", "não"),
        ("I have to move my appointment", "Dr. Gustavo Rezende, July 23 at 4 pm"),
    ],
    ids=lambda utterances: utterances[0],
)
def test_own_replies_are_read_back(connection: Connection, rebuild: Rebuild, utterances: tuple[str, ...]) -> None:
    texts: list[str] = []
    session = Session(Identity.of("Carlos Teste", "123.456.789-00"))
    with open_conversation(connection, clock_at(NOW), EventChannel()) as conversation:
        for utterance in utterances:
            reply, session = conversation.turn(session, utterance)
            texts += (utterance, reply.plain)
            assert essence(rebuild(*texts)) == essence(session)
