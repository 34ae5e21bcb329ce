"""A model with a memory, real clinics and a real file: what is said in one session is used in the next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from orchestrator.composition.memory import LazyMemory
from orchestrator.journal.pipeline_log import PipelineLog
from orchestrator.llm.language_model import PlannerVariant, ReplyRequests
from orchestrator.turn.identity import Identity, Role
from orchestrator.turn.session import Session
from tests.support.chat_server import Body, ChatServer, Reply, chat_server
from tests.support.clinics import NOW, Clinics
from tests.support.memories import memory_settings
from tests.support.model_talk import configuration_of
from tests.support.played_model import Call, PlayedModel, data_of, purpose_of
from tests.support.talk import CARLOS, Talk, open_talk

TRAVELS = "costumo viajar a trabalho"
SAYS = f"quero um cardiologista, mas {TRAVELS}"
ASKS = "quero um cardiologista"
CARDIOLOGY: list[Call] = [("clinic_a", "list_available_slots", {}), ("clinic_c", "list_available_slots", {})]
GOOD = PlayedModel({SAYS: CARDIOLOGY, ASKS: CARDIOLOGY})


def saving(words: str) -> object:
    return {"do": "remember", "kind": "disponibilidade", "words": words, "because": None}


FORGETTING = {"do": "forget", "words": "tudo"}
CALLS: Mapping[str, Sequence[object]] = {
    SAYS: [saving("Costuma viajar a trabalho")],
    ASKS: [saving("Tem pressa"), FORGETTING],
}


def script(body: Body) -> Reply:
    """Plan well, and add memory steps that are no better than they are."""
    if purpose_of(body) != "plan":
        return GOOD(body)
    turn = data_of(body)
    plan = json.loads(GOOD.plan(turn))
    return json.dumps({**plan, "steps": [*plan["steps"], *CALLS.get(turn["utterance"], ())]})


@contextmanager
def session_of(
    running: Clinics, folder: Path, *, who: Identity = CARLOS, role: Role = Role.PATIENT, cot: bool = False
) -> Iterator[tuple[Talk, ChatServer]]:
    """Yield somebody's conversation with a memory in a folder, and the model's server."""
    planner = PlannerVariant.COT if cot else PlannerVariant.DIRECT
    with ExitStack() as parts:
        server = parts.enter_context(chat_server(script))
        model = configuration_of(server, planner=planner, reply=ReplyRequests.ALWAYS)
        memory = parts.enter_context(
            LazyMemory(memory_settings(folder / "data", folder / "keys", now=NOW), Role.PATIENT)
        )
        talk = parts.enter_context(open_talk(running.registry, role=role, model=model, memory=memory))
        talk.session = Session(who, role=role)
        yield talk, server


def memories_told(server: ChatServer) -> list[str]:
    """What the planner was told of memories, all requests together."""
    turns = [data_of(request.body) for request in server.requests if purpose_of(request.body) == "plan"]
    return [memory for turn in turns for memory in turn.get("memories", ())]


@pytest.mark.parametrize("cot", [False, True])
def test_what_was_said_in_one_session_is_told_to_the_planner_in_the_next_and_to_nobody_else(
    running: Clinics, tmp_path: Path, *, cot: bool
) -> None:
    with session_of(running, tmp_path, cot=cot) as (talk, server):
        reply = talk.say(SAYS)
        assert memories_told(server) == []
    assert f"“{TRAVELS}”" in reply.plain
    assert "Dr. Fernando Mendes" in reply.plain
    with session_of(running, tmp_path, cot=cot) as (talk, server):
        reply = talk.say(ASKS)
        assert memories_told(server) == [TRAVELS]
        others = [request.body for request in server.requests if purpose_of(request.body) != "plan"]
        assert list(map(purpose_of, others)) == ["audit", "write"]
        assert not [body for body in others if "viajar" in str(body)]
    assert "Tem pressa" not in reply.plain
    stranger = Identity.of("Outra Pessoa", "935.411.347-80")
    with session_of(running, tmp_path, who=stranger, cot=cot) as (talk, server):
        talk.say(ASKS)
        assert memories_told(server) == []


def test_a_model_forgets_nothing_and_the_persons_own_words_forget_everything(running: Clinics, tmp_path: Path) -> None:
    with session_of(running, tmp_path) as (talk, server):
        talk.say(SAYS)
        talk.say(ASKS)
        assert TRAVELS in talk.say("o que você sabe de mim?").plain
        talk.say("apaga tudo o que você sabe sobre mim")
        assert TRAVELS not in talk.say("o que você sabe de mim?").plain
    assert not [path for path in (tmp_path / "data").iterdir() if b"viajar" in path.read_bytes()]
    received = server.received.decode()
    assert not [one for one in (CARLOS.cpf, *CARLOS.name.split()) if one in received]


def test_the_log_says_what_was_done_and_nothing_of_what_is_remembered(running: Clinics, tmp_path: Path) -> None:
    with session_of(running, tmp_path) as (talk, _):
        talk.say(SAYS)
        talk.say(ASKS)
    log = PipelineLog(tmp_path / "logs", CARLOS)
    for event in talk.events:
        log(event)
    (file,) = (tmp_path / "logs").iterdir()
    assert "viaj" not in file.read_text("utf-8")


def test_of_what_staff_say_nothing_is_remembered_and_no_model_is_told_that_it_could_be(
    running: Clinics, tmp_path: Path
) -> None:
    with session_of(running, tmp_path, role=Role.OPERATOR) as (talk, server):
        reply = talk.say(SAYS)
    assert TRAVELS not in reply.plain
    prompts = [message["content"] for request in server.requests for message in request.body["messages"]]
    assert not [text for text in prompts if "MEMORY" in text or '"memories"' in text]
    assert not (tmp_path / "data").exists()
