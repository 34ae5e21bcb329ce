"""A whole conversation at a real pseudo-terminal, from one command to goodbye, read from the screen."""

import re
import stat
from collections.abc import Iterator

import pytest

from orchestrator.fleet.process import find_holders
from tests.support.home import Home
from tests.support.tty import Tty

CPF = re.compile(r"123\.?456\.?789-?00|529\.?982\.?247-?25")


@pytest.fixture
def starter(home: Home) -> Iterator[Tty]:
    """A terminal that starts the clinics itself."""
    tty = Tty(home)
    yield tty
    tty.close()


@pytest.fixture
def tty(served_home: Home) -> Iterator[Tty]:
    tty = Tty(served_home)
    yield tty
    tty.close()


def introduce(tty: Tty, name: str = "Carlos Teste", cpf: str = "529.982.247-25") -> None:
    tty.wait_for("Nome completo:")
    tty.send(f"{name}\r")
    tty.wait_for("CPF:")
    tty.send(f"{cpf}\r")


def test_booking_moving_and_cancelling_from_one_command(home: Home, starter: Tty) -> None:
    tty = starter
    tty.wait_for("Clínicas em funcionamento: 6 de 6.", "Nome completo:")
    introduce(tty, cpf="123.456.789-00")
    tty.wait_for("Os dígitos verificadores deste CPF não conferem.", "(s/N)")
    tty.send("s\r")
    tty.wait_for_prompt()
    tty.wait_for(
        "Olá, Carlos!", "clínicas 6/6 · Ctrl-D sai · Carlos Teste · F2 clínicas · F4 emacs · CPF ***.***.*89-**"
    )

    listing = tty.say("quero marcar uma consulta com cardiologista", "Dr. Fernando Mendes", "Dr. Ricardo Lopes")
    earliest = next(line for line in listing.splitlines() if "mais cedo" in line)
    assert "18/07/2025" in earliest
    assert "10:00" in earliest
    assert earliest.startswith("1 ")

    proposal = tty.say("pode ser com o Dr. Fernando dia 18 as 10h", "Confirma?")
    tty.wait_for("proposta aberta")
    assert "***.***.*89-**" in proposal
    assert home.taken("clinic_c") == []
    tty.say("sim", "Consulta marcada", "18/07/2025")
    assert home.taken("clinic_c") == [("2025-07-18", "10:00", "Carlos Teste")]

    tty.say("preciso reagendar para o dia 19 as 14h", "Confirma?", "19/07/2025")
    tty.say("sim", "14:00")
    assert home.taken("clinic_c") == [("2025-07-19", "14:00", "Carlos Teste")]

    tty.say("preciso cancelar minha consulta", "Confirma?")
    tty.say("não", "alterado")
    assert home.taken("clinic_c") == [("2025-07-19", "14:00", "Carlos Teste")]

    assert "19/07" in tty.say("/bookings", "Você tem as consultas abaixo")
    tty.say("meu cpf é 123.456.789-00")
    assert "meu cpf é ***.***.***-**" in tty.text
    tty.send("\x04")
    assert tty.wait_for_end() == 0
    assert "Até logo!" in tty.text
    assert find_holders(home.data) == []
    assert not CPF.search(tty.output)
    for path, text in home.files():
        assert not CPF.search(text), path
    history = home.data / "history"
    assert history.read_text("utf-8") == "/bookings\n"
    assert stat.S_IMODE(history.stat().st_mode) == 0o600


@pytest.mark.long
def test_an_empty_answer_to_a_proposal_changes_nothing(served_home: Home, tty: Tty) -> None:
    introduce(tty)
    tty.wait_for_prompt()
    tty.say("quero marcar uma consulta com cardiologista", "Dr. Fernando Mendes")
    tty.say("pode ser com o Dr. Fernando dia 18 as 10h", "Confirma?")
    tty.say("", "alterado")
    assert served_home.taken("clinic_c") == []


@pytest.mark.long
def test_the_same_in_english(served_home: Home, tty: Tty) -> None:
    introduce(tty)
    tty.wait_for_prompt()
    tty.say("/lang en", "I now answer in English.")
    tty.say("I want to see a cardiologist", "Dr. Ricardo Lopes", "earliest")
    tty.say("I'll take Dr. Ricardo on July 21 at 9 AM", "Monday, July 21, 2025", "yes")
    tty.say("yes", "booked")
    assert served_home.taken("clinic_a") == [("2025-07-21", "09:00", "Carlos Teste")]
