"""Replies as they are drawn: nothing added, the earliest marked in words and colour, no text steers the screen."""

import io

import pytest

from orchestrator.console.renderer import Renderer
from orchestrator.turn.reply import Card, Paragraph, Table

SLOTS = Table(
    ("Nº", "Data", "Hora", "Médico", "Clínica", ""),
    (
        ("1", "sexta-feira, 18/07/2025", "10:00", "Dr. Fernando Mendes", "Clínica C", "mais cedo"),
        ("2", "segunda-feira, 21/07/2025", "09:00", "Dr. Ricardo Lopes", "Clínica A", ""),
    ),
    marked=0,
)


class ColourTerminal(io.StringIO):
    """A file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def drawn(*blocks: Paragraph | Table | Card, width: int = 100) -> str:
    file = io.StringIO()
    Renderer(file, width).show(blocks)
    return file.getvalue()


def test_a_table_has_a_line_a_row_and_says_which_is_earliest() -> None:
    lines = [line.strip() for line in drawn(SLOTS).splitlines()]
    assert any(line.startswith("1") and "Dr. Fernando Mendes" in line and "mais cedo" in line for line in lines)
    assert any(line.startswith("2") and "Dr. Ricardo Lopes" in line for line in lines)


def test_the_earliest_stands_out_by_colour_where_there_is_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    file = ColourTerminal()
    Renderer(file, 100).show([SLOTS])
    first, second = (line for line in file.getvalue().splitlines() if "Dr. " in line)
    assert "\x1b[1;32m" in first
    assert "\x1b[1;32m" not in second


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    file = ColourTerminal()
    Renderer(file, 100).show([SLOTS])
    assert "32m" not in file.getvalue()


@pytest.mark.parametrize("width", [30, 40, 60, 68, 72, 79, 80, 200])
def test_a_terminal_of_any_width_loses_no_word(width: int) -> None:
    lines = drawn(SLOTS, width=width).splitlines()
    assert max(map(len, lines)) <= width
    for cell in (cell for row in SLOTS.rows for cell in row):
        for word in cell.split():
            assert any(word in line for line in lines)


def test_an_opening_takes_one_line_of_80_columns() -> None:
    assert len(drawn(SLOTS, width=80).strip().splitlines()) == 4


def test_a_card_shows_its_title_and_pairs() -> None:
    text = drawn(Card("Confirma?", (("Médico", "Dr. Fernando Mendes"), ("Hora", "10:00"))))
    assert "Confirma?" in text
    assert "Médico" in text
    assert "Dr. Fernando Mendes" in text


def test_markup_and_escapes_in_an_answer_are_text() -> None:
    text = drawn(Paragraph("[bold]x[/bold] :smile: \x1b[2J"))
    assert "[bold]x[/bold] :smile: [2J" in text
    assert "\x1b" not in text


def test_a_cpf_in_an_answer_is_masked() -> None:
    text = drawn(Card("Ficha", (("CPF", "529.982.247-25"),)), Paragraph("52998224725"))
    assert text.count("***.***.*47-**") == 2
    assert "529" not in text
