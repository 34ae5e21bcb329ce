"""The schema of a model's plan: generated from the contract, fit for strict structured output, and complete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from generated.mesh.v1 import options_pb2
from orchestrator.memory.memory_tools import MEMORY_TOOLS
from orchestrator.planner.model.plan_form import TOPICS, plan_schema, tool_forms
from orchestrator.turn.memory_calls import MemoryKind
from orchestrator.turn.step_actions import CATALOGUE, LIST_APPOINTMENTS

CLINICS = ("clinic_a", "clinic_b")
_KEYWORDS = {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "description"}


def objects_of(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and all within it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    for one in [*inner, schema["items"]] if "items" in schema else inner:
        yield from objects_of(one)


def steps_of(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The schema of each action's parameters."""
    variants = schema["properties"]["steps"]["items"]["anyOf"]
    return {one["properties"]["action"]["enum"][0]: one["properties"]["parameters"] for one in variants}


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("cot", [False, True])
def test_every_part_is_what_strict_structured_output_takes(*, cot: bool, memory: bool) -> None:
    schema = plan_schema(CLINICS, cot=cot, memory=memory)
    assert schema["type"] == "object"
    for part in objects_of(schema):
        assert set(part) <= _KEYWORDS
        if part.get("type") == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False


def test_the_schema_is_the_same_value_in_every_turn() -> None:
    assert plan_schema(CLINICS, cot=False, memory=False) is plan_schema(CLINICS, cot=False, memory=False)


def test_reasoning_comes_first_and_only_in_the_variant_that_has_it() -> None:
    assert next(iter(plan_schema(CLINICS, cot=True, memory=False)["properties"])) == "reasoning"
    assert "reasoning" not in plan_schema(CLINICS, cot=False, memory=False)["properties"]


def test_calls_of_the_memory_tools_come_last_and_only_where_something_may_be_remembered() -> None:
    schema = plan_schema(CLINICS, cot=True, memory=True)
    assert [*schema["properties"]][-1] == "memory"
    assert "memory" not in plan_schema(CLINICS, cot=True, memory=False)["properties"]
    variants = {one["properties"]["name"]["enum"][0]: one["properties"]["input"] for one in _calls_of(schema)}
    assert list(variants) == [tool["name"] for tool in MEMORY_TOOLS]
    saving = variants["salvar_memoria"]["properties"]
    assert {name: one["type"] for name, one in saving.items()} == {
        "tipo": "string",
        "conteudo": "string",
        "contexto": ["string", "null"],
    }
    assert saving["tipo"]["enum"] == [kind.value for kind in MemoryKind]


def _calls_of(schema: dict[str, Any]) -> list[dict[str, Any]]:
    variants: list[dict[str, Any]] = schema["properties"]["memory"]["items"]["anyOf"]
    return variants


def test_every_tool_of_the_contract_is_there_and_no_clinic_but_the_registrys() -> None:
    schema = plan_schema(CLINICS, cot=False, memory=False)
    assert list(steps_of(schema)) == [name for name in CATALOGUE if name != LIST_APPOINTMENTS]
    for variant in schema["properties"]["steps"]["items"]["anyOf"]:
        assert variant["properties"]["clinic"]["enum"] == list(CLINICS)


def test_nothing_that_the_contract_injects_is_a_models_to_fill_in() -> None:
    parameters = steps_of(plan_schema(CLINICS, cot=False, memory=False))
    for tool in (tool for name, tool in CATALOGUE.items() if name in parameters):
        for kind in options_pb2.Injected.values():
            if kind:
                assert not set(tool.injected(kind)) & set(parameters[tool.name]["properties"])


def test_a_slot_is_one_handle_and_an_optional_argument_may_be_null() -> None:
    parameters = {
        name: one["properties"] for name, one in steps_of(plan_schema(CLINICS, cot=False, memory=False)).items()
    }
    assert {name: list(properties) for name, properties in parameters.items()} == {
        "list_available_slots": ["doctor"],
        "book_appointment": ["slot"],
        "reschedule_appointment": ["original_slot", "new_slot"],
        "cancel_appointment": ["slot"],
        "list_patients": [],
        "get_patient": ["patient_id"],
        "query": ["query"],
    }
    assert parameters["list_available_slots"]["doctor"]["type"] == ["string", "null"]
    assert parameters["query"]["query"]["type"] == "string"


def test_what_a_handle_stands_for_are_arguments_of_the_tool() -> None:
    for name, form in tool_forms().items():
        arguments = {argument.name for argument in CATALOGUE[name].arguments}
        assert form.literals <= arguments
        assert {argument.name for argument in form.texts} <= arguments


def test_every_topic_is_among_the_values() -> None:
    topic = plan_schema(CLINICS, cot=False, memory=False)["properties"]["topic"]
    assert set(topic["enum"]) == {*(one.value for one in TOPICS), None}
