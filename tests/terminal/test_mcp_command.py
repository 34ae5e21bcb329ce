"""`clinic-mesh mcp` and `clinic-mesh confirm` as real processes: over standard input and output, and in a terminal."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.support.home import COMMAND, Home
from tests.support.mcp_gateway import ERAS, LEGACY, MODERN, Host
from tests.support.tokens import payload_of
from tests.support.tty import Tty

ME = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25", "CLINIC_MESH_LANGUAGE": "en"}
JOANA = {**ME, "CLINIC_MESH_NAME": "Joana Lima", "CLINIC_MESH_CPF": "111.444.777-35"}
SLOT = {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
BOOKING = {"clinic": "clinic_c", **SLOT}
MOVED = {
    "clinic": "clinic_c",
    "doctor": "Dr. Fernando Mendes",
    "original_date": "2025-07-18",
    "original_time": "10:00",
    "new_date": "2025-07-19",
    "new_time": "14:00",
}
SERVE = ("mcp", "--no-start")

_Answer = TypeVar("_Answer")


def talk(home: Home, era: str, host: Host, said: Callable[[Client], Awaitable[_Answer]], *arguments: str) -> _Answer:
    """Let the SDK's client start the command and talk to it; unless told otherwise, the clinics run already."""

    async def run() -> _Answer:
        command = StdioServerParameters(
            command=COMMAND[0],
            args=[*COMMAND[1:], *(arguments or SERVE)],
            env={**home.environment, **ME},
            cwd=home.folder,
        )
        asks = None if host.answers is None else host.answer
        async with Client(command, mode=era, elicitation_callback=asks) as client:
            return await said(client)

    return asyncio.run(run())


def proposed(home: Home, *arguments: str) -> str:
    """The id of a booking that waits for Maria's yes."""

    async def said(client: Client) -> str:
        answer = await client.call_tool("book_appointment", BOOKING)
        assert answer.structured_content is not None
        return str(answer.structured_content["proposal"])

    return talk(home, LEGACY, Host(answers=None), said, *arguments)


@pytest.fixture
def terminals() -> Iterator[Callable[..., Tty]]:
    """Terminals that are closed afterwards."""
    opened: list[Tty] = []

    def open_one(home: Home, *arguments: str) -> Tty:
        opened.append(Tty(home, arguments, **ME))
        return opened[-1]

    yield open_one
    for tty in opened:
        tty.close()


@pytest.mark.long(but=1)
@pytest.mark.parametrize("era", ERAS)
def test_a_host_books_moves_and_cancels_with_a_yes_each(served_home: Home, era: str) -> None:
    host = Host()

    async def said(client: Client) -> list[Any]:
        async def answer(tool: str, arguments: dict[str, Any]) -> Any:
            return (await client.call_tool(tool, arguments)).structured_content

        listed = [tool.name for tool in (await client.list_tools()).tools]
        assert {"find_openings", "book_appointment", "cancel_appointment"} <= set(listed)
        found = await answer("find_openings", {"specialty": "Cardiology", "limit": 1})
        assert [{name: one[name] for name in BOOKING} for one in found["openings"]] == [BOOKING]
        booked = await answer("book_appointment", BOOKING)
        assert served_home.taken("clinic_c") == [("2025-07-18", "10:00", "Maria Souza")]
        moved = await answer("reschedule_appointment", MOVED)
        assert served_home.taken("clinic_c") == [("2025-07-19", "14:00", "Maria Souza")]
        gone = await answer("cancel_appointment", {**BOOKING, "date": "2025-07-19", "time": "14:00"})
        return [booked, moved, gone]

    assert [answer["status"] for answer in talk(served_home, era, host, said)] == ["done"] * 3
    assert served_home.taken("clinic_c") == []
    assert len(host.asked) == 3


@pytest.mark.long
@pytest.mark.parametrize("era", ERAS)
def test_a_no_books_nothing(served_home: Home, era: str) -> None:
    async def said(client: Client) -> Any:
        return (await client.call_tool("book_appointment", BOOKING)).structured_content

    assert talk(served_home, era, Host(answers=False), said) == {"status": "declined"}
    assert served_home.taken("clinic_c") == []


