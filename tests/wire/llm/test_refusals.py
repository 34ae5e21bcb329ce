"""HTTP errors: which are repeated and after how long, and what a person is told of the others."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from orchestrator.journal.events import ModelFailure
from tests.support.chat_server import Answer, Fault, chat_server
from tests.wire.llm.asking import ask, azure_at, failure_of, openai_at

AT_ONCE = {"retry-after-ms": "5"}


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_what_passes_is_repeated_until_it_has_passed(status: int) -> None:
    with chat_server([Fault(status, headers=AT_ONCE), Fault(status, headers=AT_ONCE), "ok"]) as server:
        completion = ask(openai_at(server))
    assert (completion.text, completion.retries) == ("ok", 2)


@pytest.mark.parametrize(("status", "failure"), [(429, ModelFailure.RATE_LIMITED), (500, ModelFailure.SERVER_ERROR)])
def test_it_is_not_repeated_for_ever(status: int, failure: ModelFailure) -> None:
    with chat_server([Fault(status, headers=AT_ONCE)] * 3) as server:
        error = failure_of(openai_at(server))
    assert (error.failure, error.retries) == (failure, 2)
    assert error.retry_after_s == pytest.approx(0.005)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "0"},
        {"Retry-After": "0.01"},
        {"Retry-After": "-3"},
        {"Retry-After": format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True)},
        {"Retry-After": "3600", "retry-after-ms": "5"},
        {"Retry-After": "0", "retry-after-ms": "soon"},
    ],
)
def test_the_server_says_when_to_come_back(headers: Mapping[str, str]) -> None:
    with chat_server([Fault(429, headers=headers), "ok"]) as server:
        assert ask(openai_at(server)).retries == 1


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_a_wait_beyond_the_time_limit_is_not_begun(form: str) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    with chat_server([Fault(429, headers={"Retry-After": "3600" if form == "seconds" else date})]) as server:
        error = failure_of(openai_at(server))
    assert error.failure is ModelFailure.RATE_LIMITED
    assert error.retry_after_s == pytest.approx(3600, abs=60)
    assert len(server.requests) == 1


@pytest.mark.parametrize("value", ["-3", format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True)])
def test_a_time_that_has_passed_is_now(value: str) -> None:
    with chat_server([Fault(429, headers={"Retry-After": value})]) as server:
        error = failure_of(replace(openai_at(server), max_retries=0))
    assert error.retry_after_s == 0.0


@pytest.mark.parametrize("value", ["nan", "inf", "soon", ""])
def test_a_time_that_is_none_is_as_good_as_nothing_said(value: str) -> None:
    with chat_server([Fault(429, headers={"Retry-After": value})]) as server:
        error = failure_of(replace(openai_at(server), max_retries=0))
    assert error.retry_after_s is None


@pytest.mark.parametrize(
    ("status", "code", "failure", "advice"),
    [
        (401, "invalid_api_key", ModelFailure.REJECTED, "check OPENAI_API_KEY"),
        (403, "forbidden", ModelFailure.REJECTED, "check OPENAI_API_KEY"),
        (404, "model_not_found", ModelFailure.REJECTED, "CLINIC_MESH_LLM_MODEL"),
        (400, "bad_request", ModelFailure.REJECTED, "clinic-mesh doctor"),
        (400, "context_length_exceeded", ModelFailure.REJECTED, "clinic-mesh doctor"),
        (413, "too_large", ModelFailure.REJECTED, "clinic-mesh doctor"),
        (400, "content_filter", ModelFailure.REFUSED, "content filter"),
    ],
)
def test_what_does_not_pass_is_not_repeated(status: int, code: str, failure: ModelFailure, advice: str) -> None:
    with chat_server([Fault(status, {"code": code, "message": "none for you"})]) as server:
        error = failure_of(openai_at(server))
    assert error.failure is failure
    assert advice in str(error)
    assert "for you" not in str(error)
    assert len(server.requests) == 1


def test_a_prompt_that_is_too_long_is_not_blamed_on_a_parameter() -> None:
    error = {"code": "context_length_exceeded", "message": "reduce the messages or max_completion_tokens"}
    with chat_server([Fault(400, error)]) as server:
        assert failure_of(openai_at(server)).failure is ModelFailure.REJECTED
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "advice"), [(401, "AZURE_OPENAI_API_KEY or AZURE_OPENAI_AD_TOKEN"), (404, "OPENAI_API_VERSION")]
)
def test_on_azure_other_variables_are_to_be_checked(status: int, advice: str) -> None:
    with chat_server([Fault(status)]) as server:
        assert advice in str(failure_of(azure_at(server)))


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'"no"', b'{"error": null}', b'{"error": {"message": 7}}'])
def test_an_error_without_a_usable_body_is_an_error_all_the_same(body: bytes) -> None:
    with chat_server([Fault(400, body=body)]) as server:
        assert failure_of(openai_at(server)).failure is ModelFailure.REJECTED


def test_an_error_in_the_place_of_a_chunk_is_the_servers() -> None:
    fault = {"error": {"message": "overloaded", "code": "overloaded"}}
    with chat_server([Answer("ok", extra=[fault])]) as server:
        assert failure_of(replace(openai_at(server), max_retries=0)).failure is ModelFailure.SERVER_ERROR
