"""/whoami, /history and /logout: what is said of what is kept, and that it is gone afterwards."""

import io
from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator.console.renderer import Renderer
from orchestrator.privacy import Redactor
from orchestrator.settings import HistoryKind
from orchestrator.terminal.clinic_commands import run_command, who
from orchestrator.terminal.secrecy import PromptHistory
from orchestrator.terminal.slash_commands import ClinicView, Request, Show, show_text
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Language, Role
from orchestrator.turn.reply import Paragraph


def test_whoami_says_who_speaks_since_when_and_what_is_kept_where(view: ClinicView) -> None:
    rows = dict(who(view).rows)
    assert rows["Nome"] == "Maria Souza"
    assert rows["CPF"] == "***.***.*47-**"
    assert rows["Papel"] == "paciente"
    assert rows["Idioma"] == "português; acompanha o que você escreve"
    assert "15/07/2025" in rows["Desde"]
    assert rows["Histórico"] == "só comandos, em /home/history"
    assert rows["Memória"] == "nada é guardado"
    assert rows["Registro"] == "planos, resultados e tempos, sem dados pessoais, em /home/logs"


def test_whoami_in_english_at_the_front_desk_where_nothing_is_kept(view: ClinicView) -> None:
    session = replace(view.session, pinned_language=Language.EN, role=Role.OPERATOR)
    services = replace(view.services, history=HistoryKind.OFF, log_dir=None)
    rows = dict(who(replace(view, session=session, services=services)).rows)
    assert rows["Role"] == "front desk"
    assert rows["Language"] == "English, set with /lang"
    assert rows["Memory"] == "nothing is kept"
    assert rows["History"] == rows["Log"] == "nothing is written"


@pytest.mark.parametrize(
    ("line", "action"),
    [("/history all", Show((Paragraph("Use /history ou /history clear."),))), ("/logout", Request.LOG_OUT)],
)
def test_a_line_asks_for_its_action(line: str, action: object, view: ClinicView) -> None:
    assert run_command(line, view) == action


def test_history_shows_what_the_file_keeps_and_nothing_after_it_was_cleared(view: ClinicView, tmp_path: Path) -> None:
    file = tmp_path / "history"
    history = PromptHistory(file, frozenset({"/help"}), HistoryKind.COMMANDS, Redactor())
    view = replace(view, services=replace(view.services, history_file=file), history=history)
    history.append_string("/help")
    history.append_string("quero marcar")
    assert run_command("/history", view) == show_text(f"Guardado em {file}:\n  /help")
    assert run_command("/history CLEAR", view) == show_text("O histórico foi apagado, também o desta sessão.")
    assert run_command("/history", view) == show_text("Nada está guardado no histórico.")
    assert history.get_strings() == []


def test_a_history_that_cannot_be_removed_is_told_with_its_file(view: ClinicView, tmp_path: Path) -> None:
    history = PromptHistory(tmp_path, frozenset(), HistoryKind.COMMANDS, Redactor())
    view = replace(view, services=replace(view.services, history_file=tmp_path), history=history)
    said = texts_in(Language.PT).text("terminal.privacy.history_not_cleared", file=tmp_path)
    assert run_command("/history clear", view) == show_text(said)


class Screen(io.StringIO):
    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def test_screen_and_scrollback_are_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen(is_terminal=True)
    assert Renderer(screen).wipe()
    assert screen.getvalue() == "\x1b[H\x1b[2J\x1b[3J"


@pytest.mark.parametrize(("is_terminal", "term"), [(True, "dumb"), (False, "xterm")])
def test_what_cannot_be_wiped_is_left_alone(is_terminal: bool, term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    screen = Screen(is_terminal=is_terminal)
    assert not Renderer(screen).wipe()
    assert screen.getvalue() == ""
