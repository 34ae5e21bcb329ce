"""The tools are defined in the tool_use form, and their calls are read strictly."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.memory.memory_tools import MEMORY_TOOLS, InvalidCall, ToolDefinition, call_of
from orchestrator.turn.memory_calls import (
    ForgetAllMemories,
    ForgetMemory,
    ListMemories,
    MemoryCall,
    MemoryKind,
    MemoryStatus,
    RecallMemories,
    SaveMemory,
)

KINDS = ["preferencia", "restricao", "info_pessoal", "disponibilidade"]


@pytest.mark.parametrize("tool", MEMORY_TOOLS, ids=lambda tool: str(tool["name"]))
def test_a_tool_is_defined_in_the_tool_use_form(tool: ToolDefinition) -> None:
    assert set(tool) == {"name", "description", "input_schema"}
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["name"])
    schema = tool["input_schema"]
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) <= set(schema["properties"])
    for argument in schema["properties"].values():
        assert argument["type"] == "string"
        assert argument["description"]
        assert set(argument) <= {"type", "description", "enum"}
    assert json.loads(json.dumps(tool)) == tool, "plain JSON"


@pytest.mark.parametrize("tool", MEMORY_TOOLS, ids=lambda tool: str(tool["name"]))
def test_a_description_says_with_examples_when_to_use_a_tool_and_when_not(tool: ToolDefinition) -> None:
    use, not_use = tool["description"].split("NÃO use")
    assert "Use " in use
    assert '"' in use
    assert not_use


def test_saving_takes_kind_and_content_and_maybe_a_context() -> None:
    schema = MEMORY_TOOLS[0]["input_schema"]
    assert MEMORY_TOOLS[0]["name"] == "salvar_memoria"
    assert list(schema["properties"]) == ["tipo", "conteudo", "contexto"]
    assert schema["required"] == ["tipo", "conteudo"]
    assert schema["properties"]["tipo"]["enum"] == KINDS
    assert "específico" in MEMORY_TOOLS[0]["description"]


def test_the_five_tools_have_names_of_their_own() -> None:
    names = ["salvar_memoria", "buscar_memorias", "listar_memorias", "esquecer_memoria", "esquecer_tudo"]
    assert [tool["name"] for tool in MEMORY_TOOLS] == names


@pytest.mark.parametrize(
    ("name", "arguments", "call"),
    [
        (
            "salvar_memoria",
            {"tipo": "restricao", "conteudo": "não posso às sextas"},
            SaveMemory(MemoryKind.RESTRICTION, "não posso às sextas"),
        ),
        (
            "salvar_memoria",
            {"tipo": "preferencia", "conteudo": "prefiro de manhã", "contexto": "acordo cedo"},
            SaveMemory(MemoryKind.PREFERENCE, "prefiro de manhã", "acordo cedo"),
        ),
        (
            "salvar_memoria",
            {"tipo": "info_pessoal", "conteudo": "moro no centro", "contexto": None},
            SaveMemory(MemoryKind.PERSONAL, "moro no centro"),
        ),
        ("buscar_memorias", {"consulta": "onde moro"}, RecallMemories("onde moro")),
        ("listar_memorias", {}, ListMemories()),
        ("esquecer_memoria", {}, ForgetMemory()),
        ("esquecer_memoria", {"sobre": "sextas"}, ForgetMemory("sextas")),
        ("esquecer_tudo", {}, ForgetAllMemories()),
    ],
)
def test_a_call_is_read(name: str, arguments: object, call: MemoryCall) -> None:
    assert call_of(name, arguments) == call


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("reservar_plantao", {}, "Ferramenta desconhecida. Use uma destas: salvar_memoria"),
        ("salvar_memoria", {"conteudo": "prefiro de manhã"}, "argumento obrigatório ausente: tipo"),
        ("salvar_memoria", {"tipo": "preferencia"}, "argumento obrigatório ausente: conteudo"),
        ("salvar_memoria", {"tipo": "preferencia", "conteudo": ""}, "argumento obrigatório ausente: conteudo"),
        ("salvar_memoria", {"tipo": "preferencia", "conteudo": 7}, "conteudo deve ser um texto"),
        ("salvar_memoria", {"tipo": ["preferencia"], "conteudo": "x"}, "tipo deve ser um texto"),
        ("salvar_memoria", {"tipo": "saude", "conteudo": "x"}, "preferencia, restricao, info_pessoal, disponibilidade"),
        ("salvar_memoria", {"tipo": "preferencia", "conteudo": "x", "cpf": "y"}, "argumento desconhecido"),
        ("listar_memorias", {"tudo": True}, "Argumentos válidos: nenhum"),
        ("salvar_memoria", "prefiro de manhã", "objeto JSON"),
        ("salvar_memoria", None, "objeto JSON"),
        ("buscar_memorias", {}, "argumento obrigatório ausente: consulta"),
    ],
)
def test_what_is_wrong_with_a_call_is_told(name: str, arguments: object, told: str) -> None:
    invalid = call_of(name, arguments)
    assert isinstance(invalid, InvalidCall)
    assert invalid.status is MemoryStatus.INVALID
    assert told in invalid.message


def test_a_value_is_never_repeated() -> None:
    invalid = call_of("salvar_memoria", {"tipo": "529.982.247-25", "conteudo": "x", "segredo": 1})
    assert isinstance(invalid, InvalidCall)
    assert "529" not in invalid.message
    assert "segredo" not in invalid.message


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from(KINDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.sampled_from([tool["name"] for tool in MEMORY_TOOLS]) | st.text(max_size=20),
    _JSON | st.dictionaries(st.sampled_from(["tipo", "conteudo", "contexto", "consulta", "sobre"]), _JSON),
)
def test_any_json_is_a_call_or_an_invalid_one(name: str, arguments: object) -> None:
    call_of(name, arguments)
