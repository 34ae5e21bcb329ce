"""The prompt's history: commands stay in a private file, sentences only where that is asked for, a CPF nowhere."""

import stat
from pathlib import Path

import pytest

from orchestrator.privacy import Redactor, telling_words
from orchestrator.settings import HistoryKind
from orchestrator.terminal.clinic_commands import COMMANDS
from orchestrator.terminal.secrecy import PromptHistory
from orchestrator.turn.identity import Identity

MARIA = Identity.of("Maria de Souza", "529.982.247-25")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "history"


def history_in(file: Path, kind: HistoryKind = HistoryKind.COMMANDS) -> PromptHistory:
    return PromptHistory(file, frozenset(COMMANDS), kind, Redactor(MARIA, telling_words(MARIA.name)))


def test_commands_are_found_again_newest_first(file: Path) -> None:
    history = history_in(file)
    history.append_string("/help")
    history.append_string("/slots cardiologia")
    assert list(history_in(file).load_history_strings()) == ["/slots cardiologia", "/help"]


@pytest.mark.parametrize("line", ["quero marcar uma consulta", "/maria souza", "", "//help", "/helpme"])
def test_what_is_no_command_is_not_written(file: Path, line: str) -> None:
    history_in(file).append_string(line)
    assert not file.exists()


@pytest.mark.parametrize("kind", HistoryKind)
def test_a_sentence_can_be_called_back_in_this_session(file: Path, kind: HistoryKind) -> None:
    history = history_in(file, kind)
    history.append_string("quero marcar uma consulta")
    assert history.get_strings() == ["quero marcar uma consulta"]


@pytest.mark.parametrize("kind", HistoryKind)
@pytest.mark.parametrize(
    "line",
    ["meu cpf é 529.982.247-25", "/slots 52998224725", "5 2 9 9 8 2 2 4 7 2 5", "529 e 982 e 247 e 25", "529982247"],
)
def test_what_may_hold_a_cpf_is_not_even_remembered(file: Path, line: str, kind: HistoryKind) -> None:
    history = history_in(file, kind)
    history.append_string(line)
    assert history.get_strings() == []
    assert not file.exists()


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("sou a MARIA SOUZA, a maria ali", "sou a [NAME], a [NAME] ali"),
        ("moro na rua das Flores, 12", "moro na [ADDRESS]"),
        ("ligue para 3265-4321 ou maria@x.org", "ligue para [TEL] ou [EMAIL]"),
        ("quero \t marcar\numa consulta", "quero marcar uma consulta"),
    ],
)
def test_a_line_that_is_kept_tells_nothing_of_who_wrote_it(file: Path, line: str, kept: str) -> None:
    history_in(file, HistoryKind.REDACTED).append_string(line)
    assert file.read_text("utf-8") == kept + "\n"


def test_sentences_are_offered_again_only_where_they_are_kept(file: Path) -> None:
    history_in(file, HistoryKind.REDACTED).append_string("quero marcar")
    assert list(history_in(file, HistoryKind.REDACTED).load_history_strings()) == ["quero marcar"]
    assert list(history_in(file).load_history_strings()) == []


def test_where_nothing_is_kept_nothing_is_written_or_read(file: Path) -> None:
    history_in(file).append_string("/help")
    history = history_in(file, HistoryKind.OFF)
    history.append_string("/quit")
    assert list(history.load_history_strings()) == []
    assert file.read_text("utf-8") == "/help\n"


def test_clearing_forgets_the_session_and_the_file(file: Path) -> None:
    history = history_in(file)
    history.append_string("/help")
    history.append_string("quero marcar")
    assert history.clear()
    assert history.get_strings() == []
    assert not file.exists()


def test_a_file_that_cannot_be_removed_is_told(tmp_path: Path) -> None:
    assert not history_in(tmp_path).clear()


def test_the_file_is_private_although_it_was_not(file: Path) -> None:
    file.touch(0o644)
    history_in(file).append_string("/help")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_used_costs_the_history_only(tmp_path: Path) -> None:
    history = history_in(tmp_path)
    history.append_string("/help")
    assert list(history.load_history_strings()) == []


def test_lines_of_another_hand_are_not_offered(file: Path) -> None:
    file.write_text("/help\nmaria souza\n/quit\n", encoding="utf-8")
    assert list(history_in(file).load_history_strings()) == ["/quit", "/help"]
