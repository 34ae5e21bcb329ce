"""The prompt's keys at a real pseudo-terminal: completion, suggestion, search in the history, and what is kept."""

from collections.abc import Iterator

import pytest

from tests.support.home import Home
from tests.support.tty import Tty


@pytest.fixture
def tty(home: Home) -> Iterator[Tty]:
    """A terminal without any clinic: the prompt needs none."""
    tty = Tty(home, ["--no-start"], CLINIC_MESH_NAME="Maria Souza", CLINIC_MESH_CPF="529.982.247-25")
    tty.wait_for("clínicas 0/6")
    yield tty
    tty.close()


def test_tab_completes_a_command_and_its_argument(tty: Tty) -> None:
    tty.send("/la")
    tty.wait_for("fixa o idioma")
    tty.send("\t")
    tty.wait_for("você> /lang")
    tty.send(" e")
    tty.wait_for("você> /lang e\n")
    tty.send("\t")
    tty.wait_for("você> /lang en")
    tty.send("\r")
    tty.wait_for("I now answer in English.")


@pytest.mark.long
def test_right_accepts_what_an_earlier_line_suggests(home: Home, tty: Tty) -> None:
    tty.say("/slots", "Nenhum horário")
    tty.send("/sl")
    tty.wait_for_count("você> /slots", 2)
    tty.send("\x1b[C\r")
    tty.send("\x04")
    assert tty.wait_for_end() == 0
    assert tty.text.count("Nenhum horário") == 2


def test_ctrl_r_finds_a_command_of_an_earlier_session(home: Home, tty: Tty) -> None:
    tty.say("/clinics", "fora do ar")
    tty.send("\x04")
    assert tty.wait_for_end() == 0

    again = Tty(home, ["--no-start"], CLINIC_MESH_NAME="Maria Souza", CLINIC_MESH_CPF="529.982.247-25")
    try:
        again.wait_for_prompt()
        again.send("\x12lini")
        again.wait_for("/clinics")
        again.send("\r\r")
        again.wait_for("fora do ar")
    finally:
        again.close()


@pytest.mark.long
def test_without_any_clinic_a_question_says_so(tty: Tty) -> None:
    tty.say("quais são os horários de cardiologia?", "Nenhuma clínica")


def test_alt_enter_and_a_paste_make_one_message_of_several_lines(tty: Tty) -> None:
    tty.wait_for_prompt()
    tty.send("/slots\x1b\r ")
    tty.send("\x1b[200~\n\n\x1b[201~\r")
    tty.wait_for("Nenhum horário")
    assert "não existe" not in tty.text


def test_f2_shows_the_clinics_above_what_is_typed(tty: Tty) -> None:
    tty.wait_for_prompt()
    tty.send("/book")
    tty.send("\x1bOQ")
    tty.wait_for("clinic_f", "fora do ar", "você> /book")


@pytest.mark.long
def test_f2_turns_no_pages_on_a_screen_that_is_too_small_for_it(home: Home) -> None:
    tty = Tty(home, ["--no-start"], 60, 14, CLINIC_MESH_NAME="Maria Souza", CLINIC_MESH_CPF="529.982.247-25")
    try:
        tty.wait_for("você>")
        tty.send("/slot\x1bOQ")
        # The completion menu may push the first lines of the last card off so small a screen.
        tty.wait_for("fora do ar", "você> /slot")
        assert "clinic_f" in tty.output
        tty.send("s\r")
        tty.wait_for("Nenhum horário")
    finally:
        tty.close()


@pytest.mark.long
def test_f4_says_how_lines_are_edited(tty: Tty) -> None:
    tty.wait_for("F4 emacs")
    tty.send("\x1bOS")
    tty.wait_for("F4 vi")
    tty.send("\x1bOS")
    tty.wait_for("F4 emacs")


@pytest.mark.long
def test_a_second_ctrl_c_leaves(tty: Tty) -> None:
    assert "Para sair: Ctrl-C de novo" in tty.press("\x03")
    tty.send("\x03")
    assert tty.wait_for_end() == 0
    assert "Até logo!" in tty.text
