"""Answers as servers send them: tool calls and schemas as streams, and plain JSON of a server without either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orchestrator.llm.language_model import ModelConfiguration
from orchestrator.planner.model.turn_form import ReadForm, turn_schema
from orchestrator.planner.model.turn_reading import read_turn
from tests.support.chat_server import ChatServer, Fault, Garbage, Reply, chat_server
from tests.support.clinic_turns import CLINICS
from tests.wire.llm.asking import JSON, SCHEMA, ask, azure_at, openai_at

RECORDED = Path(__file__).parent / "recorded"


def stream(name: str) -> Reply:
    return Garbage((RECORDED / name).read_bytes(), "text/event-stream")


def refusal(name: str) -> Reply:
    return Fault(400, body=(RECORDED / name).read_bytes())


def plain(name: str) -> Reply:
    return Garbage((RECORDED / name).read_bytes())


def reached(server: ChatServer, name: str) -> ModelConfiguration:
    return azure_at(server) if name.startswith("azure") else openai_at(server)


@pytest.mark.parametrize(
    ("replies", "tokens", "cached", "is_stream"),
    [
        (["openai_tool_stream.txt"], (3127, 74), 2816, True),
        (["azure_schema_stream.txt"], (3127, 74), 0, True),
        (["compatible_no_schema.json", "compatible_no_tools.json", "compatible_plain.json"], (3391, 81), None, False),
    ],
)
def test_an_answer_of_each_kind_of_server_is_a_turn_and_counted_as_the_server_counts(
    replies: list[str], tokens: tuple[int, int], cached: int | None, is_stream: bool
) -> None:
    *refused, last = replies
    with chat_server([*map(refusal, refused), stream(last) if is_stream else plain(last)]) as server:
        completion = ask(reached(server, last), JSON)
    (step,) = read_turn(completion.text, CLINICS).steps
    assert isinstance(step, ReadForm)
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == tokens
    assert completion.usage.cached_tokens == cached
    assert (completion.first_token_s is not None) == is_stream
    assert completion.retries == len(refused)


def test_a_server_without_schemas_is_given_the_form_as_a_strict_tool_and_one_without_tools_reads_it() -> None:
    replies = ["compatible_no_schema.json", "compatible_no_tools.json"]
    with chat_server([*map(refusal, replies), plain("compatible_plain.json")]) as server:
        ask(openai_at(server), JSON)
    schema, tool, read = (request.body for request in server.requests)
    assert schema["response_format"]["json_schema"]["strict"] is True
    assert tool["tools"] == [{"type": "function", "function": {"name": "plan", "strict": True, "parameters": SCHEMA}}]
    assert tool["tool_choice"] == {"type": "function", "function": {"name": "plan"}}
    assert "response_format" not in tool
    assert read["response_format"] == {"type": "json_object"}
    assert "tools" not in read
    assert read["messages"][0]["content"].endswith(json.dumps(SCHEMA, separators=(",", ":")))
    assert all(json.dumps(SCHEMA, separators=(",", ":")) not in str(body["messages"]) for body in (schema, tool))


@pytest.mark.parametrize("cot", [False, True])
def test_the_form_of_a_turn_keeps_to_what_strict_tools_take(*, cot: bool) -> None:
    text = json.dumps(turn_schema(cot=cot), separators=(",", ":"))
    assert len(text) < 7000, "every turn pays for it"
    assert not any(f'"{word}":' in text for word in ("default", "maxLength", "minItems", "const", "oneOf"))
    references = {text_.split('"')[0] for text_ in text.split("#/$defs/")[1:]}
    assert references <= turn_schema(cot=cot)["$defs"].keys()
