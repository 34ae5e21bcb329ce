"""Folding of case and accents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mesh.text_folding import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Dra. Lúcia", "dra. lucia"),
        ("AÇÃO à tarde", "acao a tarde"),
        ("Lu\u0301cia", "lucia"),
        ("Straße", "strasse"),
        ("ﬁm", "fim"),
        ("７h３０", "7h30"),
        ("", ""),
        ("O’Neill – 2ª", "o’neill – 2a"),
    ],
)
def test_case_and_accents_go_and_the_rest_stays(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_written_small(text: str) -> None:
    assert fold(text) == text.lower()
