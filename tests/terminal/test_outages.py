"""Clinics that die, hang or come back while a person is at the terminal, and a terminal that dies itself."""

import os
import signal
from collections.abc import Iterator

import pytest

from orchestrator.fleet.process import find_holders
from tests.support.home import Home
from tests.support.patience import sitecustomize
from tests.support.tty import Tty

IDENTITY = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
ASK = "quais são os horários de cardiologia?"


@pytest.fixture
def tty(served_home: Home) -> Iterator[Tty]:
    """A terminal that knows who speaks, on a machine where six clinics run."""
    tty = Tty(served_home, **IDENTITY)
    tty.wait_for("Olá, Maria!", "clínicas 6/6")
    yield tty
    tty.close()


@pytest.fixture
def starter(home: Home) -> Iterator[Tty]:
    """A terminal that knows who speaks, with six clinics that it started."""
    tty = Tty(home, **IDENTITY)
    tty.wait_for("Olá, Maria!", "clínicas 6/6")
    yield tty
    tty.close()


def test_a_killed_clinic_is_named_the_rest_shown_and_it_answers_again_after_its_restart(
    served_home: Home, tty: Tty
) -> None:
    tty.say(ASK, "Dr. Fernando Mendes", "Dr. Ricardo Lopes")
    served_home.signal("clinic_c", signal.SIGKILL)
    answer = tty.say("/slots cardiologia", "Clínica C", "Dr. Ricardo Lopes")
    assert "1 de 2 clínicas" in answer
    assert "Dr. Fernando Mendes" not in answer
    tty.wait_for("clínicas 5/6")

    assert served_home.run("up", "--detach").returncode == 0
    tty.wait_for("clínicas 6/6")
    answer = tty.say("quais os horários de cardiologia?", "Dr. Fernando Mendes", "Dr. Ricardo Lopes")
    assert "1 de 2" not in answer


@pytest.mark.long(but=1)
@pytest.mark.parametrize("key", ["\x03", "\x1b"], ids=["Ctrl-C", "Esc"])
def test_a_key_cancels_a_turn_that_waits_and_the_session_goes_on(served_home: Home, tty: Tty, key: str) -> None:
    tty.say(ASK, "Dr. Fernando Mendes")
    served_home.signal("clinic_c", signal.SIGSTOP)
    asked = tty.begin("quais os horários de cardiologia?")
    tty.wait_for("Clínica C: consultando…")
    tty.send(key)
    answer = tty.finish(asked)
    assert "Interrompido a seu pedido." in answer
    assert "consultando" not in tty.text
    served_home.signal("clinic_c", signal.SIGCONT)
    tty.say("/slots cardiologia", "Dr. Fernando Mendes", "Dr. Ricardo Lopes")
    assert len(served_home.holders) == 6


@pytest.fixture
def impatient(served_home: Home) -> Iterator[Tty]:
    """A terminal that waits for clinics for a few seconds, as it does outside of tests."""
    tty = Tty(served_home, **IDENTITY, **{sitecustomize.VARIABLE: "4"})
    tty.wait_for("Olá, Maria!", "clínicas 6/6")
    yield tty
    tty.close()


@pytest.mark.long
def test_what_is_typed_while_a_turn_waits_is_neither_shown_nor_sent(served_home: Home, impatient: Tty) -> None:
    tty = impatient
    tty.say(ASK, "Dr. Fernando Mendes", "Dr. Ricardo Lopes")  # now there is a connection, which a stopped clinic keeps
    served_home.signal("clinic_c", signal.SIGSTOP)
    asked = tty.begin(ASK)
    tty.wait_for("Clínica C: consultando…")
    tty.send("/why\rsim\r")
    tty.wait_for("Clínica C: demora a responder…", "Esc ou Ctrl-C cancela.")
    assert "/why" not in tty.text.partition("consultando")[2]
    answer = tty.finish(asked)
    served_home.signal("clinic_c", signal.SIGCONT)
    assert "Clínica C não respondeu (" in answer
    assert "Mostrando 1 de 2 clínicas." in answer
    assert "/retry clinic_c pergunta de novo só a quem falta; /why conta os detalhes." in answer
    tty.say("/lang", "Use /lang pt")
    assert "como a última resposta foi obtida" not in tty.text


@pytest.mark.long
def test_retry_asks_only_the_clinic_that_was_silent_and_shows_its_openings_alone(served_home: Home, tty: Tty) -> None:
    served_home.signal("clinic_c", signal.SIGKILL)
    tty.say(ASK, "Dr. Ricardo Lopes", "/retry clinic_c")
    answer = tty.say("/retry clinic_c", "Clínica C não respondeu", "/retry clinic_c")
    assert "Dr. Ricardo Lopes" not in answer
    assert served_home.run("up", "--detach").returncode == 0
    tty.wait_for("clínicas 6/6")
    answer = tty.say("/retry", "Dr. Fernando Mendes")
    assert "Dr. Ricardo Lopes" not in answer
    tty.say("/retry", "nenhuma clínica consultada ficou sem responder")


@pytest.mark.long
def test_ctrl_c_at_the_prompt_reaches_no_clinic(home: Home, starter: Tty) -> None:
    assert "Para sair: Ctrl-C de novo" in starter.press("\x03")
    starter.say(ASK, "Dr. Fernando Mendes", "Dr. Ricardo Lopes")


@pytest.mark.long
def test_a_terminal_that_is_ended_takes_its_clinics_along(home: Home, starter: Tty) -> None:
    os.kill(starter.pid, signal.SIGTERM)
    assert starter.wait_for_end() == 128 + signal.SIGTERM
    assert find_holders(home.data) == []


@pytest.mark.long
def test_a_window_that_is_closed_takes_its_clinics_along(home: Home, starter: Tty) -> None:
    starter.hang_up()
    assert find_holders(home.data) == []


@pytest.mark.long
def test_clinics_that_ran_before_are_used_and_left_running(home: Home) -> None:
    assert home.run("up", "--detach").returncode == 0
    before = {holder.pid for holder in find_holders(home.data)}
    tty = Tty(home, **IDENTITY)
    try:
        tty.say(ASK, "Dr. Fernando Mendes", "Dr. Ricardo Lopes")
        tty.say("/clinics", "no ar", "Dr. Ricardo Lopes")
        tty.send("/quit\r")
        assert tty.wait_for_end() == 0
    finally:
        tty.close()
    assert {holder.pid for holder in find_holders(home.data)} == before
    assert home.run("down").returncode == 0
    assert find_holders(home.data) == []
