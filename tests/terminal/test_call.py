"""`clinic-mesh call`: a tool of any registered agent, by its contract; who speaks is filled in, consent is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.doors import open_library
from tests.support.home import ROOT, Home
from tests.support.library import descriptor_set
from tests.support.tty import Tty

CARLOS = {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "123.456.789-09"}
SLOT = ("-a", "doctor=Fernando Mendes", "-a", "date=2025-07-18", "-a", "time=10:00")
LOAN = ("call", "library", "lend_book", "-a", "title=Água Viva", "-a", "until=2025-07-18")


@pytest.fixture
def home(served_home: Home) -> Home:
    served_home.environment |= CARLOS
    return served_home


def test_a_clinic_lists_books_and_refuses_as_its_contract_says(home: Home) -> None:
    listed = home.run("call", "clinic_c", "list_available_slots", "-a", "doctor=Fernando")
    slots = json.loads(listed.stdout)["available_slots"]
    assert {slot["doctor"] for slot in slots} == {"Dr. Fernando Mendes"}

    kept = home.run("call", "clinic_c", "book_appointment", *SLOT)
    assert (kept.returncode, kept.stdout) == (4, "")
    assert "give --yes" in kept.stderr
    assert home.taken("clinic_c") == []

    booked = home.run("call", "clinic_c", "book_appointment", *SLOT, "--yes")
    assert (booked.returncode, json.loads(booked.stdout)["status"]) == (0, "confirmed")
    assert home.taken("clinic_c") == [("2025-07-18", "10:00", "Carlos Teste")]

    again = home.run("call", "clinic_c", "book_appointment", *SLOT, "--yes")
    assert (again.returncode, again.stdout) == (5, "")
    assert again.stderr.startswith("clinic-mesh: ALREADY_BOOKED: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("clinic_z",), "there is no such agent; known are clinic_a, clinic_b"),
        (("clinic_a", "burn"), "the tools are: list_available_slots, book_appointment"),
        (("clinic_a", "book_appointment", "-a", "doctor=x"), "date: required; time: required"),
        (("clinic_a", "book_appointment", "-a", "cpf=1"), "who speaks is filled in and never given"),
        (("clinic_a", "query", "-a", "query"), "-a: NAME=VALUE is expected"),
        (("clinic_a", "query", "--json", "[1]"), "--json: an object"),
        (("clinic_a", "query", "--json", "{"), "--json: "),
    ],
)
def test_what_cannot_be_called_so_is_said(home: Home, arguments: tuple[str, ...], said: str) -> None:
    run = home.call("call", *arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr


def test_the_tools_of_an_agent_are_listed_without_what_is_filled_in(home: Home) -> None:
    listed = home.run("call", "clinic_a").stdout
    assert "book_appointment: Books an open slot" in listed
    assert "-a date=…  required. Date of the slot." in listed
    assert "patient_name" not in listed


@pytest.fixture(params=["reflection", "library.binpb"])
def library_home(request: pytest.FixtureRequest, home: Home, tmp_path: Path) -> Iterator[Home]:
    """A mesh that a library has joined, by lines of the registry alone."""
    with open_library() as server:
        (tmp_path / "library.binpb").write_bytes(descriptor_set())
        clinics, routing, rest = (ROOT / "orchestrator/capabilities.yaml").read_text("utf-8").partition("\nrouting:")
        lines = f"""
  - id: library
    service: library.v1.LibraryService
    address: {server.address}
    contract: {request.param}
    match: {{intents: [find_books, lend_book], domains: [Books]}}
"""
        registry = tmp_path / "capabilities.yaml"
        registry.write_text(clinics + lines + routing + rest, "utf-8")
        home.environment["CLINIC_MESH_REGISTRY"] = str(registry)
        yield home


@pytest.mark.long(but=1)
def test_any_annotated_service_is_called_by_lines_of_the_registry(library_home: Home) -> None:
    found = library_home.run(
        "call", "library", "find_books", "--json", "-", lines='{"author": "Lispector", "limit": 3}'
    )
    assert json.loads(found.stdout)["asked"]["limit"] == 3
    assert library_home.run(*LOAN).returncode == 4
    lent = library_home.run(*LOAN, "--yes")
    assert json.loads(lent.stdout) == {"title": "Água Viva", "until": "2025-07-18"}
    shredded = library_home.run("call", "library", "shred_book", "-a", "title=x", "--yes")
    assert shredded.returncode == 2
    assert "the registry does not allow shred_book at library" in shredded.stderr
    assert "Clínica" in library_home.run("ask", "horários de cardiologia").stdout


@pytest.mark.long
def test_a_write_is_asked_about_in_a_terminal(home: Home) -> None:
    for answer, code, taken in (("n\r", 4, []), ("y\r", 0, [("2025-07-18", "10:00", "Carlos Teste")])):
        tty = Tty(home, ("call", "clinic_c", "book_appointment", *SLOT))
        tty.wait_for("Send it? (y/N)")
        tty.send(answer)
        assert tty.wait_for_end() == code
        assert home.taken("clinic_c") == taken
