"""Servers that speak "the same" API: what one does not take is given up, and not sent again."""

import json
import threading
from collections.abc import Callable, Mapping

import pytest

from orchestrator.journal.events import ModelFailure
from orchestrator.llm.openai.openai_model import OpenAIModel
from tests.support.chat_server import Answer, Body, Fault, Reply, chat_server
from tests.wire.llm.asking import JSON, TEXT, ask, failure_of, openai_at


def openai_style(parameter: str) -> Fault:
    error = {"message": f"Unsupported parameter: '{parameter}'.", "param": parameter, "code": "unsupported_parameter"}
    return Fault(400, error)


def azure_style(parameter: str) -> Fault:
    return Fault(400, {"message": f"Unrecognized request argument supplied: {parameter}", "param": None, "code": None})


def ollama_style(parameter: str) -> Fault:
    return Fault(400, body=json.dumps({"error": f"this model has no {parameter}"}).encode())


def fastapi_style(parameter: str) -> Fault:
    entry = {
        "type": "extra_forbidden",
        "loc": ["body", parameter],
        "msg": "no",
        "input": {"temperature": 0, "stream": 1},
    }
    return Fault(422, body=json.dumps({"detail": [entry]}).encode())


Style = Callable[[str], Fault]


def refusing(parameter: str, style: Style) -> Callable[[Body], Reply]:
    return lambda body: (
        style(parameter) if parameter in body and body[parameter] is not False else Answer('{"word": "a"}')
    )


@pytest.mark.parametrize("style", [openai_style, azure_style, ollama_style, fastapi_style])
@pytest.mark.parametrize(
    "parameter", ["temperature", "stream_options", "stream", "max_completion_tokens", "response_format"]
)
def test_a_parameter_that_is_refused_is_not_sent_again(parameter: str, style: Style) -> None:
    with chat_server(refusing(parameter, style)) as server, OpenAIModel(openai_at(server)) as model:
        first = model.complete(JSON, threading.Event())
        asked = len(server.requests)
        again = model.complete(JSON, threading.Event())
    assert first.text == again.text == '{"word": "a"}'
    assert first.retries == asked - 1 > 0
    assert again.retries == 0
    kept = {"model", "messages", "temperature", "stream", "stream_options", "max_completion_tokens", "response_format"}
    lost = {"stream": {"stream_options"}, "max_completion_tokens": {"max_completion_tokens"}}.get(
        parameter, {parameter}
    )
    assert kept - lost <= server.requests[-1].body.keys()


def test_the_older_name_of_the_longest_length_is_tried_next() -> None:
    with chat_server(refusing("max_completion_tokens", openai_style)) as server:
        ask(openai_at(server))
    assert server.requests[-1].body["max_tokens"] == TEXT.max_tokens


def test_no_length_is_sent_where_neither_name_is_taken() -> None:
    def script(body: Body) -> Reply:
        named = [name for name in ("max_tokens", "max_completion_tokens") if name in body]
        return azure_style(named[0]) if named else "ok"

    with chat_server(script) as server:
        assert ask(openai_at(server)).retries == 2


@pytest.mark.parametrize(
    "error",
    [
        {
            "message": "'response_format' of type 'json_schema' is not supported with this model",
            "param": "response_format",
        },
        {
            "message": "Invalid schema for response_format 'plan'",
            "param": "response_format",
            "code": "invalid_json_schema",
        },
        {"message": "no such form", "param": "response_format.type"},
        {"message": "json_schema is not supported, and temperature should be 1"},
        {"message": "Unknown name additionalProperties", "code": 400},
    ],
)
def test_a_form_is_asked_for_as_a_tool_and_then_in_json_mode_where_no_schema_is_taken(
    error: Mapping[str, object],
) -> None:
    with chat_server([Fault(400, error), azure_style("tools"), '{"word": "a"}']) as server:
        ask(openai_at(server), JSON)
    assert server.requests[1].body["tools"][0]["function"]["strict"] is True
    assert server.requests[2].body["response_format"] == {"type": "json_object"}
    assert all(request.body["temperature"] == 0.0 for request in server.requests)


def test_a_form_is_not_asked_for_where_no_mode_is_taken() -> None:
    def script(body: Body) -> Reply:
        named = [name for name in ("response_format", "tools") if name in body]
        return azure_style(named[0]) if named else Answer('{"word": "a"}')

    with chat_server(script) as server:
        assert ask(openai_at(server), JSON).retries == 3
    assert not {"response_format", "tools", "tool_choice"} & server.requests[-1].body.keys()


def test_running_text_is_not_blamed_on_a_form_that_was_not_sent() -> None:
    with chat_server([azure_style("response_format")]) as server:
        assert failure_of(openai_at(server)).failure is ModelFailure.REJECTED
    assert len(server.requests) == 1


def test_a_server_that_refuses_everything_is_asked_a_few_times_only() -> None:
    def script(body: Body) -> Reply:
        droppable = [
            "response_format",
            "tool_choice",
            "tools",
            "temperature",
            "stream_options",
            "max_tokens",
            "max_completion_tokens",
            "stream",
        ]
        return openai_style(next(name for name in droppable if name in body))

    with chat_server(script) as server:
        assert failure_of(openai_at(server), JSON).failure is ModelFailure.REJECTED
    assert len(server.requests) <= 9


def test_what_was_found_out_in_a_call_that_failed_is_not_kept() -> None:
    replies: list[Reply] = [azure_style("temperature"), Fault(401), "ok"]
    with chat_server(replies) as server, OpenAIModel(openai_at(server)) as model:
        with pytest.raises(Exception, match="HTTP 401"):
            model.complete(TEXT, threading.Event())
        model.complete(TEXT, threading.Event())
    assert "temperature" in server.requests[-1].body
