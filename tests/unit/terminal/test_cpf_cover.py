"""A CPF is covered on the screen from its ninth digit on, while it is typed, searched for and after Enter."""

import io
from collections.abc import Iterator
from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit import PromptSession
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.processors import TransformationInput
from prompt_toolkit.output.vt100 import Vt100_Output

from orchestrator.terminal.secrecy import CpfCover, cover_search

CPF = "52998224725"


def drawn(text: str, suggestion: str = "") -> str:
    """Return a message as the cover leaves it, with a suggestion behind its last line."""
    document = Document(text)
    lines = []
    for number, line in enumerate(document.lines):
        tail = suggestion if number == len(document.lines) - 1 else ""
        fragments: StyleAndTextTuples = [("", line), ("class:auto-suggestion", tail)]
        given = TransformationInput(BufferControl(), document, number, lambda place: place, fragments, 80, 24)
        lines.append("".join(fragment[1] for fragment in CpfCover().apply_transformation(given).fragments))
    return "\n".join(lines)


@given(st.integers(9, 11), st.sampled_from(["", ".", " ", "-", " - ", ",", "/"]))
def test_nine_digits_of_a_cpf_are_covered_and_eight_are_not(digits: int, separator: str) -> None:
    groups = [CPF[:3], CPF[3:6], CPF[6:9], CPF[9:digits]]
    assert not set(drawn("cpf " + separator.join(filter(None, groups)))) & set(CPF)
    assert drawn(separator.join([CPF[:3], CPF[3:6], CPF[6:8]])) == separator.join([CPF[:3], CPF[3:6], CPF[6:8]])


@pytest.mark.parametrize("typed", ["529982247255", "529.982.247-255", "5 2 9 9 8 2 2 4 7", "5.2.9.9.8.2.2.4.7.2.5"])
def test_a_cpf_with_a_typing_error_is_covered_too(typed: str) -> None:
    assert not any(char.isdigit() for char in drawn(typed))


def test_a_cpf_that_goes_on_in_the_next_line_is_covered_in_both() -> None:
    assert drawn("é 529.982.\n247-25 às 10:00") == "é ***.***.\n***-** às 10:00"
    assert drawn("a\n\n529.982.247-25") == "a\n\n***.***.***-**"


def test_a_suggestion_does_not_uncover_what_it_completes() -> None:
    assert drawn("529982247", "25") == "***********"


@given(
    st.dates(date(1900, 1, 1)), st.times(), st.sampled_from(["%d/%m/%Y", "%Y-%m-%d", "%Y%m%d", "%d.%m.%Y", "%d %m %Y"])
)
def test_dates_and_times_stay_readable(day: date, moment: time, form: str) -> None:
    text = f"dia {day:{form}} às {moment:%H:%M} ou {day:{form}}-{day:{form}}, {moment:%Hh%M}"
    assert drawn(text) == text


@given(st.integers(11, 99), st.integers(90000, 99999), st.integers(0, 9999))
def test_phones_with_their_usual_signs_stay_readable(area: int, first: int, last: int) -> None:
    for text in (f"({area}) {first}-{last:04}", f"{area} {first}-{last:04}", f"+55 {area} {first}-{last:04}"):
        assert drawn(text) == text


@pytest.mark.parametrize(
    "text", ["R$ 1.250,00", "R$ 12.345.678,00", "CARD-001, CARD-002", "+1 415 555 0132", "às 10:30, 11:00 ou 14:15"]
)
def test_other_numbers_stay_readable(text: str) -> None:
    assert drawn(text) == text


@given(st.text(alphabet="0123456789 .-/,:abc\n", max_size=40))
def test_only_digits_change_and_each_keeps_its_place(text: str) -> None:
    covered = drawn(text)
    assert len(covered) == len(text)
    assert all(old == new or (old.isdigit() and new == "*") for old, new in zip(text, covered, strict=True))


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as keys:
        yield keys


def test_a_search_shows_no_cpf_that_is_typed_into_it(keys: PipeInput) -> None:
    screen = io.StringIO()
    output = Vt100_Output(screen, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    prompt: PromptSession[str] = PromptSession(input=keys, output=output)
    cover_search(prompt)

    def answer_search(_: object) -> None:
        if prompt.app.current_buffer.text == "529.982.247-25":
            keys.send_text("\r\r")

    prompt.app.after_render += answer_search
    keys.send_text("\x12529.982.247-25")
    prompt.prompt()
    assert "reverse-i-search" in screen.getvalue()
    assert "***.***.***-**" in screen.getvalue()
    assert "247" not in screen.getvalue()
