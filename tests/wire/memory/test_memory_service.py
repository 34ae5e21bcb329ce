"""The memory as a service: its tools, whose memories they touch, and how MCP clients find them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from grpc_status import rpc_status
from mcp.client.client import Client

from generated.memory.v1 import memory_service_pb2 as pb
from generated.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from mesh.clock import clock_at
from mesh.server import NodePolicies, open_node
from orchestrator.agents.registry import REFLECTED, Agent
from orchestrator.memory.keeping.handler import MemoryHandler, SubjectKey
from orchestrator.memory.memory_service import SERVICE, MemoryService
from orchestrator.memory.sqlite_store import SqliteMemoryStore
from orchestrator.security.token_keys import KeyFolder
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Identity, Language, Role
from tests.support.clinics import NOW, Guard, open_clinics
from tests.support.mcp_gateway import ERAS, JOANA, Gateway, Host, open_gateway
from tests.support.talk import CARLOS
from tests.support.tokens import CARLOS_CPF, JOANA_CPF, make_keys, token_for

NIGHTS = {"tipo": "preferencia", "conteudo": "Prefere plantões noturnos por causa dos filhos"}


@pytest.fixture
def keys(tmp_path: Path) -> KeyFolder:
    return make_keys(tmp_path)


@pytest.fixture
def service(keys: KeyFolder, tmp_path: Path) -> Iterator[Agent]:
    """The memory, served to whoever has a token."""
    store, folder = SqliteMemoryStore(tmp_path / "memory.db"), tmp_path / "keys"
    keepers = {role: MemoryHandler(store, SubjectKey(folder, role), None, clock_at(NOW)) for role in Role}
    descriptor, reasons = SERVICE
    served = {descriptor: MemoryService(keepers, texts_in(Language.PT))}
    with open_node("memory", "127.0.0.1:0", served, [reasons], NodePolicies(keys.public)) as node:
        yield Agent("memory", "Memory", node.address, service=descriptor.full_name, contract=REFLECTED)


Call = Callable[..., Any]


@pytest.fixture
def call(service: Agent, keys: KeyFolder) -> Iterator[Call]:
    """Call a method with a token of a role for a CPF, which the request names, too, unless it is to name another."""
    with grpc.insecure_channel(service.address) as channel:
        stub = MemoryServiceStub(channel)

        def made(
            method: str, request: type[Message], whose: str = CARLOS_CPF, role: Role = Role.PATIENT, **fields: str
        ) -> Any:
            issuer = "orchestrator" if role is Role.PATIENT else "operator"
            token = token_for(keys, whose, issuer, "memory")
            filled = {"cpf": whose, **fields}
            if request is pb.SalvarMemoriaRequest:
                filled |= {"patient_name": "Carlos Teste"}
            return getattr(stub, method)(request(**filled), timeout=5, metadata=[("authorization", f"Bearer {token}")])

        yield made


def save(call: Call, *who: object, **fields: str) -> tuple[bool, str]:
    answer = call("SalvarMemoria", pb.SalvarMemoriaRequest, *who, **{**NIGHTS, **fields})
    return answer.success, answer.mensagem


def listed(call: Call, *who: object) -> list[str]:
    return [one.conteudo for one in call("ListarMemorias", pb.ListarMemoriasRequest, *who).memorias]


@pytest.mark.parametrize(
    ("fields", "success", "said"),
    [
        ({}, True, "Anotado! Vou lembrar disso."),
        ({"conteudo": "noturno"}, False, "Conteúdo muito curto. Seja mais específico."),
        ({"conteudo": "a" * 501}, False, "Conteúdo muito longo. Resuma em até 500 caracteres."),
        ({"tipo": "segredo"}, False, "Tipo e conteúdo são obrigatórios"),
        ({"conteudo": "meu CPF é 111.444.777-35"}, False, "Não anotado: nome, CPF"),
        ({"conteudo": "é o Carlos Teste que fala aqui"}, False, "Não anotado: nome, CPF"),
        ({"conteudo": "é diabético e toma insulina"}, False, "Não anotado: informações de saúde"),
        ({"valido_ate": "2020-01-01"}, False, "Não anotado: a data já passou"),
    ],
)
def test_what_is_admitted_and_what_is_said_are_those_of_the_conversation(
    call: Call, fields: dict[str, str], success: bool, said: str
) -> None:
    answered = save(call, **fields)
    assert answered[0] is success
    assert answered[1].startswith(said)
    assert len(listed(call)) == success


def test_the_same_in_nearly_the_same_words_is_known_already(call: Call) -> None:
    assert save(call)[0]
    said = {"conteudo": "Prefere plantões noturnos devido aos filhos"}
    assert save(call, **said) == (True, "Já tenho essa informação registrada")
    assert len(listed(call)) == 1


def test_what_is_saved_is_found_forgotten_and_cleared(call: Call) -> None:
    save(call, contexto="moram com ele")
    save(call, tipo="info_pessoal", conteudo="Mora em Santo André")
    (found,) = call("BuscarMemorias", pb.BuscarMemoriasRequest, consulta="plantões").memorias
    assert (found.conteudo, found.desde) == (f"{NIGHTS['conteudo']} (Contexto: moram com ele)", NOW[:10])
    assert call("EsquecerMemoria", pb.EsquecerMemoriaRequest, sobre="Santo André").success
    assert not call("EsquecerMemoria", pb.EsquecerMemoriaRequest, sobre="Santo André").success
    assert len(listed(call)) == 1
    assert call("EsquecerTudo", pb.EsquecerTudoRequest).success
    assert listed(call) == []


PEOPLE = [(CARLOS_CPF, Role.PATIENT), (JOANA_CPF, Role.PATIENT), (CARLOS_CPF, Role.OPERATOR)]


def test_two_patients_and_staff_have_memories_apart(call: Call) -> None:
    own = {who: f"não trabalha no dia {number} da semana" for number, who in enumerate(PEOPLE, 1)}
    for who, content in own.items():
        assert save(call, *who, tipo="restricao", conteudo=content)[0]
    assert {who: listed(call, *who) for who in PEOPLE} == {who: [content] for who, content in own.items()}
    call("EsquecerTudo", pb.EsquecerTudoRequest, *PEOPLE[0])
    assert [len(listed(call, *who)) for who in PEOPLE] == [0, 1, 1]


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    "method", ["SalvarMemoria", "BuscarMemorias", "ListarMemorias", "EsquecerMemoria", "EsquecerTudo"]
)
def test_another_persons_cpf_is_refused_whatever_the_token_may_do_at_a_clinic(
    call: Call, role: Role, method: str
) -> None:
    save(call, JOANA_CPF)
    needed = {"SalvarMemoria": NIGHTS, "BuscarMemorias": {"consulta": "filhos"}, "EsquecerMemoria": {"sobre": "filhos"}}
    with pytest.raises(grpc.RpcError) as refused:
        call(method, getattr(pb, f"{method}Request"), CARLOS_CPF, role, cpf=JOANA_CPF, **needed.get(method, {}))
    status = rpc_status.from_call(refused.value)
    info = ErrorInfo()
    assert status is not None
    assert status.details[0].Unpack(info)
    assert info.reason == "PERMISSION_DENIED"
    assert "444" not in str(status)
    assert len(listed(call, JOANA_CPF)) == 1


@pytest.fixture
def gateway(service: Agent, keys: KeyFolder, tmp_path: Path) -> Iterator[Gateway]:
    with (
        open_clinics(tmp_path / "clinics", guard=Guard(keys.public)) as clinics,
        open_gateway(clinics, keys, tmp_path, services=[service]) as opened,
    ):
        yield opened


@pytest.mark.parametrize("era", ERAS)
def test_mcp_clients_find_the_tools_and_nobodys_memory_crosses(gateway: Gateway, era: str) -> None:
    def talked(who: Identity, role: Role, tool: str, arguments: dict[str, str]) -> dict[str, Any]:
        async def talk(client: Client) -> Any:
            assert f"memory_{tool}" in {one.name for one in (await client.list_tools()).tools}
            answer = await client.call_tool(f"memory_{tool}", arguments)
            assert not answer.is_error, answer.content
            return answer.structured_content

        return dict(gateway.talk(who, era, host, talk, role))

    host = Host()
    people = [(CARLOS, Role.PATIENT), (JOANA, Role.PATIENT), (CARLOS, Role.OPERATOR)]
    for number, who in enumerate(people, 1):
        saved = talked(*who, "salvar_memoria", {"tipo": "restricao", "conteudo": f"não atende no andar {number}"})
        assert saved["result"] == {"success": True, "mensagem": "Anotado! Vou lembrar disso."}
    assert len(host.asked) == len(people)  # each save was asked about first
    for number, who in enumerate(people, 1):
        (memory,) = talked(*who, "listar_memorias", {})["memorias"]
        assert memory["conteudo"] == f"não atende no andar {number}"


def test_an_mcp_client_that_names_somebody_is_refused(gateway: Gateway) -> None:
    async def talk(client: Client) -> Any:
        return await client.call_tool("memory_listar_memorias", {"cpf": JOANA_CPF})

    answer = gateway.talk(CARLOS, ERAS[-1], Host(), talk)
    assert answer.is_error
    assert "filled in by the gateway" in answer.content[0].text
