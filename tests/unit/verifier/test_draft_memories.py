"""A model's text says nothing of remembering and forgetting: the sentence that does is code's."""

from __future__ import annotations

import pytest

from tests.support.model_drafts import Turn
from tests.unit.verifier.hostile_drafts import LIST_EN, LIST_PT, Lies, lines

CLAIMS = (
    Lies(
        "a claim of remembering or forgetting",
        LIST_PT,
        lines(
            """
            Anotei: você não pode às sextas.
            Já guardei essa informação.
            Anotado!
            Vou lembrar disso.
            Vou me lembrar da sua preferência.
            Pode deixar, vou guardar a sua restrição.
            Nunca vou esquecer isso.
            Ficou anotado para as próximas vezes.
            Isso já está salvo na minha memória.
            Lembro que você prefere as manhãs.
            Pelo que sei, você prefere as manhãs.
            Esqueci tudo o que você disse.
            Já apaguei tudo.
            """
        ),
    ),
    Lies(
        "a claim of remembering or forgetting",
        LIST_EN,
        lines(
            """
            I've noted that Fridays do not suit you.
            Noted!
            I'll remember that.
            I will keep that in mind.
            I have saved your preference.
            I remember that you prefer mornings.
            That is in my memory now.
            I have forgotten everything that you said.
            I'll make a note of it.
            """
        ),
    ),
)

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
