"""What people type is made harmless before it goes anywhere, and a CPF is masked before it is shown."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.console.utterance import LONGEST, TooLongError, clean, harmless
from orchestrator.privacy import mask_cpf


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("quero marcar", "quero marcar"),
        ("  quero \t marcar\n uma\r\nconsulta ", "quero marcar uma consulta"),
        ("a\x1b[31mb\x07", "a[31mb"),
        ("so\u202eo", "soo"),
        ("\x00\x1b", ""),
        ("às 10h — não", "às 10h — não"),
        ("\ud800x", "x"),
    ],
)
def test_an_utterance_is_one_printable_line(typed: str, expected: str) -> None:
    assert clean(typed) == expected


def test_a_line_over_the_limit_is_refused_with_its_length() -> None:
    assert len(clean("a" * LONGEST)) == LONGEST
    with pytest.raises(TooLongError, match="4001 characters") as refusal:
        clean("a" * (LONGEST + 1))
    assert refusal.value.length == LONGEST + 1


@given(st.text())
def test_no_text_steers_a_terminal(text: str) -> None:
    assert not any(unicodedata.category(char) in {"Cc", "Cs"} for char in harmless(text).replace("\n", ""))
    harmless(text).encode()


@pytest.mark.parametrize(
    "text", ["CPF 529.982.247-25.", "CPF 52998224725.", "CPF 529 982 247 25.", "CPF 529.982.24725."]
)
def test_a_cpf_in_any_form_is_masked(text: str) -> None:
    assert mask_cpf(text) == "CPF ***.***.*47-**."


@pytest.mark.parametrize("text", ["18/07/2025 às 10:00", "CARD-001", "(11) 91234-5678", "R$ 1.250,00"])
def test_other_numbers_stay(text: str) -> None:
    assert mask_cpf(text) == text
