"""More than two hundred hostile calls over HTTP, none of which gets through: the clinics' data stays as it was."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import encode_header_value

from orchestrator import turn
from orchestrator.gateway.held_proposals import HeldProposal, ProposalError
from orchestrator.gateway.mcp_http import HttpAddress
from orchestrator.security.token_keys import KeyFolder
from orchestrator.turn.identity import Identity
from orchestrator.turn.routing import TurnScope
from tests.support.clinics import Clinics
from tests.support.mcp_gateway import JOANA, MODERN, TOLD, Gateway, Host, open_gateway
from tests.support.talk import CARLOS
from tests.support.tokens import JOANA_CPF, make_keys, token_for

BOOKING = {"clinic": "clinic_c", "doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
CANCELLING = {**BOOKING, "date": "2025-07-19", "time": "14:00"}  # which Joana holds
MOVING = {
    "clinic": "clinic_c",
    "doctor": "Dr. Fernando Mendes",
    "original_date": "2025-07-19",
    "original_time": "14:00",
    "new_date": "2025-07-18",
    "new_time": "10:00",
}
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "find_openings": {"limit": 1},
    "my_appointments": {},
    "list_available_slots": {"clinic": "clinic_c"},
    "list_appointments": {"clinic": "clinic_c"},
    "get_patient": {"clinic": "clinic_a", "patient_id": "CARD-001"},
    "book_appointment": BOOKING,
    "reschedule_appointment": MOVING,
    "cancel_appointment": CANCELLING,
}
YES = types.ElicitResult(action="accept", content={"yes": True})
A_REQUEST = "0b8f6f6e-1d0a-4b7e-9c51-0d0f3d5e7a11"
OTHERS = {
    "cpf": JOANA_CPF,
    "patient_name": "Joana Lima",
    "request_id": A_REQUEST,
    "patientName": "Joana Lima",
    "requestId": A_REQUEST,
    "CPF": JOANA_CPF,
    "sub": JOANA_CPF,
    "role": "operator",
    "_meta": {"cpf": JOANA_CPF},
}


@dataclass
class Attack:
    """Calls in Carlos's name by a host that cannot be trusted, and what became of each of them."""

    address: HttpAddress
    token: str
    client: Client
    http: httpx2.AsyncClient
    outcomes: Counter[str] = field(default_factory=Counter)

    async def call(self, tool: str, arguments: Mapping[str, Any], state: str | None = None, answer: Any = None) -> str:
        """Call a tool as the SDK's client does; return what became of it."""
        given = None if answer is None else {"consent": answer}
        try:
            result = await self.client.session.call_tool(
                tool, dict(arguments), input_responses=given, request_state=state, allow_input_required=True
            )
        except MCPError as error:
            return self._counted("error", error.error.model_dump_json())
        return self._counted(_outcome(result.model_dump(mode="json", by_alias=True)), result.model_dump_json())

    async def post(self, params: Mapping[str, Any], **headers: str) -> str:
        """Call a tool with a body that the SDK's client would not send."""
        meta = {
            types.PROTOCOL_VERSION_META_KEY: MODERN,
            types.CLIENT_INFO_META_KEY: {"name": "A Host", "version": "1"},
            types.CLIENT_CAPABILITIES_META_KEY: {"elicitation": {"form": {}}},
        }
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**params, "_meta": meta}}
        arguments = params.get("arguments")
        clinic = arguments.get("clinic") if isinstance(arguments, dict) else None
        sent = {
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {self.token}",
            "MCP-Protocol-Version": MODERN,
            "Mcp-Method": "tools/call",
            "Mcp-Name": encode_header_value(str(params.get("name"))),
            **({"Mcp-Param-Clinic": encode_header_value(clinic)} if isinstance(clinic, str) else {}),
            **headers,
        }
        answer = await self.http.post(self.address.url, json=body, headers=sent)
        said = answer.json() if "json" in answer.headers.get("Content-Type", "") else {}
        return self._counted(_outcome(said["result"]) if "result" in said else "error", answer.text)

    async def state(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Return what the gateway hands out with its question."""
        asked = await self.client.session.call_tool(tool, dict(arguments), allow_input_required=True)
        assert isinstance(asked, types.InputRequiredResult)
        assert asked.request_state is not None
        return asked.request_state

    def _counted(self, outcome: str, said: str) -> str:
        assert not [text for text in TOLD if text in said], said
        self.outcomes[outcome] += 1
        return outcome


def _outcome(result: Mapping[str, Any]) -> str:
    if result.get("isError"):
        return "refused"
    if result.get("resultType") == "input_required":
        return "asked"
    return str(result["structuredContent"].get("status", "read"))


@pytest.fixture(autouse=True)
def hers(gateway: Gateway) -> None:
    """Joana holds a visit."""
    booking = HeldProposal("book_appointment", "clinic_c", {k: v for k, v in CANCELLING.items() if k != "clinic"})
    gateway.mesh.write(booking, TurnScope(JOANA, turn.Role.PATIENT), "A Host")


@asynccontextmanager
async def attack(address: HttpAddress, keys: KeyFolder, who: Identity = CARLOS) -> AsyncIterator[Attack]:
    token = token_for(keys, who.cpf, audience=address.url)
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http,
        httpx2.AsyncClient(timeout=30) as bare,
        Client(
            streamable_http_client(address.url, http_client=http), mode=MODERN, elicitation_callback=Host().answer
        ) as client,
    ):
        await client.list_tools()  # so that the client sends the clinic in a header too
        yield Attack(address, token, client, bare)


def silos(clinics: Clinics) -> dict[str, list[dict[str, Any]]]:
    return {clinic: clinics.slots(clinic) for clinic in clinics.registry}


async def with_anothers_identity(made: Attack) -> None:
    for tool, arguments in ARGUMENTS.items():
        for name, value in OTHERS.items():
            assert await made.call(tool, {**arguments, name: value}) == "refused", (tool, name)
        for name in ("cpf", "patient_name", "request_id"):
            for nested in ({"patient": {name: OTHERS[name]}}, {"doctor": {name: OTHERS[name]}}, {name: [OTHERS[name]]}):
                assert await made.call(tool, {**arguments, **nested}) == "refused", (tool, nested)


async def with_broken_states(made: Attack, foreign: str, hers: str) -> None:
    good = await made.state("book_appointment", BOOKING)
    other_tool = await made.state("cancel_appointment", CANCELLING)
    cut = [good[:end] for end in range(0, len(good), len(good) // 12)]
    flipped = [good[:at] + ("A" if good[at] != "A" else "B") + good[at + 1 :] for at in range(0, len(good), 16)]
    made_up = [A_REQUEST, "v1.", "v1.AAAA", "v2." + good[3:], good + "=", good * 2, "null", "{}", " " + good, "é\x00"]
    for state in (*cut, *flipped, *made_up, foreign, hers, other_tool):
        assert await made.call("book_appointment", BOOKING, state, YES) == "error", state
    changed = {"clinic": "clinic_a", "doctor": "Dra. Helena Prado", "date": "2025-07-25", "time": "08:30"}
    for name, value in changed.items():
        assert await made.call("book_appointment", {**BOOKING, name: value}, good, YES) == "error", name
    for tool in ("cancel_appointment", "list_available_slots", "my_appointments"):
        assert await made.call(tool, BOOKING if tool != "my_appointments" else {}, good, YES) == "error", tool
    added = {**BOOKING, "cpf": JOANA_CPF}
    assert await made.call("book_appointment", added, good, YES) == "error"


async def with_consent_nobody_gave(made: Attack) -> None:
    for tool, arguments in (("book_appointment", BOOKING), ("cancel_appointment", CANCELLING)):
        assert await made.call(tool, arguments, None, YES) == "asked"  # an answer to no question
        state = await made.state(tool, arguments)
        assert await made.call(tool, arguments, state) == "asked"
        for action, content in (
            ("accept", {"yes": False}), ("accept", {"yes": "true"}), ("accept", {"yes": 1}), ("accept", {}),
            ("accept", None), ("accept", {"YES": True}), ("accept", {"yes": ["true"]}), ("accept", {"yes": 1.0}),
            ("decline", {"yes": True}), ("cancel", {"yes": True}), ("decline", None),
        ):  # fmt: skip
            said = types.ElicitResult(action=action, content=content)
            assert await made.call(tool, arguments, state, said) == "declined", (action, content)
        params = {"name": tool, "arguments": arguments, "requestState": state}
        yes = {"action": "accept", "content": {"yes": True}}
        shapes: tuple[Any, ...] = (
            [], "yes", 1, True, {"consent": True}, {"consent": "accept"}, {"consent": [yes]}, {"consent": None},
            {"consent": {}}, {"consent": {"action": "yes", "content": {"yes": True}}}, {"Consent": yes}, {"": yes},
            {"consent": {"content": {"yes": True}}}, {"consent": {"action": "accept", "content": True}},
            {"consent": {"action": "accept", "content": [{"yes": True}]}}, [{"consent": yes}],
            {"consent": {"consent": yes}},
            {"consent": {"action": "accept", "content": {"yes": {"yes": True}}}}, {"consent": {"action": ["accept"]}},
            {"consent": {"roots": []}},
        )  # fmt: skip
        for responses in shapes:
            outcome = await made.post({**params, "inputResponses": responses})
            assert outcome in {"error", "asked", "declined"}, responses
        for wrong in (1, True, [state], {"s": state}):
            assert await made.post({**params, "requestState": wrong, "inputResponses": {"consent": yes}}) == "error"
        assert await made.post({**params, "requestState": None, "inputResponses": {"consent": yes}}) == "asked"


async def with_what_there_is_not(made: Attack) -> None:
    clinics: tuple[Any, ...] = (
        "clinic_z",
        "",
        "CLINIC_C",
        "../clinic_c",
        "clinic_c\x00",
        "127.0.0.1:1",
        ["clinic_c"],
        None,
        7,
        {},
    )
    for clinic in clinics:
        for tool in ("list_available_slots", "book_appointment"):
            outcome = await made.call(tool, {**ARGUMENTS[tool], "clinic": clinic})
            # A clinic that is left out of a read asks all: null is the same to JSON's readers, and reads what he may.
            assert outcome in {"refused", "error"} or (tool, clinic) == ("list_available_slots", None), (tool, clinic)
    unknown = ("", "shred", "book_appointment ", "BOOK_APPOINTMENT", "../book_appointment", "__class__", "x" * 60_000)
    operators = ("list_patients", "query", "open_slots", "close_slots", "list_agenda")
    for tool in (*unknown, *operators):
        assert await made.call(tool, {"clinic": "clinic_a", "query": "todos", "doctor": "Dr. X"}) == "error", tool[:20]


async def with_texts_that_hurt(made: Attack) -> None:
    hurts = ("\x00", "a\x00b", "Dr. Fernando Mendes\x00", "x" * 60_000, "\x1b[2J", "é" * 20_000, "\u202e", "")
    for tool in ("book_appointment", "cancel_appointment"):
        for name in ("date", "time"):
            for text in hurts:
                assert await made.call(tool, {**ARGUMENTS[tool], name: text}) == "refused", (tool, name, text[:9])
    for text in hurts:
        assert await made.call("book_appointment", {**BOOKING, "doctor": text}) == "refused", text[:20]
    for text in ("x" * 60_000, "\x00", "Cardiology\x00"):
        assert await made.call("find_openings", {"specialty": text}) == "refused", text[:9]


async def from_elsewhere(made: Attack, tokens: list[str]) -> None:
    params = {"name": "my_appointments", "arguments": {}}
    own = made.address.host
    for host in ("evil.example", f"evil.example:{own.rpartition(':')[2]}", "169.254.169.254", f"{own}.evil.example"):
        assert await made.post(params, Host=host) == "error", host
    for origin in ("https://evil.example", "null", f"https://{own}", f"http://{own}.evil.example", "file://"):
        assert await made.post(params, Origin=origin) == "error", origin
    for token in tokens:
        assert await made.post(params, Authorization=f"Bearer {token}") == "error"
    for authorization in (made.token, f"Basic {made.token}", "Bearer"):
        assert await made.post(params, Authorization=authorization) == "error"
    booking = {"name": "book_appointment", "arguments": BOOKING}
    for header, value in (("Mcp-Name", "my_appointments"), ("Mcp-Param-Clinic", "clinic_a"), ("Mcp-Method", "ping")):
        assert await made.post(booking, **{header: value}) == "error", header


@pytest.mark.long
def test_of_two_hundred_hostile_calls_none_gets_through(
    served: HttpAddress, clinics: Clinics, keys: KeyFolder, gateway: Gateway, tmp_path: Path
) -> None:
    before = silos(clinics)
    bad_tokens = [
        token_for(keys, audience="clinic_c"),
        token_for(keys, audience="http://127.0.0.1:9/mcp"),
        token_for(keys, audience=served.url, now=1.0),
        token_for(keys, "529.982.247-25", audience=served.url),
        token_for(make_keys(tmp_path / "foreign"), audience=served.url),
    ]

    async def run(foreign_gateway: HttpAddress) -> Counter[str]:
        async with attack(foreign_gateway, keys) as elsewhere, attack(served, keys, JOANA) as joana:
            foreign = await elsewhere.state("book_appointment", BOOKING)
            hers = await joana.state("book_appointment", BOOKING)
        async with attack(served, keys) as made:
            await with_anothers_identity(made)
            await with_broken_states(made, foreign, hers)
            await with_consent_nobody_gave(made)
            await with_what_there_is_not(made)
            await with_texts_that_hurt(made)
            await from_elsewhere(made, bad_tokens)
        return made.outcomes

    with (
        open_gateway(clinics, keys, tmp_path / "foreign") as other,
        other.over_http([CARLOS, JOANA]) as foreign_gateway,
    ):
        outcomes = asyncio.run(run(foreign_gateway))
    assert outcomes["done"] == outcomes["proposed"] == 0
    assert outcomes.total() >= 200, outcomes
    assert silos(clinics) == before


def test_a_consent_that_is_sent_again_makes_the_write_once(
    served: HttpAddress, clinics: Clinics, keys: KeyFolder
) -> None:
    before = clinics.taken()

    async def run() -> None:
        async with attack(served, keys) as made:
            state = await made.state("book_appointment", BOOKING)
            assert [await made.call("book_appointment", BOOKING, state, YES) for _ in range(4)] == ["done"] * 4
            assert {(day, cpf) for _, _, day, _, cpf in clinics.taken() - before} == {("2025-07-18", CARLOS.cpf)}
            back = await made.state("cancel_appointment", BOOKING)
            assert await made.call("cancel_appointment", BOOKING, back, YES) == "done"
            # The consent was to a booking that has been made: it does not make another one.
            await made.call("book_appointment", BOOKING, state, YES)

    asyncio.run(run())
    assert clinics.taken() == before


def test_another_person_cannot_use_a_consent_or_cancel_what_is_not_theirs(
    served: HttpAddress, clinics: Clinics, keys: KeyFolder
) -> None:
    before = silos(clinics)

    async def run() -> None:
        async with attack(served, keys, JOANA) as joana, attack(served, keys) as carlos:
            hers = await joana.state("cancel_appointment", CANCELLING)
            assert await carlos.call("cancel_appointment", CANCELLING, hers, YES) == "error"
            for tool, arguments in (("cancel_appointment", CANCELLING), ("reschedule_appointment", MOVING)):
                own = await carlos.state(tool, arguments)
                assert await carlos.call(tool, arguments, own, YES) == "refused"

    asyncio.run(run())
    assert silos(clinics) == before


@pytest.mark.parametrize("who", [CARLOS, JOANA])
def test_a_proposal_opens_for_nobody_by_guess_or_path(gateway: Gateway, tmp_path: Path, who: Identity) -> None:
    held = HeldProposal("book_appointment", "clinic_c", {k: v for k, v in BOOKING.items() if k != "clinic"})
    his = gateway.proposals.keep(held, CARLOS)
    folder = tmp_path / "proposals"
    sealed = (folder / his).read_bytes()
    (tmp_path / "aaaaaaaaaaaa").write_bytes(sealed)
    guesses = [
        "", ".", "..", "../aaaaaaaaaaaa", f"../proposals/{his}", f"./{his}", f"{his}/", f"{his}\x00", f"{his}\n",
        his.upper() + "A",
        str(folder / his), "0" * 12, "f" * 12, "0" * 11, his[:-1], "%2e%2e%2faaaaaaaaaaaa", "٠" * 12, "*",
        his[::-1] + "x",
    ]  # fmt: skip
    for guess in guesses + ([] if who is CARLOS else [his]):
        with pytest.raises(ProposalError):
            gateway.proposals.take(guess, who)
    assert (folder / his).read_bytes() == sealed
    assert not [text for text in TOLD if text.encode() in sealed]
    assert ((folder / his).stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)
    assert gateway.proposals.look(his, CARLOS) == held
