"""The forms that a screen can have: narrow, resized, too small for an answer, without colour, without a cursor."""

import re

import pytest

from tests.support.home import Home
from tests.support.tty import COLUMNS, ROWS, Tty

IDENTITY = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
ASK = "quais são os horários de cardiologia?"
BOX = re.compile("[\u2500-\u257f]")
STYLED = re.compile(r"\x1b\[[0-9;]*m")
MOVING = re.compile(r"\x1b\[[0-9;?]*[A-HJKSTfhlr]")


@pytest.fixture
def home(served_home: Home) -> Home:
    return served_home


def opened(home: Home, columns: int = COLUMNS, rows: int = ROWS, /, **environment: str) -> Tty:
    return Tty(home, (), columns, rows, **IDENTITY, **environment)


def test_on_a_narrow_screen_openings_run_on_and_after_a_resize_are_a_table(home: Home) -> None:
    tty = opened(home, 50)
    try:
        lines = tty.say(ASK, "Dr. Fernando Mendes").splitlines()
        first = lines.index("1 · sexta-feira, 18/07/2025 · 10:00")
        assert lines[first + 1] == "    Dr. Fernando Mendes · Clínica C · mais cedo"
        tty.resize(100)
        tty.send("\x0c")
        answer = tty.say("/slots", "Dr. Fernando Mendes")
        assert "Nº  Data" in answer
    finally:
        tty.close()


@pytest.mark.long
def test_an_answer_taller_than_the_screen_scrolls_and_what_is_typed_is_a_message(home: Home) -> None:
    tty = opened(home, COLUMNS, 14)
    try:
        tty.wait_for_prompt()
        assert "Encontrei 12 horários" in tty.say_scrolling(ASK, "Para escolher, diga o número.")
        assert "em Dermatologia" in tty.say_scrolling("quero um dermatologista", "Para escolher, diga o número.")
        assert "\x1b[?1049h" not in tty.output
    finally:
        tty.close()


ROW = re.compile(r"^ *([0-9]+)(?: ·|  )", re.MULTILINE)


@pytest.mark.long(but=1)
@pytest.mark.parametrize(("columns", "rows", "most"), [(80, 24, 6), (60, 20, 4)])
def test_a_long_list_is_short_and_goes_on_when_more_is_asked_for(
    home: Home, columns: int, rows: int, most: int
) -> None:
    tty = opened(home, columns, rows)
    try:
        tty.wait_for_prompt()
        shown = tty.say_scrolling("horários de cardiologia e ortopedia", "Diga “mais”", "Para escolher, diga o número.")
        assert numbers(shown) == list(range(1, most + 1))
        assert set(re.findall("Clínica [A-F]", shown.split("Nº")[1])) == {f"Clínica {name}" for name in "ACDE"}
        assert shown.count("mais cedo") == 1
        more = tty.say_scrolling("mais", f"Mais {most} horários, de ", "Para escolher, diga o número.")
        assert numbers(more) == list(range(most + 1, 2 * most + 1))
        tty.say_scrolling(str(most + 1), "Confirma?")
        tty.say_scrolling("não", "alterado")
        whole = numbers(tty.say_scrolling("/slots", "Dr. Ricardo Lopes"))
        assert whole == list(range(1, len(whole) + 1))
        assert len(whole) > 2 * most
    finally:
        tty.close()


def numbers(drawn: str) -> list[int]:
    """Return the numbers that begin rows."""
    return [int(number) for number in ROW.findall(drawn)]


def test_without_colour_answers_are_plain_lines_and_the_line_can_be_edited_all_the_same(home: Home) -> None:
    tty = opened(home, NO_COLOR="1")
    try:
        tty.wait_for_prompt()
        before = len(tty.output)
        answer = tty.say("xquais\x01\x1b[3~\x05 são os horários de cardiologia?", "mais cedo", "Clínica A: respondeu")
        assert not BOX.search(answer)
        assert not re.search(r"\x1b\[[0-9;]*3[1-7]", tty.output[before:])
    finally:
        tty.close()


@pytest.mark.long
@pytest.mark.parametrize("wish", [{"TERM": "dumb"}, {"ACCESSIBLE": "1"}], ids=["TERM=dumb", "ACCESSIBLE=1"])
def test_without_a_cursor_everything_is_appended(home: Home, wish: dict[str, str]) -> None:
    tty = opened(home, **wish)
    try:
        tty.wait_for_prompt()
        tty.say(f"x\x7f{ASK}", "Clínica A: respondeu, 6 resultados", "mais cedo", "Nº | Data | Hora")
        tty.say("o mais cedo", "Marcar consulta", "Confirma?")
        assert "Há uma proposta aberta" in tty.press("\x04")
        tty.say("não", "alterado")
        tty.send("\x04")
        assert tty.wait_for_end() == 0
        for unwanted in (BOX, STYLED, MOVING):
            assert not unwanted.search(tty.output), unwanted
    finally:
        tty.close()


def test_without_a_cursor_a_cpf_is_masked_while_it_is_typed(home: Home) -> None:
    tty = Tty(home, ACCESSIBLE="1")
    try:
        tty.wait_for("Nome completo:")
        tty.send("Maria Souza\r")
        tty.wait_for("CPF:")
        tty.send("529.982.247-25\r")
        tty.wait_for("CPF ***.***.*47-**", "Olá, Maria!")
        assert not re.search("529|982|247", tty.output)
        assert "\x1b" not in tty.output
    finally:
        tty.close()
