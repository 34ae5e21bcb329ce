"""A yes, a no, and what is neither."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

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


SAID_BEFORE = {
    "pt": (
        "pronto, ",
        "legal, ",
        "hum, ",
        "entendi, ",
        "falei com ele, ",
        "já vi aqui, ",
        "decidi, ",
        "tá bom, ",
        "então ",
    ),
    "en": ("got it, ", "I checked, ", "I talked to him, ", "ready, ", "awesome ", "right, ", "well, ", "nice, "),
}
YES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "book_appointment": {
        "pt": ("pode marcar", "marca", "agenda"),
        "en": ("book it", "please book", "make the booking"),
    },
    "cancel_appointment": {
        "pt": ("pode cancelar", "cancela", "pode desmarcar"),
        "en": ("cancel it", "you can cancel it"),
    },
    "reschedule_appointment": {"pt": ("pode mudar", "remarca", "pode passar"), "en": ("move it", "change it")},
}
SAID_BEHIND = {"pt": ("", " por favor", " pra mim", " então", " obrigado"), "en": ("", " please", " for me", " then")}


@pytest.mark.parametrize(("action", "language"), list(product(YES, SAID_BEFORE)))
def test_what_is_told_before_a_yes_leaves_it_one_and_is_none_alone(action: str, language: str) -> None:
    ways = product(SAID_BEFORE[language], YES[action][language], SAID_BEHIND[language])
    assert [text for text in map("".join, ways) if answer(text, action) is not True] == []
    only_told = [text for text in SAID_BEFORE[language] if text not in {"tá bom, ", "right, "}]
    assert [text for text in only_told if answer(text, action) is not None] == []


@pytest.mark.parametrize("denial", ["não, obrigado", "nao obrigada", "no thanks", "no, thank you"])
@pytest.mark.parametrize("before", ["perfeito, ", "maravilha, ", "perfect, ", "done, ", "great, ", "ok, "])
def test_a_denial_with_its_thanks_is_no_yes_whatever_stands_before_it(before: str, denial: str) -> None:
    assert answer(before + denial, "book_appointment") is not True
