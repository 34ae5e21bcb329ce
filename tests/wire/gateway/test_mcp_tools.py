"""The gateway as the SDK's own client finds it, in both eras: what is offered, found, booked, moved and declined."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from mesh.errors import DomainError
from mesh.limits import Limits
from orchestrator.gateway import ProposalError
from orchestrator.security.token_keys import KeyFolder
from orchestrator.turn.identity import Role
from orchestrator.turn.routing import TurnScope
from tests.support.clinics import Clinics
from tests.support.mcp_gateway import ERAS, JOANA, LEGACY, MODERN, Gateway, Host, open_gateway
from tests.support.talk import CARLOS

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
PERSONAL = {"cpf", "patient_name", "request_id"}


def names_in(schema: object) -> Iterator[str]:
    """All property names of a schema, however deep."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for value in schema.values():
            yield from names_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from names_in(value)


def called(gateway: Gateway, era: str, host: Host, name: str, arguments: dict[str, Any]) -> Any:
    """What one call of a tool answers for Carlos; texts of a refusal."""

    async def talk(client: Client) -> Any:
        answer = await client.call_tool(name, arguments)
        (content,) = answer.content
        assert isinstance(content, types.TextContent)
        text = content.text
        assert "123.456.789" not in text
        assert "Carlos" not in text
        if answer.is_error:
            return text
        assert json.loads(text) == answer.structured_content
        return answer.structured_content

    return gateway.talk(CARLOS, era, host, talk)


@pytest.mark.parametrize("era", ERAS)
def test_each_tool_is_offered_once_and_tells_nothing_of_a_person(gateway: Gateway, era: str) -> None:
    async def talk(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in gateway.talk(CARLOS, era, Host(), talk)}
    assert list(tools)[:4] == ["find_openings", "my_appointments", "list_available_slots", "book_appointment"]
    assert PERSONAL.isdisjoint(names_in([[tool.input_schema, tool.output_schema] for tool in tools.values()]))
    listing, booking = tools["list_available_slots"], tools["book_appointment"]
    assert listing.input_schema["properties"]["clinic"]["enum"] == [f"clinic_{letter}" for letter in "abcdef"]
    assert "clinic" not in listing.input_schema.get("required", [])
    assert booking.input_schema["required"] == ["clinic", "doctor", "date", "time"]
    assert (listing.annotations.read_only_hint, booking.annotations.read_only_hint) == (True, False)
    assert "close_slots" not in tools


def test_operators_are_offered_the_agenda(gateway: Gateway) -> None:
    async def talk(client: Client) -> Any:
        return {tool.name for tool in (await client.list_tools()).tools}

    assert {"open_slots", "list_agenda"} <= gateway.talk(CARLOS, MODERN, Host(), talk, Role.OPERATOR)


@pytest.mark.parametrize("era", ERAS)
def test_a_visit_is_booked_moved_and_cancelled_with_a_yes_each(gateway: Gateway, clinics: Clinics, era: str) -> None:
    host = Host()
    booked = called(gateway, era, host, "book_appointment", BOOKING)
    assert (booked["status"], booked["result"]["appointment"]["time"]) == ("done", "10:00")
    assert PERSONAL.isdisjoint(booked["result"]["appointment"])
    held = called(gateway, era, host, "my_appointments", {})["appointments"]
    assert [(one["clinic"], one["appointment"]["date"]) for one in held] == [("clinic_c", "2025-07-18")]
    assert called(gateway, era, host, "reschedule_appointment", MOVED)["status"] == "done"
    gone = {"clinic": "clinic_c", "doctor": SLOT["doctor"], "date": "2025-07-19", "time": "14:00"}
    assert called(gateway, era, host, "cancel_appointment", gone)["status"] == "done"
    assert clinics.taken() == set()
    assert len(host.asked) == 3
    assert all("Clínica C" in asked and "Fernando Mendes" in asked for asked in host.asked)
    assert [line["host"] for line in clinics.log("clinic_c")] == ["A Host"] * 3


@pytest.mark.parametrize("era", ERAS)
def test_a_no_changes_nothing(gateway: Gateway, clinics: Clinics, era: str) -> None:
    assert called(gateway, era, Host(answers=False), "book_appointment", BOOKING) == {"status": "declined"}
    assert clinics.taken() == set()


@pytest.mark.parametrize("era", ERAS)
def test_where_the_host_cannot_ask_a_write_waits_for_a_terminal(gateway: Gateway, clinics: Clinics, era: str) -> None:
    proposed = called(gateway, era, Host(answers=None), "book_appointment", BOOKING)
    assert (proposed["status"], clinics.taken()) == ("proposed", set())
    assert proposed["confirm_with"] == f"clinic-mesh confirm {proposed['proposal']}"
    with pytest.raises(ProposalError):
        gateway.proposals.take(proposed["proposal"], JOANA)
    waiting = gateway.proposals.take(proposed["proposal"], CARLOS)
    gateway.mesh.write(waiting, TurnScope(CARLOS, Role.PATIENT), "clinic-mesh confirm")
    assert {(clinic, cpf) for clinic, _, _, _, cpf in clinics.taken()} == {("clinic_c", CARLOS.cpf)}
    with pytest.raises(ProposalError):
        gateway.proposals.take(proposed["proposal"], CARLOS)


