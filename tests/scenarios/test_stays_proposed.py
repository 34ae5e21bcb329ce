"""What is only told or asked beside a proposal takes it neither away nor for a yes, however it begins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Session
from tests.support.clinics import Clinics
from tests.support.sentences import sentences
from tests.support.talk import CARLOS, Talk, open_talk

_CARDS = {
    "in English": (
        ("book Dr. Ricardo on July 21 at 10:30",),
        ("book Dr. Ricardo on July 21 at 10:30", "yes", "move it to July 22 at 14:00"),
        ("book Dr. Ricardo on July 21 at 10:30", "yes", "cancel it"),
    ),
    "in Portuguese": (
        ("marca com o Dr. Ricardo dia 21 às 10:30",),
        ("marca com o Dr. Ricardo dia 21 às 10:30", "sim", "muda pro dia 22 às 14h"),
        ("marca com o Dr. Ricardo dia 21 às 10:30", "sim", "cancela ela"),
    ),
}
_BEGINNINGS = {"in English": ("", "oh, ", "by the way, ", "and "), "in Portuguese": ("", "ah, ", "olha, ", "e ")}
PEOPLE = count()


@pytest.fixture
def talk(running: Clinics) -> Iterator[Talk]:
    with open_talk(running.registry, consent_given=False) as talk:
        talk.session = Session(Identity.of(CARLOS.name, f"{12345700000 + next(PEOPLE):011}"))
        yield talk
        running.give_back(talk.session)


CASES = [
    pytest.param(language, card, beginning, marks=[pytest.mark.long] if beginning else [])
    for language, cards in _CARDS.items()
    for card in cards
    for beginning in _BEGINNINGS[language]
]


@pytest.mark.parametrize(("language", "card", "beginning"), CASES)
def test_what_is_said_beside_a_proposal_leaves_it_as_it_is(
    talk: Talk, language: str, card: tuple[str, ...], beginning: str
) -> None:
    for turn in card:
        talk.say(turn)
    with_card, lost = talk.session, list[str]()
    assert with_card.proposal is not None
    proposed = [step.call for step in with_card.proposal.plan.steps]
    for one in sentences("beside_a_card.txt", language):
        talk.session = with_card
        reply, kept = talk.say(f"{beginning}{one}"), talk.session.proposal
        same = kept is not None and [step.call for step in kept.plan.steps] == proposed
        if not same or talk.session.appointments != with_card.appointments:
            lost.append(f"{beginning}{one}: {reply.plain[:120]!r}")
    talk.session = with_card
    assert not lost, "\n".join(lost)
