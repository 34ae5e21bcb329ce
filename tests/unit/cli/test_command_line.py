"""The command line: each form becomes one value, and what it does not take ends with 2."""

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest

from orchestrator.cli.command_line import Arguments, parse_arguments
from tests.support.home import COMMAND, ROOT

PAGES = tomllib.loads((ROOT / "orchestrator/cli/commands.toml").read_text("utf-8"))
EXAMPLES = {name.replace("clinic-mesh", ""): page["examples"] for name, page in PAGES.items()}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", Arguments()),
        ("--yes --output jsonl", Arguments(consent_given=True, output="jsonl")),
        ("--base-port 9001", Arguments(settings={"base_port": "9001"})),
        ("--no-start", Arguments(starts_clinics=False)),
        ("up", Arguments(command="up")),
        ("up --detach", Arguments(command="up", is_detached=True)),
        ("up -d --wait", Arguments(command="up", is_detached=True)),
        ("up --wait 60", Arguments(command="up", wait_s=60.0)),
        ("down", Arguments(command="down")),
        ("down clinic_c", Arguments(command="down", clinic="clinic_c")),
        ("restart clinic_c --wait 5", Arguments(command="restart", clinic="clinic_c", wait_s=5.0)),
        ("logs", Arguments(command="logs")),
        ("logs clinic_c -f -n 5", Arguments(command="logs", clinic="clinic_c", follows=True, lines=5)),
        ("completion zsh", Arguments(command="completion", shell="zsh")),
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
        ("ask --no-start '- horários'", Arguments(command="ask", text="- horários", starts_clinics=False)),
        ("ask -1 --no-start", Arguments(command="ask", text="-1", starts_clinics=False)),
        ("ask -- --yes", Arguments(command="ask", text="--yes")),
        ("status -o=json", Arguments(command="status", output="json")),
        ("ask olá --yes", Arguments(command="ask", text="olá", consent_given=True)),
        ("ask olá --confirm a", Arguments(command="ask", text="olá", confirmed="a")),
        ("--confirm a", Arguments(confirmed="a")),
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
    assert parse_arguments(shlex.split(line)) == expected


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
        "ask olá --yes --confirm a",
        "restart",
        "up --wait 0",
        "logs -n x",
        "completion tcsh",
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
    assert capsys.readouterr().err.startswith("Usage: clinic-mesh")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        *(
            (f"{before} --wait{to}{number}", "'--wait': 1 or more is expected")
            for before in ("up", "restart clinic_c", "up --detach")
            for to in (" ", "=")
            for number in ("0", "-1", "-2.5")
        ),
        ("logs -n -3", "'-n' / '--lines': 1 or more is expected"),
        ("--identity-fd -1", "the number of an open descriptor, 3 or more, is expected"),
        ("ask olá --identity-fd -1", "the number of an open descriptor, 3 or more, is expected"),
        ("ask --identity-fd -1 olá", "the number of an open descriptor, 3 or more, is expected"),
        ("up -1", "there is no such option"),
    ],
)
def test_a_number_below_the_least_is_told_with_its_option(
    line: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(line.split())
    assert capsys.readouterr().err.endswith(f"{message}\n")


@pytest.mark.parametrize(
    "line",
    [
        "--cpf 52998224725",
        "--cpf=52998224725",
        "ask olá --cpf=52998224725",
        "ask olá 52998224725",
        "52998224725",
        "--52998224725",
        "-52998224725",
        "--yes=52998224725",
        "research --session 52998224725 --list",
        "status -o 52998224725",
        "ask olá --output 52998224725",
        "ask olá --identity-fd 52998224725",
        "token --clinic a --ttl 529.982.247-25",
        "logs -n 52998224725x",
    ],
)
def test_a_complaint_repeats_no_value(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(line.split())
    assert "52998224725" not in capsys.readouterr().err


@pytest.mark.parametrize("command", EXAMPLES)
def test_every_command_has_help_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse_arguments([*command.split(), "--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert all(line in shown for line, _ in EXAMPLES[command])


def test_every_command_is_among_those_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["--help"])
    listed = capsys.readouterr().out.split("Commands:\n")[1].split("\n\n")[0]
    assert set(re.findall(r"^  (\w+) ", listed, re.MULTILINE)) == set(EXAMPLES) - {""}


@pytest.mark.parametrize("line", [line for pairs in EXAMPLES.values() for line, _ in pairs])
def test_every_example_is_a_command_line(line: str) -> None:
    words = shlex.split(line)
    redirected = next((place for place, word in enumerate(words) if word in {"<", ">"}), len(words))
    assert words[0] == "clinic-mesh"
    parse_arguments(words[1:redirected])


def test_the_research_desk_has_sessions_to_take_up_list_or_delete() -> None:
    assert parse_arguments(["research"]).session is None
    assert parse_arguments(["research", "--session", "0123"]).session == "0123"
    assert parse_arguments(["research", "--list"]).lists_sessions
    assert parse_arguments(["research", "--delete", "0123"]).deleted_session == "0123"
    with pytest.raises(SystemExit):
        parse_arguments(["research", "--list", "--delete", "0123"])


@pytest.mark.parametrize("line", ["-h", "--help", "ask -h", "up --help"])
def test_help_ends_well_even_when_nobody_reads_it(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        parse_arguments(line.split())
    assert end.value.code == 0
    assert "Usage: clinic-mesh" in capsys.readouterr().out
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [*COMMAND, *line.split()], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, timeout=60, check=False
        )
    assert (run.returncode, run.stderr) == (0, b"")


def test_a_complaint_shows_the_usage_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["token", "--clinic"])
    assert capsys.readouterr().err.startswith("Usage: clinic-mesh token ")
