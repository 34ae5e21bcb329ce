"""The commands at a real pseudo-terminal: by number from the list to the booking and back, nothing without a yes."""

from collections.abc import Iterator

import pytest

from tests.support.home import Home
from tests.support.tty import Tty

IDENTITY = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}


@pytest.fixture
def home(served_home: Home) -> Home:
    return served_home


@pytest.fixture
def tty(home: Home) -> Iterator[Tty]:
    tty = Tty(home, **IDENTITY)
    tty.wait_for("clínicas 6/6")
    yield tty
    tty.close()


@pytest.mark.long
def test_booking_moving_and_cancelling_by_number(home: Home, tty: Tty) -> None:
    tty.say("/slots cardiologia", "Dr. Fernando Mendes", "mais cedo")
    tty.send("/book ")
    tty.wait_for("sexta-feira, 18/07/2025, 10:00 · Dr. Fernando Mendes · Clínica C")
    tty.send("\x03")
    tty.say("/book 1", "Marcar consulta", "sexta-feira, 18/07/2025", "Confirma?")
    assert home.taken("clinic_c") == []
    assert "Há uma proposta aberta" in tty.press("\x04")
    tty.say("sim", "Consulta marcada")
    assert home.taken("clinic_c") == [("2025-07-18", "10:00", "Maria Souza")]

    tty.say("/bookings", "Você tem as consultas abaixo", "18/07", "Clínica C")
    tty.say("/reschedule 1 dia 19 às 14h", "Remarcar consulta", "19/07/2025", "Confirma?")
    tty.say("sim", "14:00")
    tty.say("/reschedule 1", "Dr. Fernando Mendes")
    tty.say("/cancel 1", "Cancelar consulta", "19/07/2025", "Confirma?")
    tty.say("sim", "cancelada")
    assert home.taken("clinic_c") == []

    tty.say(f"/save {home.folder}/conversa.md", "sem dados pessoais")
    saved = (home.folder / "conversa.md").read_text("utf-8")
    assert "Consulta marcada" in saved
    assert "Maria Souza" not in saved
    tty.say("/json", '{"schema": "clinic-mesh.turn/1"')
    assert '"receipts": [{"status": "cancelled"' in tty.output
    tty.say("/hepl", "Você quis dizer /help?")
