"""The JSON Schema of a model's plan, from the catalogue and the registry.

It is the same in every turn, so that a server compiles it once: handles are texts here and checked by code. It keeps to
what strict structured output takes everywhere: an object at the root, every property required, nothing additional,
optional values nullable, no keyword that only narrows a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mesh.schema import Schema, input_schema
from orchestrator.memory import MEMORY_TOOLS, ToolDefinition
from orchestrator.planner.model.model_talk import KINDS, MEMORY_TOPICS, TOPICS
from orchestrator.planner.model.tool_forms import ToolForm, tool_forms

_SUBTASK = ("title", "reason", "intent", "domain")


@lru_cache(maxsize=8)
def plan_schema(clinics: tuple[str, ...], *, cot: bool, memory: bool) -> Schema:
    """Return the schema of an answer.

    Args:
        clinics: Ids of the registry.
        cot: Whether the reasoning comes first (blueprint 2.3.1, the chain-of-thought variant).
        memory: Whether the calls of the memory tools come last.
    """
    reasoning: Schema = {"reasoning": _list_of({"type": "string"})} if cot else {}
    calls = {"anyOf": [_memory_call(tool) for tool in MEMORY_TOOLS]}
    remembering: Schema = {"memory": _list_of(calls)} if memory else {}
    topics = MEMORY_TOPICS if memory else TOPICS
    return _object(
        reasoning
        | {
            "intent": {"type": "string"},
            "domains": _list_of({"type": "string"}),
            "subtasks": _list_of(_object({name: {"type": "string"} for name in _SUBTASK})),
            "confidence": {"type": "number"},
            "kind": {"type": "string", "enum": [kind.value for kind in KINDS]},
            "topic": {"type": ["string", "null"], "enum": [*(topic.value for topic in topics), None]},
            "steps": _list_of({"anyOf": [_step(form, clinics) for form in tool_forms().values()]}),
        }
        | remembering
    )


def _step(form: ToolForm, clinics: Sequence[str]) -> Schema:
    return _object(
        {
            "step_id": {"type": "integer"},
            "clinic": {"type": "string", "enum": list(clinics)},
            # Of one value: not every server that takes an enum takes a const.
            "action": {"type": "string", "enum": [form.tool.name]},
            "parameters": _parameters(form),
        }
    )


def _parameters(form: ToolForm) -> Schema:
    contract = input_schema(form.tool, lambda argument: argument in form.texts)["properties"]
    optional = {argument.name for argument in form.texts if not argument.required}
    handles: Schema = {slot.handle: {"type": "string"} for slot in form.slots}
    texts = {
        name: {
            "description": value.get("description", ""),
            "type": ["string", "null"] if name in optional else "string",
        }
        for name, value in contract.items()
    }
    return _object(handles | texts)


def _memory_call(tool: ToolDefinition) -> Schema:
    given = tool["input_schema"]
    arguments = {
        name: {**argument, "type": "string" if name in given["required"] else ["string", "null"]}
        for name, argument in given["properties"].items()
    }
    return _object({"name": {"type": "string", "enum": [tool["name"]]}, "input": _object(arguments)})


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}
