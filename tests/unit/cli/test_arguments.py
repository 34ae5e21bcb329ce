"""The command line: each form becomes one value, and what it does not take ends with 2."""

from pathlib import Path

import pytest

from orchestrator.cli.arguments import Arguments, parse_arguments


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", Arguments()),
        ("--yes --output jsonl", Arguments(consent_given=True, output="jsonl")),
        ("--base-port 9001", Arguments(settings={"base_port": "9001"})),
        ("--no-start", Arguments(starts_clinics=False)),
        ("up", Arguments(command="up")),
        ("up --detach", Arguments(command="up", is_detached=True)),
        ("down", Arguments(command="down")),
        ("doctor --llm azure", Arguments(command="doctor", settings={"llm": "azure"})),
        ("--llm openai --llm-model m", Arguments(settings={"llm": "openai", "llm_model": "m"})),
        ("status -o json", Arguments(command="status", output="json")),
        ("clinic clinic_a", Arguments(command="clinic", clinic="clinic_a")),
        ("token --clinic clinic_a", Arguments(command="token", clinic="clinic_a")),
        ("token --clinic clinic_a --ttl 60", Arguments(command="token", clinic="clinic_a", ttl_s=60)),
        (
            "token --clinic clinic_a --identity-file me.txt --role operator",
            Arguments("token", {"role": "operator"}, clinic="clinic_a", identity_file=Path("me.txt")),
        ),
        ("certs --tls-dir tls", Arguments(command="certs", settings={"tls_dir": "tls"})),
        ("stats", Arguments(command="stats")),
        ("stats --report out -o json", Arguments(command="stats", report=Path("out"), output="json")),
        ("stats --log a.jsonl --log-dir b", Arguments("stats", {"log_dir": "b"}, log=Path("a.jsonl"))),
        ("ask olá", Arguments(command="ask", text="olá")),
        ("ask -", Arguments(command="ask", text="-")),
        ("ask olá --yes", Arguments(command="ask", text="olá", consent_given=True)),
        ("--yes ask olá", Arguments(command="ask", text="olá", consent_given=True)),
        ("ask olá --identity-file me.txt", Arguments(command="ask", text="olá", identity_file=Path("me.txt"))),
        ("ask olá --identity-fd 3", Arguments(command="ask", text="olá", identity_fd=3)),
        ("token --clinic a --identity-fd 12", Arguments(command="token", clinic="a", identity_fd=12)),
        ("--incognito --history off", Arguments(settings={"history": "off"}, is_incognito=True)),
        ("ask olá --incognito", Arguments(command="ask", text="olá", is_incognito=True)),
        ("--agenda blueprint ask olá", Arguments(command="ask", text="olá", settings={"agenda": "blueprint"})),
        ("ask olá --agenda blueprint", Arguments(command="ask", text="olá", settings={"agenda": "blueprint"})),
    ],
)
def test_a_command_line_becomes_one_value(line: str, expected: Arguments) -> None:
    assert parse_arguments(line.split()) == expected


@pytest.mark.parametrize(
    "line",
    [
        "--cpf 1",
        "--name x",
        "ask",
        "fly",
        "clinic",
        "--output xml",
        "status -o jsonl",
        "up --det",
        "--data-dir",
        "token",
        "token --clinic a --ttl 0",
        "--openai-api-key x",
        "--identity-fd 2",
        "--identity-fd -1",
        "--identity-fd x",
        "--identity-fd 12345678",
        "up --identity-fd 3",
        "--identity-file me.txt --identity-fd 3",
        "--identity-file me.txt ask olá --identity-fd 3",
    ],
)
def test_wrong_usage_ends_with_2(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse_arguments(line.split())
    assert end.value.code == 2
    assert "usage: clinic-mesh" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "--cpf 52998224725",
        "--cpf=52998224725",
        "ask olá --cpf=52998224725",
        "ask olá 52998224725",
        "52998224725",
        "status -o 52998224725",
        "ask olá --output 52998224725",
        "ask olá --identity-fd 52998224725",
        "token --clinic a --ttl 529.982.247-25",
    ],
)
def test_a_complaint_repeats_no_value(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(line.split())
    assert "52998224725" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", "up", "down", "status", "clinic", "ask", "doctor", "token", "certs"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse_arguments([*command.split(), "--help"])
    assert end.value.code == 0
    assert "--data-dir" in capsys.readouterr().out


def test_the_research_desk_has_sessions_to_take_up_list_or_delete() -> None:
    assert parse_arguments(["research"]).session is None
    assert parse_arguments(["research", "--session", "0123"]).session == "0123"
    assert parse_arguments(["research", "--list"]).lists_sessions
    assert parse_arguments(["research", "--delete", "0123"]).deleted_session == "0123"
    with pytest.raises(SystemExit):
        parse_arguments(["research", "--list", "--delete", "0123"])
