"""Who asks for plain lines gets them: by NO_COLOR, TERM=dumb and ACCESSIBLE."""

import io

import pytest

from orchestrator.console.renderer import Display, Renderer
from orchestrator.turn.reply import Card, Paragraph, Table
from tests.unit.terminal.test_renderer import ColourTerminal


@pytest.mark.parametrize(
    ("environment", "display"),
    [
        ({"TERM": "xterm-256color"}, Display.DRAWN),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, Display.DRAWN),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, Display.PLAIN),
        ({"TERM": "dumb"}, Display.STILL),
        ({"TERM": "dumb", "NO_COLOR": "1"}, Display.STILL),
        ({"TERM": "xterm", "ACCESSIBLE": "1"}, Display.STILL),
        ({"TERM": "xterm", "ACCESSIBLE": "0"}, Display.DRAWN),
        ({}, Display.DRAWN),
    ],
)
def test_plain_lines_are_for_those_who_ask_for_them(environment: dict[str, str], display: Display) -> None:
    assert Display.of(environment) is display


def test_plain_lines_hold_no_escape_sequence_on_a_terminal_with_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    file = ColourTerminal()
    table = Table(("Nº", "Hora"), (("1", "10:00"),), marked=0)
    Renderer(file, 80, plain=True).show([Paragraph("Olá"), table, Card("Título", (("Hora", "10:00"),))])
    assert file.getvalue() == "Olá\n\nNº | Hora\n1 | 10:00\n\nTítulo\n  Hora: 10:00\n\n"


def test_a_long_plain_line_is_broken_between_words_on_a_terminal_and_nowhere_else() -> None:
    terminal, file = ColourTerminal(), io.StringIO()
    for each in (terminal, file):
        Renderer(each, 20, plain=True).show([Paragraph("palavra " * 20)])
    assert {line.strip() for line in terminal.getvalue().splitlines()} == {"palavra palavra", ""}
    assert len(file.getvalue().splitlines()) == 2
