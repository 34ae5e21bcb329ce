"""The adapter over HTTP: what it sends on each path, and how it tells a whole answer from what is none."""

from dataclasses import replace

import pytest

from orchestrator.journal.events import ModelFailure, Usage
from orchestrator.llm.language_model import Prices
from orchestrator.llm.openai.chat_call import LONGEST_TEXT
from tests.support.chat_server import Answer, Fault, Garbage, HangUp, Reply, chat_server
from tests.wire.llm.asking import JSON, KEY, PROMPT, SCHEMA, TEXT, ask, azure_at, failure_of, openai_at


def test_openai_is_sent_the_prompt_and_the_key_and_streams_the_answer() -> None:
    with chat_server([Answer("Dois horários, em clínicas diferentes.")]) as server:
        completion = ask(openai_at(server))
    assert completion.text == "Dois horários, em clínicas diferentes."
    assert completion.usage == Usage(11, 7)
    assert completion.retries == 0
    (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "gpt-x",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": PROMPT}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.3,
        "max_completion_tokens": 2048,
    }


def test_azure_is_sent_the_deployment_and_the_version_in_the_path_and_the_key_in_its_header() -> None:
    with chat_server(["ok"]) as server:
        assert ask(azure_at(server)).text == "ok"
    (request,) = server.requests
    assert request.path == "/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21"
    assert request.deployment == "my-deployment"
    assert request.headers["api-key"] == KEY


def test_azure_takes_a_token_in_place_of_a_key() -> None:
    with chat_server(["ok"]) as server:
        assert ask(replace(azure_at(server), api_key=None, azure_ad_token="ey.token")).text == "ok"
    assert server.requests[0].headers["authorization"] == "Bearer ey.token"
    assert "api-key" not in server.requests[0].headers


def test_a_compatible_server_needs_no_key_and_is_sent_none_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN"):
        monkeypatch.setenv(name, KEY)
    with chat_server(["ok"]) as server:
        assert ask(replace(openai_at(server), api_key=None)).text == "ok"
    assert KEY.encode() not in server.received


def test_a_form_is_asked_for_as_a_strict_json_schema() -> None:
    with chat_server(['{"word": "ok"}']) as server:
        assert ask(openai_at(server), JSON).text == '{"word": "ok"}'
    assert server.requests[0].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "plan", "strict": True, "schema": SCHEMA},
    }


def test_what_cannot_be_encoded_is_sent_as_a_question_mark() -> None:
    with chat_server(["ok"]) as server:
        ask(openai_at(server), replace(TEXT, system="", user="a\ud800b"))
    assert server.prompts == ["a?b"]


def test_a_server_that_ignores_the_stream_and_answers_at_once_is_understood() -> None:
    with chat_server([Answer("um texto inteiro", ignores_stream=True)]) as server:
        completion = ask(openai_at(server))
    assert (completion.text, completion.usage) == ("um texto inteiro", Usage(11, 7))


@pytest.mark.parametrize("streams", [True, False])
def test_costs_are_counted_by_the_prices_of_the_settings(streams: bool) -> None:
    with chat_server([Answer(usage=(2000, 100), ignores_stream=not streams)]) as server:
        completion = ask(replace(openai_at(server), prices=Prices(2.5, 10.0)))
    assert completion.usage.cost_usd == pytest.approx(0.006)


def test_a_server_that_does_not_count_is_not_asked_to() -> None:
    with chat_server([Answer(usage=None)]) as server:
        assert ask(replace(openai_at(server), prices=Prices(2.5, 10.0))).usage == Usage()


def test_a_count_that_is_none_spoils_no_answer() -> None:
    odd = {"choices": [], "usage": {"prompt_tokens": "many", "completion_tokens": -1}}
    with chat_server([Answer(usage=None, extra=[odd])]) as server:
        assert ask(openai_at(server)).usage == Usage()


def test_chunks_without_a_choice_are_passed_over() -> None:
    filters = {"choices": [], "prompt_filter_results": [{"prompt_index": 0}]}
    with chat_server([Answer("ok", extra=[filters, {"choices": None}])]) as server:
        assert ask(azure_at(server)).text == "ok"


@pytest.mark.parametrize("ignores_stream", [False, True])
@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (Answer("meia fra", finish_reason="length"), ModelFailure.CUT),
        (Answer("meia fra", finish_reason=None), ModelFailure.CUT),
        (Answer(" \n", chunks=[" \n"]), ModelFailure.CUT),
        (Answer("a" * (LONGEST_TEXT + 1), chunks=["a" * (LONGEST_TEXT + 1)]), ModelFailure.CUT),
        (Answer(refusal="I cannot help with that"), ModelFailure.REFUSED),
        (Answer("uma parte", finish_reason="content_filter"), ModelFailure.REFUSED),
    ],
)
def test_what_is_no_whole_answer_is_none(answer: Answer, failure: ModelFailure, ignores_stream: bool) -> None:
    with chat_server([replace(answer, ignores_stream=ignores_stream)]) as server:
        error = failure_of(openai_at(server))
    assert error.failure is failure
    assert len(server.requests) == 1


def test_what_a_cut_answer_consumed_is_counted_all_the_same() -> None:
    with chat_server([Answer("meia fra", finish_reason="length", usage=(5, 2048))]) as server:
        assert failure_of(openai_at(server)).usage == Usage(5, 2048)


@pytest.mark.parametrize(
    "reply",
    [
        Answer("um dois três quatro", breaks_off=True),
        Answer("um dois três quatro", breaks_off=True, ignores_stream=True),
        Fault(500, breaks_off=True),
        Garbage(b"no gzip", encoding="gzip"),
        HangUp(),
    ],
)
def test_a_connection_that_breaks_off_is_tried_again(reply: Reply) -> None:
    with chat_server([reply, "um dois três quatro"]) as server:
        completion = ask(openai_at(server))
    assert (completion.text, completion.retries) == ("um dois três quatro", 1)


def test_a_connection_that_breaks_off_each_time_is_unreachable() -> None:
    with chat_server([HangUp()]) as server:
        error = failure_of(replace(openai_at(server), max_retries=0))
    assert error.failure is ModelFailure.UNREACHABLE


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with chat_server([]) as server:
        gone = openai_at(server)
    assert failure_of(replace(gone, max_retries=0)).failure is ModelFailure.UNREACHABLE


@pytest.mark.parametrize(
    "garbage",
    [
        Garbage(b"<html>It works!</html>", "text/html"),
        Garbage(b"<html>It works!</html>"),
        Garbage(b"\xff\xfe\x00"),
        Garbage(b"data: {half\n\n", "text/event-stream"),
        Garbage(b"data: \xff\n\n", "text/event-stream"),
        Garbage(b'data: {"choices": [{"delta": {"content": 7}}]}\n\n', "text/event-stream"),
        Garbage(b'data: {"choices": 7}\n\n', "text/event-stream"),
        Garbage(b"data: 7\n\n", "text/event-stream"),
        Garbage(b"", "text/event-stream"),
        Garbage(b"[" * 100_000),
        Garbage(b'{"choices": []}'),
        Garbage(b'{"choices": [{"message": []}]}'),
        Garbage(b"null"),
    ],
)
def test_what_speaks_another_language_is_told_apart_from_a_model(garbage: Garbage) -> None:
    with chat_server([garbage]) as server:
        error = failure_of(openai_at(server))
    assert error.failure is ModelFailure.REJECTED
    assert "OPENAI_BASE_URL" in str(error)