@pytest.mark.long
def test_standard_output_holds_json_rpc_alone_and_its_end_ends_the_command(served_home: Home) -> None:
    hello = {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "A Host", "version": "1"},
    }  # fmt: skip
    lines: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "my_appointments", "arguments": {}}},
    ]
    process = served_home.start("mcp", "--no-start", environment=ME)
    assert process.stdin is not None
    assert process.stdout is not None
    answers: list[dict[str, Any]] = []
    for line in lines:
        process.stdin.write(json.dumps(line) + "\n")
        process.stdin.flush()
        if "id" in line:
            answers.append(json.loads(process.stdout.readline()))
    rest, complaints = process.communicate("not JSON\n", timeout=60)
    answers += [json.loads(line) for line in rest.splitlines()]
    assert [answer["jsonrpc"] for answer in answers] == ["2.0"] * len(answers)
    assert [answer.get("id") for answer in answers[:2]] == [1, 2]
    assert process.returncode == 0
    assert not [text for text in ("Maria", "529.982") if text in complaints + rest]


def test_a_proposal_is_shown_in_a_terminal_and_made_after_a_yes_once(
    served_home: Home, terminals: Callable[..., Tty]
) -> None:
    proposal = proposed(served_home)
    first = terminals(served_home, "confirm", proposal, "--no-start")
    first.wait_for("Fernando Mendes", "2025-07-18", "10:00", "Shall it be done?")
    assert served_home.taken("clinic_c") == []
    first.enter("n")
    assert first.wait_for_end() == 4
    second = terminals(served_home, "confirm", proposal, "--no-start")
    second.wait_for("Shall it be done?")
    second.enter("y")
    assert second.wait_for_end() == 0
    assert served_home.taken("clinic_c") == [("2025-07-18", "10:00", "Maria Souza")]
    assert not [text for text in ("Maria", "529.982") if text in first.text + second.text]
    again = served_home.run("confirm", proposal, "--yes", "--no-start", environment=ME)
    assert (again.returncode, again.stdout) == (2, "")
    assert "Nothing with that ID waits for this person" in again.stderr


@pytest.mark.long
def test_the_gateway_starts_clinics_and_their_logs_name_who_confirmed(home: Home) -> None:
    proposal = proposed(home, "mcp")
    assert home.run("confirm", proposal, "--yes", environment=ME).returncode == 0

    async def said(client: Client) -> Any:
        answer = await client.call_tool("cancel_appointment", BOOKING)
        assert not answer.is_error, answer
        return answer.structured_content

    assert talk(home, MODERN, Host(), said, "mcp")["status"] == "done"
    logged = [json.loads(line) for line in home.run("operations", "clinic_c", "--output", "jsonl").stdout.splitlines()]
    assert [line["host"] for line in logged] == ["clinic-mesh confirm", "mcp"]
    assert home.holders == []


@pytest.mark.long
def test_a_proposal_waits_for_its_own_person_and_for_a_yes(served_home: Home) -> None:
    proposal = proposed(served_home)
    hers = served_home.run("confirm", proposal, "--yes", "--no-start", environment=JOANA)
    assert (hers.returncode, hers.stdout) == (2, "")
    silent = served_home.run("confirm", proposal, "--no-start", environment=ME)
    assert silent.returncode == 4
    assert "--yes" in silent.stderr
    assert served_home.taken("clinic_c") == []
    made = served_home.run("confirm", proposal, "--yes", "--no-start", environment=ME)
    assert made.returncode == 0
    assert served_home.taken("clinic_c") == [("2025-07-18", "10:00", "Maria Souza")]


@pytest.mark.long
def test_a_proposal_that_is_no_longer_free_is_refused(served_home: Home) -> None:
    waiting, other = proposed(served_home), proposed(served_home)
    assert served_home.run("confirm", other, "--yes", "--no-start", environment=ME).returncode == 0
    late = served_home.run("confirm", waiting, "--yes", "--no-start", environment=ME)
    assert late.returncode == 5
    assert re.search(r"clinic-mesh: [A-Z_]+: ", late.stderr)


