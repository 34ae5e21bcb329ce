"""What is only told or asked beside a proposal takes it neither away nor for a yes, however it begins."""

from __future__ import annotations

import pytest

from tests.support.sentences import sentences
from tests.support.talk import Talk

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


CASES = [
    pytest.param(language, card, beginning, marks=[pytest.mark.long] if beginning else [])
    for language, cards in _CARDS.items()
    for card in cards
    for beginning in _BEGINNINGS[language]
]


@pytest.mark.parametrize(("language", "card", "beginning"), CASES)
def test_what_is_said_beside_a_proposal_leaves_it_as_it_is(
    own_talk: Talk, language: str, card: tuple[str, ...], beginning: str
) -> None:
    for turn in card:
        own_talk.say(turn)
    with_card, lost = own_talk.session, list[str]()
    assert with_card.proposal is not None
    proposed = [step.call for step in with_card.proposal.plan.steps]
    for one in sentences("beside_a_card.txt", language):
        own_talk.session = with_card
        reply, kept = own_talk.say(f"{beginning}{one}"), own_talk.session.proposal
        same = kept is not None and [step.call for step in kept.plan.steps] == proposed
        if not same or own_talk.session.appointments != with_card.appointments:
            lost.append(f"{beginning}{one}: {reply.plain[:120]!r}")
    own_talk.session = with_card
    assert not lost, "\n".join(lost)
