"""The memory tools as a model is told of them (Anthropic's tool_use form), and its calls as the plan's values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from orchestrator.turn import (
    ForgetAllMemories,
    ForgetMemory,
    ListMemories,
    MemoryCall,
    MemoryKind,
    MemoryStatus,
    RecallMemories,
    SaveMemory,
)


class ToolArgument(TypedDict):
    """An argument in a tool's schema; all are texts."""

    type: Literal["string"]
    description: str
    enum: NotRequired[list[str]]


class InputSchema(TypedDict):
    """A tool's arguments, as JSON Schema."""

    type: Literal["object"]
    properties: dict[str, ToolArgument]
    required: list[str]
    additionalProperties: Literal[False]


class ToolDefinition(TypedDict):
    """A tool, as the tools parameter of a model's API takes it."""

    name: str
    description: str
    input_schema: InputSchema


@dataclass(frozen=True, slots=True)
class InvalidCall:
    """A call that cannot be read; `message` is a Portuguese sentence for a model, without values."""

    message: str

    @property
    def status(self) -> MemoryStatus:
        """How the call ended: INVALID, as a result would say."""
        return MemoryStatus.INVALID


def _schema(arguments: Mapping[str, ToolArgument], *required: str) -> InputSchema:
    return {
        "type": "object",
        "properties": dict(arguments),
        "required": list(required),
        "additionalProperties": False,
    }


TOOL_SALVAR_MEMORIA: ToolDefinition = {
    "name": "salvar_memoria",
    "description": """Guarda algo que a pessoa disse sobre si mesma, para que ninguém precise perguntar de novo.

Use quando a pessoa mencionar:
- Preferência: "prefiro de manhã", "gosto mais da Dra. Helena", "prefiro a Clínica B"
- Restrição: "não posso às sextas", "nunca consigo antes das 9h"
- Informação pessoal útil para marcar consultas: "moro em Santo André", "tenho filhos pequenos", "trabalho à noite"
- Disponibilidade: "estou de férias até dia 15", "só tenho tempo em dezembro"

NÃO use para:
- O que já está no cadastro: nome, CPF, telefone, e-mail, endereço
- Saúde: sintomas, doenças, remédios, exames
- O que vale só para este pedido ("não posso no dia 18") ou só para agora ("estou no trânsito")
- Outras pessoas ("minha mãe não pode às sextas"), perguntas e suposições
- O que as clínicas responderam

Escreva o conteúdo de modo específico, com as palavras da pessoa.
Bom: "não posso às sextas-feiras porque busco meus filhos na escola"
Ruim: "falou sobre sexta"
""",
    "input_schema": _schema(
        {
            "tipo": {
                "type": "string",
                "enum": [kind.value for kind in MemoryKind],
                "description": "Categoria da informação.",
            },
            "conteudo": {
                "type": "string",
                "description": "O que guardar: uma frase específica, de 10 a 500 caracteres.",
            },
            "contexto": {
                "type": "string",
                "description": "Opcional: por que isso importa, se a pessoa disse.",
            },
        },
        "tipo",
        "conteudo",
    ),
}

TOOL_BUSCAR_MEMORIAS: ToolDefinition = {
    "name": "buscar_memorias",
    "description": """Busca o que a pessoa já disse sobre si mesma a respeito de um assunto.

Use quando ela perguntar por algo que disse: "você lembra onde eu moro?", "eu já falei que dia não posso?"
NÃO use para horários, consultas ou fichas: isso só as clínicas respondem.
""",
    "input_schema": _schema(
        {"consulta": {"type": "string", "description": 'O assunto, em poucas palavras: "bairro onde mora".'}},
        "consulta",
    ),
}

TOOL_LISTAR_MEMORIAS: ToolDefinition = {
    "name": "listar_memorias",
    "description": """Mostra tudo o que está guardado sobre a pessoa.

Use quando ela perguntar: "o que você sabe de mim?", "what do you know about me?"
NÃO use quando ela perguntar pela própria ficha ou pelas próprias consultas.
""",
    "input_schema": _schema({}),
}

TOOL_ESQUECER_MEMORIA: ToolDefinition = {
    "name": "esquecer_memoria",
    "description": """Apaga uma informação guardada.

Use quando a pessoa pedir: "esquece isso", "esquece que moro em Santo André", "já posso às sextas, pode esquecer"
NÃO use para cancelar consultas nem quando ela só mudar de assunto.
""",
    "input_schema": _schema(
        {
            "sobre": {
                "type": "string",
                "description": "Opcional: palavras do que esquecer; sem elas, o último guardado nesta conversa.",
            }
        }
    ),
}

TOOL_ESQUECER_TUDO: ToolDefinition = {
    "name": "esquecer_tudo",
    "description": """Apaga tudo o que está guardado sobre a pessoa (LGPD, art. 18).

Use só quando ela pedir com clareza: "apaga tudo o que você sabe de mim", "forget everything about me"
NÃO use para cancelar consultas ("cancela tudo") nem para recomeçar a conversa.
""",
    "input_schema": _schema({}),
}

MEMORY_TOOLS: tuple[ToolDefinition, ...] = (
    TOOL_SALVAR_MEMORIA,
    TOOL_BUSCAR_MEMORIAS,
    TOOL_LISTAR_MEMORIAS,
    TOOL_ESQUECER_MEMORIA,
    TOOL_ESQUECER_TUDO,
)
"""All tools, in a fixed order."""

_CALLS: Mapping[str, Callable[[Mapping[str, str]], MemoryCall]] = {
    "salvar_memoria": lambda said: SaveMemory(MemoryKind(said["tipo"]), said["conteudo"], said.get("contexto", "")),
    "buscar_memorias": lambda said: RecallMemories(said["consulta"]),
    "listar_memorias": lambda _: ListMemories(),
    "esquecer_memoria": lambda said: ForgetMemory(said.get("sobre", "")),
    "esquecer_tudo": lambda _: ForgetAllMemories(),
}
_SCHEMAS = {tool["name"]: tool["input_schema"] for tool in MEMORY_TOOLS}


def call_of(name: str, arguments: object) -> MemoryCall | InvalidCall:
    """Return what a model's call of a tool asks for, from the call's input as its JSON was read."""
    if name not in _SCHEMAS:
        return InvalidCall(f"Ferramenta desconhecida. Use uma destas: {', '.join(_SCHEMAS)}.")
    if not isinstance(arguments, Mapping):
        return InvalidCall(f"{name}: os argumentos devem ser um objeto JSON.")
    said = {str(key): value for key, value in arguments.items()}
    fault = _fault(said, _SCHEMAS[name])
    if fault is not None:
        return InvalidCall(f"{name}: {fault}")
    return _CALLS[name]({key: value for key, value in said.items() if isinstance(value, str)})


def _fault(said: Mapping[str, object], schema: InputSchema) -> str | None:
    """Return what is wrong with arguments by their schema; an optional null is left out."""
    known = schema["properties"]
    if not said.keys() <= known.keys():
        return f"argumento desconhecido. Argumentos válidos: {', '.join(known) or 'nenhum'}."
    for key, argument in known.items():
        value = said.get(key)
        if value is None or value == "":
            if key in schema["required"]:
                return f"argumento obrigatório ausente: {key}."
        elif not isinstance(value, str):
            return f"{key} deve ser um texto."
        elif "enum" in argument and value not in argument["enum"]:
            return f"{key} deve ser um destes: {', '.join(argument['enum'])}."
    return None
