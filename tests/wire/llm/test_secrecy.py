"""Neither the key nor a prompt nor an answer is in a log, an error or a representation, whatever the libraries say."""

import logging
import traceback
from dataclasses import replace

import pytest

from orchestrator.llm.language_model import ModelError
from tests.support.chat_server import Answer, Fault, Garbage, HangUp, Reply, chat_server
from tests.wire.llm.asking import JSON, KEY, PROMPT, ask, azure_at, failure_of, openai_at

SPOKEN = "words of an answer that nobody else may read"
ECHO = {"message": f"you sent {PROMPT} with {KEY}", "code": "bad"}

FAILING: list[Reply] = [
    Answer(SPOKEN, finish_reason="length"),
    Answer(refusal=SPOKEN),
    Fault(400, ECHO),
    Fault(401, ECHO),
    Fault(429, ECHO, {"Retry-After": "9999"}),
    Fault(500, ECHO, {"Retry-After": "9999"}),
    Garbage(f"{SPOKEN} {KEY} {PROMPT}".encode()),
    Garbage(f'data: {{"error": {{"message": "{KEY} {PROMPT}"}}}}\n\n'.encode(), "text/event-stream"),
    HangUp(),
]


def _texts(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(f"{record.getMessage()} {record.args} {record.exc_text}" for record in caplog.records)


@pytest.mark.parametrize("reply", FAILING)
def test_an_error_repeats_nothing(reply: Reply, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with chat_server(lambda _: reply) as server:
        configuration = replace(azure_at(server), max_retries=0)
        error = failure_of(configuration, JSON)
    told = "".join(traceback.format_exception(error)) + repr(error) + repr(configuration) + _texts(caplog)
    assert KEY.encode() in server.received
    for secret in (KEY, PROMPT, SPOKEN, server.origin):
        assert secret not in told


def test_a_good_answer_leaves_no_trace_in_a_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    with chat_server([SPOKEN]) as server:
        completion = ask(openai_at(server), JSON)
    assert completion.text == SPOKEN
    told = _texts(caplog) + repr(completion) + repr(JSON)
    for secret in (KEY, PROMPT, SPOKEN, server.origin):
        assert secret not in told


def test_what_an_error_is_made_of_is_gone(caplog: pytest.LogCaptureFixture) -> None:
    with chat_server([Fault(401, ECHO)]) as server:
        error: BaseException | None = failure_of(openai_at(server))
    while error is not None:
        assert isinstance(error, ModelError)
        error = error.__cause__ or error.__context__
