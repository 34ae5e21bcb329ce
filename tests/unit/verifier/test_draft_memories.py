"""A model's text says nothing of remembering and forgetting: the sentence that does is code's."""

from __future__ import annotations

import pytest

from tests.support.draft_turns import LIST_EN, LIST_PT
from tests.support.drafts import Lies, all_lies
from tests.support.model_drafts import Turn

CLAIMS = [lies for lies in all_lies() if lies.kind == "a claim of remembering or forgetting"]

COURTESIES = (
    (LIST_PT, "Anotei o seu pedido e reuni os horários."),
    (LIST_PT, "Lembre-se de que nada é marcado sem a sua confirmação."),
    (LIST_PT, "Vale lembrar que você escolhe pelo número."),
    (LIST_EN, "Please remember that nothing is booked without your yes."),
)


@pytest.mark.parametrize("lies", CLAIMS, ids=["pt", "en"])
def test_no_draft_claims_to_remember_or_to_have_forgotten(lies: Lies) -> None:
    assert [text for text in lies.drafts() if lies.turn.verdict(text).safe] == []


@pytest.mark.parametrize("lies", CLAIMS, ids=["pt", "en"])
def test_the_note_says_why(lies: Lies) -> None:
    notes = [lies.turn.verdict(text).note for text in lies.drafts()]
    assert sum("remembering" in note for note in notes) >= 0.7 * len(notes)


@pytest.mark.parametrize(("turn", "text"), COURTESIES)
def test_asking_somebody_to_keep_something_in_mind_claims_nothing(turn: Turn, text: str) -> None:
    assert turn.verdict(f"{text}\n\n{turn.parts}").safe
