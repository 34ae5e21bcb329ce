"""A private prompt keeps nothing, offers nothing, and shows no CPF, whatever key is pressed."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from orchestrator.console.renderer import Renderer
from orchestrator.terminal.loop import Prompt, TerminalDependencies
from orchestrator.terminal.secrecy import CoveredEcho

CPF = "529.982.247-25"


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as keys:
        yield keys


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def output(screen: io.StringIO) -> Vt100_Output:
    return Vt100_Output(screen, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)


@pytest.fixture
def prompt(keys: PipeInput, output: Vt100_Output) -> Prompt:
    return Prompt(TerminalDependencies(Renderer(io.StringIO()), Path(), keys, output))


def test_a_secret_is_drawn_as_asterisks(prompt: Prompt, keys: PipeInput, screen: io.StringIO) -> None:
    keys.send_text(f"{CPF}\r")
    assert prompt.ask("CPF: ", is_secret=True) == CPF
    assert "529" not in screen.getvalue()


@pytest.mark.parametrize("typed", [CPF, f"\x1b[200~Maria Souza\n{CPF}\x1b[201~"])
def test_a_cpf_in_the_wrong_place_is_covered(typed: str, prompt: Prompt, keys: PipeInput, screen: io.StringIO) -> None:
    keys.send_text(f"{typed}\r")
    prompt.ask("Nome: ")
    assert "***.***.***-**" in screen.getvalue()
    assert CPF not in screen.getvalue()


@pytest.mark.parametrize("recall", ["\x19", "\x1b[A", "\x1f", "\x1b.", "\x1b[C", "\t"])
def test_no_key_brings_a_secret_back_at_the_next_question(recall: str, prompt: Prompt, keys: PipeInput) -> None:
    keys.send_text(f"{CPF}\x15{CPF}\r")
    prompt.ask("CPF: ", is_secret=True)
    keys.send_text(f"{recall}n\r")
    assert prompt.ask("Continuar? ").strip() == "n"


@pytest.mark.parametrize("search", ["\x12", "\x13"])
def test_there_is_no_search_that_would_draw_a_secret(
    search: str, prompt: Prompt, keys: PipeInput, screen: io.StringIO
) -> None:
    keys.send_text(f"{search}{CPF}\r")
    assert prompt.ask("CPF: ", is_secret=True) == CPF
    assert "529" not in screen.getvalue()


def test_no_key_opens_an_editor(prompt: Prompt, keys: PipeInput, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(Buffer, "open_in_editor", lambda buffer, **_: opened.append(buffer.text))
    keys.send_text(f"{CPF}\x18\x05\r")
    assert prompt.ask("CPF: ", is_secret=True) == CPF
    assert opened == []


def test_it_is_never_in_vi_mode(prompt: Prompt) -> None:
    assert prompt._session.app.editing_mode is EditingMode.EMACS


@pytest.fixture
def echo(output: Vt100_Output) -> CoveredEcho:
    return CoveredEcho(output)


def echoed(echo: CoveredEcho, screen: io.StringIO, question: str, typed: str) -> str:
    """Write as prompt_toolkit does for a dumb terminal: the question, each character, the end of the line."""
    for piece in (question, *typed, "\r\n"):
        echo.write(piece)
    echo.flush()
    return screen.getvalue()


def test_a_dumb_terminal_is_sent_no_more_than_eight_digits_of_a_cpf(echo: CoveredEcho, screen: io.StringIO) -> None:
    assert echoed(echo, screen, "você> ", f"meu cpf é {CPF} ok") == "você> meu cpf é 529.982.24*-** ok\r\n"


def test_a_dumb_terminal_is_sent_no_secret(echo: CoveredEcho, screen: io.StringIO) -> None:
    echo.is_secret = True
    echoed(echo, screen, "CPF: ", CPF)
    assert echoed(echo, screen, "CPF: ", CPF) == 2 * "CPF: **************\r\n"
