"""The gateway over real HTTP: what the SDK's client gets with a person's token, and what nobody gets without one."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client

from orchestrator.gateway.mcp_http import HttpAddress
from orchestrator.security.token_keys import KeyFolder
from orchestrator.turn.identity import Identity, Role
from orchestrator.turn.routing import TurnScope
from tests.support.clinics import Clinics
from tests.support.mcp_gateway import ERAS, JOANA, LEGACY, MODERN, TOLD, Gateway, Host, talk_http
from tests.support.talk import CARLOS
from tests.support.tokens import make_keys, resigned, token_for

STRANGER_CPF = "529.982.247-25"
BOOKING = {"clinic": "clinic_c", "doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


def token_of(keys: KeyFolder, address: HttpAddress, who: Identity = CARLOS) -> str:
    return token_for(keys, who.cpf, audience=address.url)


def called(address: HttpAddress, token: str, era: str, host: Host, name: str, arguments: dict[str, Any]) -> Any:
    """What a tool answers over HTTP, which names nobody."""

    async def talk(client: Client) -> Any:
        await client.list_tools()  # so that the client sends the clinic in a header too
        answer = await client.call_tool(name, arguments)
        assert not [text for text in TOLD if text in answer.model_dump_json()]
        assert not answer.is_error, answer
        return answer.structured_content

    return talk_http(address.url, token, era, host, talk)


def post(address: HttpAddress, token: str | None, body: Any = LIST, **headers: str) -> httpx2.Response:
    """What the gateway says to a request made by hand."""
    authorization = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx2.post(address.url, json=body, headers={**HEADERS, **authorization, **headers}, timeout=30)


@pytest.mark.parametrize("era", ERAS)
def test_tools_are_listed_and_openings_found(served: HttpAddress, keys: KeyFolder, era: str) -> None:
    async def talk(client: Client) -> Any:
        return [tool.name for tool in (await client.list_tools()).tools]

    token = token_of(keys, served)
    listed = talk_http(served.url, token, era, Host(), talk)
    assert listed[:3] == ["find_openings", "my_appointments", "list_available_slots"]
    found = called(served, token, era, Host(), "find_openings", {"specialty": "Cardiology", "limit": 1})
    assert [(one["clinic"], one["date"]) for one in found["openings"]] == [("clinic_c", "2025-07-18")]
    assert called(served, token, era, Host(), "list_available_slots", {"clinic": "clinic_c"})["silent"] == []


def test_in_the_newer_era_a_yes_to_the_form_books(served: HttpAddress, keys: KeyFolder, clinics: Clinics) -> None:
    host = Host()
    booked = called(served, token_of(keys, served), MODERN, host, "book_appointment", BOOKING)
    assert (booked["status"], booked["result"]["appointment"]["date"]) == ("done", "2025-07-18")
    assert {(clinic, cpf) for clinic, _, _, _, cpf in clinics.taken()} == {("clinic_c", CARLOS.cpf)}
    assert len(host.asked) == 1
    assert [line["host"] for line in clinics.log("clinic_c")] == ["A Host"]


def test_in_the_newer_era_a_no_to_the_form_books_nothing(
    served: HttpAddress, keys: KeyFolder, clinics: Clinics
) -> None:
    declined = called(served, token_of(keys, served), MODERN, Host(answers=False), "book_appointment", BOOKING)
    assert (declined, clinics.taken()) == ({"status": "declined"}, set())


def test_in_the_older_era_a_write_waits_for_a_terminal(
    served: HttpAddress, keys: KeyFolder, clinics: Clinics, gateway: Gateway
) -> None:
    host = Host()
    proposed = called(served, token_of(keys, served), LEGACY, host, "book_appointment", BOOKING)
    assert (proposed["status"], clinics.taken(), host.asked) == ("proposed", set(), [])
    waiting = gateway.proposals.take(proposed["proposal"], CARLOS)
    gateway.mesh.write(waiting, TurnScope(CARLOS, Role.PATIENT), "clinic-mesh confirm")
    assert {(clinic, cpf) for clinic, _, _, _, cpf in clinics.taken()} == {("clinic_c", CARLOS.cpf)}


def test_two_people_over_one_gateway_see_their_own_visits_alone(served: HttpAddress, keys: KeyFolder) -> None:
    hers, his = token_of(keys, served, JOANA), token_of(keys, served)
    called(served, his, MODERN, Host(), "book_appointment", BOOKING)
    called(served, hers, MODERN, Host(), "book_appointment", {**BOOKING, "date": "2025-07-19", "time": "14:00"})

    def days(token: str, era: str) -> list[str]:
        held = called(served, token, era, Host(), "my_appointments", {})["appointments"]
        return [one["appointment"]["date"] for one in held]

    for era in ERAS:
        assert (days(his, era), days(hers, era)) == (["2025-07-18"], ["2025-07-19"])


def test_without_a_token_it_says_where_tokens_are_described(served: HttpAddress) -> None:
    refused = post(served, None)
    assert refused.status_code == 401
    described = f"http://{served.host}/.well-known/oauth-protected-resource/mcp"
    assert f'resource_metadata="{described}"' in refused.headers["WWW-Authenticate"]
    metadata = httpx2.get(described).json()
    assert metadata["resource"] == served.url
    assert metadata["authorization_servers"]


def test_only_a_good_token_of_a_known_person_opens(served: HttpAddress, keys: KeyFolder, tmp_path: Path) -> None:
    good = token_of(keys, served)
    bad = {
        "nothing": "x",
        "a clinic's": token_for(keys, audience="clinic_a"),
        "another gateway's": token_for(keys, audience="http://127.0.0.1:1/mcp"),
        "the host's alone": token_for(keys, audience=f"http://{served.host}/"),
        "of another key": token_for(make_keys(tmp_path / "other"), audience=served.url),
        "expired": token_for(keys, audience=served.url, now=time.time() - 3600),
        "not begun": token_for(keys, audience=served.url, now=time.time() + 3600),
        "of somebody unknown": token_for(keys, STRANGER_CPF, audience=served.url),
        "without scopes": resigned(keys, good, scope=""),
        "cut": good[:-2],
        "of two": f"{good}, {good}",
    }
    answers = {name: post(served, token).status_code for name, token in bad.items()}
    assert answers.pop("without scopes") in {401, 403}
    assert answers == dict.fromkeys(answers, 401)
    assert post(served, good).status_code == 200


def test_an_operators_issuer_alone_makes_an_operator(served: HttpAddress, keys: KeyFolder) -> None:
    forged = resigned(keys, token_of(keys, served), role="operator")
    operator = token_for(keys, CARLOS.cpf, "operator", served.url)
    assert post(served, forged).status_code == 401
    assert '"list_patients"' not in post(served, token_of(keys, served)).text
    assert '"list_agenda"' in post(served, operator).text


@pytest.mark.long(but=2)
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Host": "localhost"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost"}, 403),
    ],
)
def test_a_page_of_elsewhere_gets_nothing_even_with_a_token(
    served: HttpAddress, keys: KeyFolder, headers: dict[str, str], status: int
) -> None:
    assert post(served, token_of(keys, served), **headers).status_code == status


def test_its_own_host_and_origin_are_answered(served: HttpAddress, keys: KeyFolder) -> None:
    port = served.host.rpartition(":")[2]
    own = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
    assert post(served, token_of(keys, served), **own).status_code == 200


def test_a_body_above_64_kib_is_refused_and_the_next_is_answered(served: HttpAddress, keys: KeyFolder) -> None:
    token = token_of(keys, served)
    assert post(served, token, {**LIST, "params": {"_meta": {"x": "a" * 65_536}}}).status_code == 413
    assert post(served, token, {**LIST, "params": {"_meta": {"x": "a" * 60_000}}}).status_code == 200


def test_an_answer_is_sent_at_once(served: HttpAddress) -> None:
    # Else its last part waits some 40 ms for the client to acknowledge the first.
    assert served.listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert post(served, "no token").status_code == 401


def test_what_is_said_of_a_refusal_does_not_repeat_the_token(served: HttpAddress, keys: KeyFolder) -> None:
    token = token_for(keys, STRANGER_CPF, audience=served.url)
    refused = post(served, token)
    assert token not in refused.text + json.dumps(dict(refused.headers))
