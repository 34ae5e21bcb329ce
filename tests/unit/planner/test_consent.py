"""A yes, a no, and what is neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.planner.understanding.cues import answer
from tests.support.sentences import sentences


@pytest.mark.parametrize("text", sentences("consent.txt", "a plain yes consents"))
def test_a_plain_yes_consents(text: str) -> None:
    assert answer(text) is True


@pytest.mark.parametrize("text", ["não", "nao", "n", "Não, obrigada", "agora não", "no", "no thanks", "", "   ", "👎"])
def test_a_plain_no_or_nothing_drops(text: str) -> None:
    assert answer(text) is False


@pytest.mark.parametrize(
    "text",
    [
        "sim, mas às 10:30",
        "não, melhor às 14h",
        "sim?",
        "talvez",
        "pode ser na sexta",
        "quero o segundo",
        "yes but with Dr. Fernando",
        "sim " * 40,
        "simpatia",
    ],
)
def test_anything_more_is_no_answer(text: str) -> None:
    assert answer(text) is None


def test_a_verb_consents_to_its_own_tool_and_to_no_other() -> None:
    assert answer("pode marcar", "book_appointment") is True
    assert answer("pode cancelar", "cancel_appointment") is True
    assert answer("pode cancelar", "book_appointment") is None
    assert answer("pode marcar", "cancel_appointment") is None
    assert answer("pode marcar") is None


@given(st.text())
def test_any_text_is_answered_without_an_error(text: str) -> None:
    assert answer(text, "book_appointment") in {True, False, None}
