"""A language model behind a real pseudo-terminal: what is seen of it, and Ctrl-C while it is slow."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.chat_server import Body, ChatServer, Fault, Reply, Script, Silence, chat_server
from tests.support.home import Home
from tests.support.played_model import PlayedModel
from tests.support.tty import Tty

IDENTITY = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
ASK = "quero um cardiologista"
GOOD = PlayedModel(
    {
        ASK: [("clinic_a", "list_available_slots", {})],
        "o primeiro": [
            ("clinic_c", "book_appointment", {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"})
        ],
    },
    ["Cardiologia fica na clinic_a e na clinic_c."],
)


@pytest.fixture
def home(served_home: Home) -> Home:
    return served_home


@contextmanager
def terminal(home: Home, script: Script) -> Iterator[tuple[Tty, ChatServer]]:
    with chat_server(script) as server:
        model = {
            "CLINIC_MESH_LLM": "openai",
            "CLINIC_MESH_LLM_MODEL": "played",
            "CLINIC_MESH_LLM_PLANNER": "cot",
            "OPENAI_BASE_URL": server.base_url,
        }
        tty = Tty(home, **IDENTITY, **model)
        try:
            tty.wait_for("Olá, Maria!", "clínicas 6/6")
            yield tty, server
        finally:
            tty.close()


def test_a_conversation_with_a_model_books_and_why_tells_its_reasoning_and_what_code_did(home: Home) -> None:
    with terminal(home, GOOD) as (tty, server):
        tty.say(ASK, "Encontrei 12 horários livres", "Dr. Fernando Mendes", "18/07/2025")
        why = tty.say("/why", "Cardiologia fica na clinic_a e na clinic_c.", "Rule 10 added clinic_c.")
        assert "modelo, plano" in why
        assert "played, 11 + 7 tokens" in why
        tty.say("o primeiro", "Confirma?")
        tty.say("sim", "Consulta marcada", "18/07/2025")
        assert home.taken("clinic_c") == [("2025-07-18", "10:00", "Maria Souza")]
    assert b"Maria" not in server.received
    assert b"529.982" not in server.received
    assert b"52998224725" not in server.received


@pytest.mark.long
def test_a_model_that_fails_is_said_in_one_line_and_the_conversation_goes_on(home: Home) -> None:
    with terminal(home, lambda _: Fault(500, headers={"Retry-After": "300"})) as (tty, server):
        tty.say(ASK, "Modelo de linguagem indisponível (falha no servidor)", "Encontrei 12 horários")
        assert "indisponível" not in tty.say("quero um dermatologista", "Dermatologia")
        assert len(server.requests) == 1


@pytest.mark.long
def test_ctrl_c_stops_a_model_that_does_not_answer_and_the_session_goes_on(home: Home) -> None:
    waiting: list[Reply] = [Silence()]

    def script(body: Body) -> Reply:
        return waiting.pop() if waiting else GOOD(body)

    with terminal(home, script) as (tty, server):
        asked = tty.begin(ASK)
        tty.wait_for("Modelo: planejando…")
        server.await_requests(1)
        tty.send("\x03")
        tty.finish(asked)
        assert server.hung_up.wait(30)
        tty.say(ASK, "Encontrei 12 horários livres", "Dr. Fernando Mendes")
