"""The form of a model's answer: topics, tools with a slot as one handle, and the JSON Schema of the plan.

The catalogue defines the tools; the schema is the same in every turn and keeps to what strict output takes anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from generated.mesh.v1 import options_pb2
from mesh.catalogue import Argument, Tool
from mesh.schema import Schema, input_schema, not_injected
from orchestrator.memory import MEMORY_TOOLS, ToolDefinition
from orchestrator.planner.lexicon import pairs
from orchestrator.turn import CATALOGUE, LIST_APPOINTMENTS, PlanKind, Topic, is_write

DOCTOR = "doctor"  # the argument that says whose slot it is, in every tool of the contract that knows doctors
_MOMENTS = frozenset({options_pb2.FORMAT_DATE, options_pb2.FORMAT_TIME})


@dataclass(frozen=True, slots=True)
class SlotForm:
    """A slot among the arguments of a write: what a model calls it ("new_slot"), and the arguments it stands for."""

    handle: str
    date: str
    time: str


@dataclass(frozen=True, slots=True)
class ToolForm:
    """A tool as a model fills it in."""

    tool: Tool
    writes: bool
    gives_back: bool  # whether its first slot is one that the person holds
    texts: tuple[Argument, ...]  # arguments filled in as text, in the contract's order
    slots: tuple[SlotForm, ...]  # arguments filled in by handle
    injected: frozenset[str]  # names that the orchestrator fills in

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names that a model may use."""
        return (*(slot.handle for slot in self.slots), *(argument.name for argument in self.texts))

    @property
    def literals(self) -> frozenset[str]:
        """The contract's names for what a handle stands for."""
        return frozenset(
            {DOCTOR} | {name for slot in self.slots for name in (slot.date, slot.time)} if self.slots else ()
        )


@cache
def tool_forms() -> Mapping[str, ToolForm]:
    """Return the form of every tool that a model may plan, by name; the desk itself asks for the person's own."""
    return {name: _form_of(tool) for name, tool in CATALOGUE.items() if name != LIST_APPOINTMENTS}


def _form_of(tool: Tool) -> ToolForm:
    writes = is_write(tool.name)
    slots = _slots_of(tool) if writes else ()
    return ToolForm(
        tool=tool,
        writes=writes,
        gives_back=tool.options.destructive,
        texts=tuple(
            argument
            for argument in tool.arguments
            if not_injected(argument) and argument.format not in _MOMENTS and not (slots and argument.name == DOCTOR)
        ),
        slots=slots,
        injected=frozenset(argument.name for argument in tool.arguments if argument.options.injected),
    )


def _slots_of(tool: Tool) -> tuple[SlotForm, ...]:
    formats = {argument.name: argument.format for argument in tool.arguments}
    prefixes = [
        name.removesuffix("date")
        for name, form in formats.items()
        if form == options_pb2.FORMAT_DATE and name.endswith("date")
    ]
    return tuple(
        SlotForm(f"{prefix}slot", f"{prefix}date", f"{prefix}time")
        for prefix in prefixes
        if formats.get(f"{prefix}time") == options_pb2.FORMAT_TIME
    )


_SUBTASK = ("title", "reason", "intent", "domain")


@lru_cache(maxsize=8)
def plan_schema(clinics: tuple[str, ...], *, cot: bool, memory: bool) -> Schema:
    """Return the schema of an answer with some clinics' ids; `cot` puts the reasoning first."""
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
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _topics(*sections: str) -> Mapping[Topic, str]:
    return {Topic(name): when for section in sections for name, when in pairs("model_topics", section).items()}


TOPICS = _topics("topics")  # those a model may choose, and when
MEMORY_TOPICS = _topics("topics", "memory_topics")  # the same where something may be remembered
# An emergency is the grammar's to see.
KINDS = (PlanKind.STEPS, PlanKind.CLARIFY, PlanKind.REFUSE, PlanKind.OUT_OF_SCOPE, PlanKind.SMALLTALK)
