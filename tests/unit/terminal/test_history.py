"""The prompt's history: commands stay in a private file, sentences do not, a CPF nowhere."""

import stat
from pathlib import Path

import pytest

from orchestrator.terminal.commands import COMMANDS
from orchestrator.terminal.history import CommandHistory

NAMES = frozenset(COMMANDS)


def test_commands_are_found_again_newest_first(tmp_path: Path) -> None:
    history = CommandHistory(tmp_path / "history", NAMES)
    history.append_string("/help")
    history.append_string("/slots cardiologia")
    assert list(CommandHistory(tmp_path / "history", NAMES).load_history_strings()) == ["/slots cardiologia", "/help"]


@pytest.mark.parametrize("line", ["quero marcar uma consulta", "/maria souza", "", "//help", "/helpme"])
def test_what_is_no_command_is_not_written(tmp_path: Path, line: str) -> None:
    CommandHistory(tmp_path / "history", NAMES).append_string(line)
    assert not (tmp_path / "history").exists()


def test_a_sentence_can_be_called_back_in_this_session(tmp_path: Path) -> None:
    history = CommandHistory(tmp_path / "history", NAMES)
    history.append_string("quero marcar uma consulta")
    assert history.get_strings() == ["quero marcar uma consulta"]


@pytest.mark.parametrize("line", ["meu cpf é 529.982.247-25", "/slots 52998224725", "5 2 9 9 8 2 2 4 7 2 5"])
def test_what_may_hold_a_cpf_is_not_even_remembered(tmp_path: Path, line: str) -> None:
    history = CommandHistory(tmp_path / "history", NAMES)
    history.append_string(line)
    assert history.get_strings() == []
    assert not (tmp_path / "history").exists()


def test_the_file_is_private(tmp_path: Path) -> None:
    CommandHistory(tmp_path / "history", NAMES).append_string("/help")
    assert stat.S_IMODE((tmp_path / "history").stat().st_mode) == 0o600


def test_a_file_that_cannot_be_used_costs_the_history_only(tmp_path: Path) -> None:
    history = CommandHistory(tmp_path, NAMES)
    history.append_string("/help")
    assert list(history.load_history_strings()) == []


def test_lines_of_another_hand_are_not_offered(tmp_path: Path) -> None:
    (tmp_path / "history").write_text("/help\nmaria souza\n/quit\n", encoding="utf-8")
    assert list(CommandHistory(tmp_path / "history", NAMES).load_history_strings()) == ["/quit", "/help"]
