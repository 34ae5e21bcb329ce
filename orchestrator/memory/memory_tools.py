"""The memory tools as a model sees them (Anthropic's tool_use form), and its calls as the plan's values."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, NotRequired, TypedDict, cast

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


def _tools() -> Iterator[ToolDefinition]:
    text = files(__package__).joinpath("memory_tools.toml").read_text(encoding="utf-8")
    for tool in tomllib.loads(text)["tools"]:
        arguments = {name: {"type": "string", **argument} for name, argument in tool.get("arguments", {}).items()}
        yield {
            "name": tool["name"],
            "description": tool["description"],
            "input_schema": {
                "type": "object",
                "properties": cast("dict[str, ToolArgument]", arguments),
                "required": tool["required"],
                "additionalProperties": False,
            },
        }


MEMORY_TOOLS = tuple(_tools())  # all tools, in a fixed order

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