@pytest.mark.parametrize("proposal", ["../keys/operator.pem", "0" * 12, "", "x"])
def test_an_id_that_nothing_has_is_refused(served_home: Home, proposal: str) -> None:
    refused = served_home.call("confirm", proposal, "--yes", "--no-start", environment=ME)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert len(refused.stderr.splitlines()) == 1


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("arguments", "environment", "code", "complaint"),
    [
        ([], {}, 6, "who is speaking?"),
        (["--http", "127.0.0.1:0"], {}, 6, "who is speaking?"),
        (["--http", "nowhere"], ME, 2, "--http: "),
        (["--http", "127.0.0.1:http"], ME, 2, "--http: "),
        (["--http", "127.0.0.1:99999"], ME, 2, "--http: "),
        (["--http", "192.0.2.7:0"], ME, 2, "CLINIC_MESH_TLS_DIR"),
        (["--http", "127.0.0.1:0"], {**ME, "CLINIC_MESH_MCP_ISSUER": "http://192.0.2.7"}, 2, "CLINIC_MESH_MCP_ISSUER"),
        (["--http", "0.0.0.0:0"], ME, 2, "that clients call"),
        (["--http", ":0"], ME, 2, "--http: "),
    ],
)
def test_what_cannot_be_served_is_told_in_one_line(
    served_home: Home, arguments: list[str], environment: dict[str, str], code: int, complaint: str
) -> None:
    serve = served_home.call if code == 6 else served_home.run  # the latter have opened something when they say no
    run = serve("mcp", "--no-start", *arguments, environment=environment)
    assert (run.returncode, run.stdout) == (code, ""), run.stderr
    (line,) = run.stderr.splitlines()
    assert complaint in line
    assert not [text for text in ("Maria", "529.982") if text in line]


def test_a_token_for_a_gateway_is_printed(served_home: Home) -> None:
    url = "http://127.0.0.1:8080/mcp"
    printed = served_home.run("token", "--audience", url, "--ttl", "60", environment=ME)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert payload_of(printed.stdout.strip())["aud"] == url
    assert "52998224725" not in payload_of(printed.stdout.strip())["sub"]


@pytest.mark.parametrize("arguments", [[], ["--clinic", "clinic_a", "--audience", "http://127.0.0.1:8080/mcp"]])
def test_a_token_is_for_a_clinic_or_for_a_gateway(served_home: Home, arguments: list[str]) -> None:
    refused = served_home.call("token", *arguments, environment=ME)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--audience" in refused.stderr


@pytest.mark.long
def test_in_the_terminal_confirm_shows_a_proposal_and_makes_it_once(
    served_home: Home, terminals: Callable[..., Tty]
) -> None:
    proposal = proposed(served_home)
    terminal = terminals(served_home, "--no-start")
    terminal.wait_for_prompt()
    terminal.say("/help confirm", "/confirm ID", "makes it after your yes")
    terminal.enter(f"/confirm {proposal}")
    terminal.wait_for("Fernando Mendes", "2025-07-18", "10:00", "Shall it be done? (y/N)")
    terminal.enter("n")
    terminal.wait_for("the proposal still waits for a yes")
    assert served_home.taken("clinic_c") == []
    terminal.wait_for_prompt()
    terminal.enter(f"/confirm {proposal}")
    terminal.wait_for_count("Shall it be done? (y/N)", 2)
    terminal.enter("y")
    terminal.wait_for_line("Done.")
    assert served_home.taken("clinic_c") == [("2025-07-18", "10:00", "Maria Souza")]
    terminal.wait_for_prompt()
    terminal.enter(f"/confirm {proposal}")
    terminal.wait_for("Nothing with that ID waits for this person", "Ask the program")


@pytest.mark.long
def test_in_the_terminal_a_proposal_that_is_no_longer_free_is_refused(
    served_home: Home, terminals: Callable[..., Tty]
) -> None:
    waiting, other = proposed(served_home), proposed(served_home)
    assert served_home.run("confirm", other, "--yes", "--no-start", environment=JOANA).returncode == 2
    assert served_home.run("confirm", other, "--yes", "--no-start", environment=ME).returncode == 0
    terminal = terminals(served_home, "--no-start")
    terminal.wait_for_prompt()
    terminal.enter(f"/confirm {waiting}")
    terminal.wait_for("Shall it be done? (y/N)")
    terminal.enter("yes")
    terminal.wait_for("ALREADY_BOOKED")