def test_a_refusal_names_its_reason_and_what_is_open_instead(gateway: Gateway) -> None:
    called(gateway, MODERN, Host(), "book_appointment", BOOKING)

    async def talk(client: Client) -> Any:
        return await client.call_tool("book_appointment", BOOKING)

    refused = gateway.talk(JOANA, MODERN, Host(), talk)
    assert refused.is_error
    assert refused.meta["clinic-mesh/reason"] == "SLOT_UNAVAILABLE"
    assert refused.meta["clinic-mesh/details"][0]["slots"]


def test_a_clinic_that_is_down_is_named_and_the_others_answer(gateway: Gateway, clinics: Clinics) -> None:
    clinics.stop("clinic_a")
    answer = called(gateway, LEGACY, Host(), "list_available_slots", {})
    assert answer["silent"] == ["clinic_a"]
    assert [one["clinic"] for one in answer["answers"]] == [f"clinic_{letter}" for letter in "bcdef"]
    found = called(gateway, MODERN, Host(), "find_openings", {"specialty": "cardiology"})
    assert found["silent"] == ["clinic_a"]
    assert {one["clinic"] for one in found["openings"]} == {"clinic_c"}


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({"specialty": "CARDIOLOGY", "limit": 1}, [("clinic_c", "2025-07-18", "10:00")]),
        ({"specialty": "Cardiology", "not_clinics": ["clinic_c"], "limit": 1}, [("clinic_a", "2025-07-21", "09:00")]),
        ({"specialty": "Cardiology", "from": "2025-07-22", "to": "2025-07-22", "after": "12:00"}, [
            ("clinic_a", "2025-07-22", "14:00")]),
        ({"doctor": "fernando", "before": "09:00", "specialty": "Cardiology"}, [("clinic_c", "2025-07-25", "08:30")]),
        ({"specialty": "Cardiology", "insurance": "notredame", "limit": 1}, [("clinic_c", "2025-07-18", "10:00")]),
        ({"specialty": "Cardiology", "not_doctors": ["Dr. Fernando Mendes"], "limit": 1}, [
            ("clinic_a", "2025-07-21", "09:00")]),
    ],
)  # fmt: skip
def test_openings_are_found_over_all_clinics(
    gateway: Gateway, asked: dict[str, Any], wanted: list[tuple[str, str, str]]
) -> None:
    found = called(gateway, MODERN, Host(), "find_openings", asked)
    assert [(one["clinic"], one["date"], one["time"]) for one in found["openings"]] == wanted
    assert found["nearest"] == []


def test_where_nothing_fits_the_nearest_are_told_apart(gateway: Gateway) -> None:
    asked = {"specialty": "Cardiology", "from": "2025-07-20", "to": "2025-07-20"}
    found = called(gateway, MODERN, Host(), "find_openings", asked)
    assert (found["openings"], found["found"]) == ([], 0)
    assert found["nearest"]


@pytest.mark.parametrize(
    "asked", [{"specialty": "Astrology"}, {"limit": 0}, {"from": "18/07"}, {"not_clinics": ["clinic_z"]}, {"hours": 3}]
)
def test_what_is_asked_wrongly_is_refused_with_a_remedy(gateway: Gateway, asked: dict[str, Any]) -> None:
    assert called(gateway, MODERN, Host(), "find_openings", asked).startswith("INVALID_ARGUMENTS: ")


@pytest.mark.parametrize("era", ERAS)
def test_the_clinics_are_resources(gateway: Gateway, era: str) -> None:
    async def talk(client: Client) -> Any:
        listed = (await client.list_resources()).resources
        return [json.loads((await client.read_resource(str(one.uri))).contents[0].text) for one in listed]  # type: ignore[union-attr]

    facts = gateway.talk(CARLOS, era, Host(), talk)
    assert [one["id"] for one in facts] == [f"clinic_{letter}" for letter in "abcdef"]
    assert facts[0]["address"].startswith("Rua das Acácias")


def test_one_person_cannot_call_without_end(clinics: Clinics, keys: KeyFolder, tmp_path: Any) -> None:
    with open_gateway(clinics, keys, tmp_path, Limits(1.0, 1.0)) as gateway:
        answers = {str(called(gateway, MODERN, Host(), "find_openings", {"limit": 1}))[:12] for _ in range(5)}
    assert "RATE_LIMITED" in answers


def test_a_tool_that_there_is_not_is_a_protocol_error(gateway: Gateway) -> None:
    with pytest.raises(DomainError):
        gateway.mesh.find("shred_everything", Role.PATIENT)
    with pytest.raises(ExceptionGroup) as refused:
        called(gateway, MODERN, Host(), "shred_everything", {})
    assert refused.group_contains(MCPError, match="no such tool here")
