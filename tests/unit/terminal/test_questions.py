"""The questions of identity: asked until usable, the CPF never drawn in clear, wrong check digits are asked about."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from orchestrator.composition.conversation_parts import danger_answer
from orchestrator.console.renderer import Renderer
from orchestrator.terminal.loop import TerminalDependencies
from orchestrator.terminal.questions import IdentityQuestions
from orchestrator.texts import texts_in
from orchestrator.turn import Language
from orchestrator.turn.identity import Identity


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as keys:
        yield keys


def asked(keys: PipeInput, typed: str, name: str | None = None, cpf: str | None = None) -> tuple[Identity, str]:
    """Answer the questions and return the identity and all that was on the screen."""
    screen = io.StringIO()
    keys.send_text(typed)
    output = Vt100_Output(screen, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    dependencies = TerminalDependencies(Renderer(screen, 80), Path(), keys, output, danger_answer=danger_answer)
    identity = IdentityQuestions(Language.PT, dependencies).ask(name, cpf)
    return identity, screen.getvalue()


def test_name_and_cpf_are_asked_for(keys: PipeInput) -> None:
    identity, _ = asked(keys, "Maria  Souza\r52998224725\r")
    assert identity == Identity("Maria Souza", "529.982.247-25")


def test_the_cpf_is_never_on_the_screen(keys: PipeInput) -> None:
    _, screen = asked(keys, "Maria Souza\r529.982.247-25\r")
    assert "***.***.*47-**" in screen
    assert "529" not in screen
    assert "982" not in screen


def test_what_cannot_be_used_is_asked_again_with_a_reason(keys: PipeInput) -> None:
    identity, screen = asked(keys, "Maria\rMaria Souza\r123\r529.982.247-25\r")
    assert identity.name == "Maria Souza"
    assert texts_in(Language.PT).text("terminal.bad_name") in screen
    assert texts_in(Language.PT).text("terminal.bad_cpf") in screen


def test_who_tells_of_an_emergency_instead_of_a_name_is_told_where_to_call(keys: PipeInput) -> None:
    identity, screen = asked(keys, "meu pai desmaiou e não respira\rMaria Souza\r529.982.247-25\r")
    assert identity.name == "Maria Souza"
    assert "192" in screen


def test_wrong_check_digits_can_be_accepted(keys: PipeInput) -> None:
    identity, screen = asked(keys, "Carlos Teste\r123.456.789-00\rs\r")
    assert identity.cpf == "123.456.789-00"
    assert texts_in(Language.PT).text("terminal.doubtful_cpf") in screen


@pytest.mark.parametrize("doubt", ["\r", "n\r", "talvez\r"])
def test_wrong_check_digits_that_are_not_accepted_are_asked_again(keys: PipeInput, doubt: str) -> None:
    identity, _ = asked(keys, f"Carlos Teste\r123.456.789-00\r{doubt}529.982.247-25\r")
    assert identity.cpf == "529.982.247-25"


def test_a_name_and_a_cpf_that_are_known_load_no_planner_to_look_for_danger(keys: PipeInput) -> None:
    looked_at: list[str] = []
    screen = Renderer(io.StringIO(), 80)
    dependencies = TerminalDependencies(screen, Path(), keys, danger_answer=lambda text, _: looked_at.append(text))
    IdentityQuestions(Language.PT, dependencies).ask("Maria Souza", "529.982.247-25")
    assert looked_at == []


def test_what_is_known_is_not_asked(keys: PipeInput) -> None:
    identity, screen = asked(keys, "", "Maria Souza", "529.982.247-25")
    assert identity == Identity("Maria Souza", "529.982.247-25")
    assert "Nome completo" not in screen


def test_a_known_cpf_with_wrong_check_digits_is_asked_about(keys: PipeInput) -> None:
    identity, _ = asked(keys, "n\r52998224725\r", "Carlos Teste", "123.456.789-00")
    assert identity.cpf == "529.982.247-25"


def test_ctrl_d_leaves(keys: PipeInput) -> None:
    with pytest.raises(EOFError):
        asked(keys, "\x04")


def test_ctrl_c_leaves(keys: PipeInput) -> None:
    with pytest.raises(KeyboardInterrupt):
        asked(keys, "\x03")


def test_a_cpf_typed_as_the_name_is_covered_and_no_name(keys: PipeInput) -> None:
    identity, screen = asked(keys, "Maria Souza 529.982.247-25\rMaria Souza\r529.982.247-25\r")
    assert identity.name == "Maria Souza"
    assert texts_in(Language.PT).text("terminal.bad_name") in screen
    assert "Maria Souza ***.***.***-**" in screen


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("meu filho engoliu uma pilha\rMaria Souza\r52998224725\r", "192"),
        ("quero morrer\rMaria Souza\r52998224725\r", "188"),
        ("my baby is not responding\rMaria Souza\r52998224725\r", "Call SAMU"),
        ("Maria Souza\rTOMEI VENENO\r52998224725\r", "192"),
        ("Maria Souza\rsinto uma dor no peito\r52998224725\r", "192"),
        ("ando muito triste ultimamente\rMaria Souza\r52998224725\r", "CVV"),
    ],
)
def test_danger_told_instead_of_a_name_or_a_cpf_is_answered(keys: PipeInput, typed: str, told: str) -> None:
    identity, screen = asked(keys, typed)
    assert identity == Identity("Maria Souza", "529.982.247-25")
    assert told in screen.replace("\n", " ")


@pytest.mark.parametrize(
    "name",
    ["Maria do Socorro Silva", "Maria das Dores Alves", "Ana Paz", "José Queda Morto", "Dolores Corte", "Ajuda Lima"],
)
def test_no_name_is_taken_for_danger(keys: PipeInput, name: str) -> None:
    identity, _ = asked(keys, f"{name}\r52998224725\r")
    assert identity.name == name
