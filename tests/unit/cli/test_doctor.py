"""doctor: a line a check, what to do where one failed, and an exit code that says what kind of fault it is."""

from pathlib import Path

import pytest

from orchestrator.cli.command_line import parse_arguments
from orchestrator.cli.commands import run
from orchestrator.cli.exit_code import ExitCode
from orchestrator.llm.language_model import MODEL_VARIABLES
from tests.support.chat_server import Answer, Fault, Garbage, Reply, chat_server

KEY = "sk-secret-of-a-test-0123456789"
FORM = '{"answer": "ok"}'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person's machine: a folder for everything, no .env, no settings of the one on which the tests run."""
    monkeypatch.chdir(tmp_path)
    for name in MODEL_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("CLINIC_MESH_DATA_DIR", str(tmp_path / "data"))


def examine(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[ExitCode, list[str]]:
    code = run(parse_arguments(["doctor", *arguments]))
    return code, capsys.readouterr().out.splitlines()


def examine_model(
    replies: list[Reply], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[ExitCode, list[str]]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with chat_server(replies) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        code, lines = examine(capsys, "--llm", "openai", "--llm-model", "gpt-x")
    assert KEY.encode() in server.received
    assert not any(KEY in line or server.origin in line for line in lines)
    return code, lines


def test_without_a_model_nothing_is_missing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, lines = examine(capsys)
    assert code is ExitCode.OK
    assert all(line.startswith("ok ") for line in lines)
    assert "the offline engine plans and writes, and nothing is missing" in lines[-1]
    assert list(tmp_path.iterdir()) == []


def memory_line(capsys: pytest.CaptureFixture[str]) -> tuple[ExitCode, str]:
    code, lines = examine(capsys)
    return code, next(line for line in lines if "memory:" in line)


def test_the_memory_is_looked_at_and_not_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, line = memory_line(capsys)
    assert (code, line) == (
        ExitCode.OK,
        "ok     memory: on; memory.db will be made when there is something to remember",
    )
    assert list(tmp_path.iterdir()) == []


def test_a_memory_that_is_no_database_is_named_with_what_to_do(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "memory.db").write_bytes(b"no database " * 1000)
    code, line = memory_line(capsys)
    assert code is ExitCode.USAGE
    assert line.startswith("failed memory:")
    assert "move it away" in line


def test_a_memory_that_is_off_is_said_to_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLINIC_MESH_MEMORY", "off")
    assert memory_line(capsys) == (ExitCode.OK, "ok     memory: off; nothing that is said is noted")


def test_a_server_of_memories_that_does_not_answer_is_not_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLINIC_MESH_MEMORY_URL", "postgresql://me:hush@127.0.0.1:1/db")
    code, line = memory_line(capsys)
    assert code is ExitCode.USAGE
    assert "hush" not in line


def test_a_model_that_answers_both_calls_is_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, lines = examine_model(["ok", FORM], capsys, monkeypatch)
    assert code is ExitCode.OK
    assert all(line.startswith("ok ") for line in lines)
    assert "openai gpt-x, planner llm; OPENAI_BASE_URL is set, OPENAI_API_KEY is set" in lines[-3]
    assert lines[-2].startswith("ok     model's answer: after ")
    assert lines[-1].startswith("ok     structured output: after ")


def test_azure_is_examined_on_its_own_path(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with chat_server(["ok", FORM]) as server:
        for name, value in {
            "CLINIC_MESH_LLM": "azure",
            "AZURE_OPENAI_ENDPOINT": server.azure_endpoint,
            "AZURE_OPENAI_AD_TOKEN": KEY,
            "AZURE_OPENAI_DEPLOYMENT": "mine",
            "OPENAI_API_VERSION": "2024-10-21",
        }.items():
            monkeypatch.setenv(name, value)
        code, lines = examine(capsys)
    assert code is ExitCode.OK
    assert "azure mine, planner llm; AZURE_OPENAI_ENDPOINT" in lines[-3]
    assert [request.deployment for request in server.requests] == ["mine", "mine"]


@pytest.mark.parametrize(
    ("replies", "code", "last"),
    [
        ([Fault(401)], ExitCode.USAGE, "model's answer: rejected: HTTP 401: the credentials are not accepted"),
        ([Fault(404)], ExitCode.USAGE, "check CLINIC_MESH_LLM_MODEL"),
        ([Garbage(b"<html>", "text/html")], ExitCode.USAGE, "check OPENAI_BASE_URL"),
        ([Fault(429, headers={"Retry-After": "999"})], ExitCode.ALL_DOWN, "rate_limited"),
        ([Fault(500, headers={"Retry-After": "999"})], ExitCode.ALL_DOWN, "server_error"),
        ([Answer(refusal="no"), FORM], ExitCode.REFUSED, "structured output: after"),
        (["ok", Answer(FORM, finish_reason="length")], ExitCode.REFUSED, "structured output: cut"),
        (["ok", "Sure! ok"], ExitCode.REFUSED, "the answer is not the JSON that was asked for"),
        (["ok", '{"answer": "yes"}'], ExitCode.REFUSED, "the answer is not the JSON that was asked for"),
    ],
)
def test_what_fails_is_told_with_what_to_do(
    replies: list[Reply], code: ExitCode, last: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ended, lines = examine_model(replies, capsys, monkeypatch)
    assert ended is code
    assert last in lines[-1]
    assert any(line.startswith("failed ") for line in lines)


def test_settings_that_cannot_be_used_end_the_examination(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = examine(capsys, "--llm", "azure")
    assert code is ExitCode.USAGE
    (line,) = lines
    assert line.startswith("failed settings: AZURE_OPENAI_API_KEY (or AZURE_OPENAI_AD_TOKEN): not set; give")


def test_a_data_folder_that_is_a_file_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    code, lines = examine(capsys)
    assert code is ExitCode.USAGE
    assert "CLINIC_MESH_DATA_DIR" in next(line for line in lines if line.startswith("failed "))
