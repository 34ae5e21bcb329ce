"""Whose appointments a clinic lists: those of the token's person, and nobody's without one."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import grpc
import pytest

from clinics.program import serve
from clinics.servicer import held_in
from clinics.slots import Change, Slot, Snapshot
from mesh.server import NodePolicies
from mesh.tokens import Claims, claims_for
from orchestrator.security.token_keys import KeyFolder
from tests.support.clinics import NOW
from tests.support.tokens import CARLOS_CPF, JOANA_CPF, make_keys, payload_of, raw_token, resigned, token_for
from tests.wire.identity.conftest import DOORS, Guarded
from tests.wire.parity.doors import TRACE, Answer, EnvelopeDoor, Refusal, TypedDoor

CARLOS = {"patient_name": "Carlos Teste", "cpf": CARLOS_CPF}
JOANA = {"patient_name": "Joana Lima", "cpf": JOANA_CPF}
FIRST = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"}
SECOND = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-23", "time": "08:00"}
DoorKind = type[TypedDoor | EnvelopeDoor]


def held(answer: Answer) -> list[dict[str, Any]]:
    assert isinstance(answer, dict), answer
    appointments: list[dict[str, Any]] = answer["appointments"]
    return appointments


def slots_of(answer: Answer) -> list[tuple[str, str]]:
    return [(one["date"], one["time"]) for one in held(answer)]


@pytest.mark.parametrize("kind", DOORS)
def test_appointments_are_listed_in_order_with_an_id_and_no_holder(
    guarded: Guarded, keys: KeyFolder, kind: DoorKind
) -> None:
    door = guarded.door(kind, token_for(keys))
    assert held(door.ask("list_appointments", {})) == []
    for slot in (SECOND, FIRST):
        door.ask("book_appointment", {**slot, **CARLOS})
    answer = guarded.door(kind, token_for(keys)).ask("list_appointments", {})
    assert slots_of(answer) == [("2025-07-21", "09:00"), ("2025-07-23", "08:00")]
    first = held(answer)[0]
    assert set(first) == {
        *("appointment_id", "revision", "doctor", "specialty", "specialty_code", "date", "time", "duration_min")
    }
    assert (first["duration_min"], first["revision"], first["specialty"]) == (30, 0, "Cardiologia")
    assert first["specialty_code"] == "Cardiology"
    assert "Carlos" not in json.dumps(answer)
    assert CARLOS_CPF not in json.dumps(answer)


def test_a_moved_appointment_keeps_its_id_and_its_revision_grows(guarded: Guarded, keys: KeyFolder) -> None:
    door = guarded.door(TypedDoor, token_for(keys))
    booked = door.ask("book_appointment", {**FIRST, **CARLOS})
    assert isinstance(booked, dict)
    moved = door.ask(
        "reschedule_appointment",
        {
            "doctor": FIRST["doctor"],
            **{f"original_{name}": FIRST[name] for name in ("date", "time")},
            **{f"new_{name}": SECOND[name] for name in ("date", "time")},
            **CARLOS,
        },
    )
    assert isinstance(moved, dict)
    (listed,) = held(door.ask("list_appointments", {}))
    identity = booked["appointment"]["appointment_id"]
    assert (listed["appointment_id"], listed["revision"]) == (identity, 1)
    assert (moved["new_appointment"]["appointment_id"], moved["new_appointment"]["revision"]) == (identity, 1)
    cancelled = door.ask("cancel_appointment", {**SECOND, **CARLOS})
    assert isinstance(cancelled, dict)
    receipt = cancelled["cancelled_appointment"]
    assert (receipt["appointment_id"], receipt["revision"]) == (identity, 2)
    assert held(door.ask("list_appointments", {})) == []


def test_a_repeated_write_is_answered_with_the_id_of_then(guarded: Guarded, keys: KeyFolder) -> None:
    door = guarded.door(EnvelopeDoor, token_for(keys))
    arguments = {**FIRST, **CARLOS, "request_id": "8d6c1f3e-1b7a-4a39-9a52-0a3a4be1a111"}
    assert door.ask("book_appointment", arguments) == door.ask("book_appointment", arguments)


SPELLINGS = ("Carlos Teste", "CARLOS TESTE", "carlos  teste", "Carlos Testé", "Cárlos", "")
CPFS = (CARLOS_CPF, "12345678900", "１２３.456.789-00", "123 456 789 00")
NAMED = [{"patient_name": name, "cpf": cpf} for name, cpf in product(SPELLINGS, CPFS)]
MOVED = {
    **{f"original_{part}": FIRST[part] for part in ("date", "time")},
    "new_date": "2025-07-24",
    "new_time": "15:30",
}
ASKED: list[tuple[str, dict[str, Any]]] = [
    *(("list_appointments", {"include_past": past}) for past in (False, True)),
    *(("list_appointments", named) for named in ({}, {"cpf": CARLOS_CPF}, {"patient_name": "Carlos Teste"}, *NAMED)),
    *(("cancel_appointment", {**FIRST, **named}) for named in (JOANA, *NAMED)),
    *(("reschedule_appointment", {"doctor": FIRST["doctor"], **MOVED, **named}) for named in (JOANA, *NAMED)),
]
"""How a stranger may ask for what Carlos holds, or find out whether there is any."""


def strangers(keys: KeyFolder, others: KeyFolder) -> list[str | None]:
    """Return what may be sent as a token by who is not Carlos."""
    mine, joana = token_for(keys), token_for(keys, JOANA_CPF)
    (header, payload, _), signature = mine.split("."), joana.rpartition(".")[2]
    return [
        None,
        "nonsense",
        joana,
        token_for(keys, audience="clinic_c"),
        token_for(keys, now=0.0),
        mine[:-8] + "AAAAAAAA",
        f"{header}.{payload}.{signature}",
        token_for(others),
        resigned(others, mine, sub=payload_of(mine)["sub"]),
        raw_token({"alg": "none", "typ": "JWT"}, payload_of(mine), None),
        resigned(keys, mine, salt=None),
        resigned(keys, mine, sub=payload_of(mine)["sub"].upper()),
    ]


@pytest.mark.long(but=1)
@pytest.mark.parametrize("kind", DOORS)
def test_nobody_sees_another_persons_appointments_nor_whether_there_are_any(
    guarded: Guarded, keys: KeyFolder, kind: DoorKind, tmp_path: Path
) -> None:
    asked = [one for one in ASKED if kind is EnvelopeDoor or TypedDoor.has_room_for(*one)]
    attempts = list(product(strangers(keys, make_keys(tmp_path / "elsewhere")), asked))
    assert len(attempts) >= 200
    before = [guarded.door(kind, token).ask(*one) for token, one in attempts]
    guarded.door(kind, token_for(keys)).ask("book_appointment", {**FIRST, **CARLOS})
    held_by_carlos = guarded.database("clinic_a")
    for (token, one), answer in zip(attempts, before, strict=True):
        assert guarded.door(kind, token).ask(*one) == answer
        assert isinstance(answer, Refusal) or answer["appointments"] == []
    assert guarded.database("clinic_a") == held_by_carlos


def test_an_operator_sees_only_what_the_tokens_person_holds(guarded: Guarded, keys: KeyFolder) -> None:
    guarded.door(TypedDoor, token_for(keys)).ask("book_appointment", {**FIRST, **CARLOS})
    operator = guarded.door(TypedDoor, token_for(keys, JOANA_CPF, "operator"))
    assert held(operator.ask("list_appointments", {})) == []


def test_what_is_over_is_listed_where_it_is_asked_for_and_what_goes_on_is_not_over(
    tmp_path: Path, keys: KeyFolder
) -> None:
    silo = tmp_path / "silo"
    with serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW, NodePolicies(keys.public)) as clinic:
        door = opened(clinic.address, keys)
        for slot in (FIRST, SECOND):
            door.ask("book_appointment", {**slot, **CARLOS})
        before = held(door.ask("list_appointments", {}))
    for minute, ahead in (("09:29", 2), ("09:30", 1)):
        with serve(
            "clinic_a", "127.0.0.1:0", silo, "blueprint", f"2025-07-21T{minute}-03:00", NodePolicies(keys.public)
        ) as one:
            door = opened(one.address, keys)
            assert len(held(door.ask("list_appointments", {}))) == ahead
            assert held(door.ask("list_appointments", {"include_past": True})) == before


def opened(address: str, keys: KeyFolder) -> TypedDoor:
    metadata = (*TRACE, ("authorization", f"Bearer {token_for(keys)}"))
    return TypedDoor(grpc.insecure_channel(address, (("grpc.use_local_subchannel_pool", 1),)), metadata)


def test_appointments_of_an_earlier_release_gain_ids_that_stay_and_their_slots_stay_as_they_are(
    tmp_path: Path, keys: KeyFolder
) -> None:
    silo = tmp_path / "silo"
    silo.mkdir()
    taken = {**FIRST, "specialty": "Cardiologia", "available": False, **CARLOS}
    (silo / "db.json").write_text(json.dumps({"slots": [taken]}), "utf-8")
    ids = set()
    for _ in range(2):
        with serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW, NodePolicies(keys.public)) as clinic:
            (one,) = held(opened(clinic.address, keys).ask("list_appointments", {}))
            ids.add(one["appointment_id"])
    assert len(ids - {""}) == 1
    assert json.loads((silo / "db.json").read_text("utf-8"))["slots"][0] == taken


def test_a_clinic_that_asks_for_no_token_does_not_know_whose_appointments_are_meant(tmp_path: Path) -> None:
    with serve("clinic_a", "127.0.0.1:0", tmp_path / "silo", "blueprint", NOW) as clinic:
        answer = TypedDoor(grpc.insecure_channel(clinic.address)).ask("list_appointments", {})
    assert isinstance(answer, Refusal)
    assert answer.reason == "UNAUTHENTICATED"


def held_by(snapshot: Snapshot, claims: Claims) -> tuple[int, ...]:
    return held_in(snapshot)(claims.subject, claims.salt)


def test_who_held_nothing_is_found_once_they_book_and_no_agenda_of_before_is_kept() -> None:
    before = Snapshot([Slot(FIRST["doctor"], "Cardiologia", FIRST["date"], FIRST["time"])])
    claims = claims_for(CARLOS_CPF, issuer="orchestrator", audience="clinic_a", now=0, ttl_s=60)
    stranger = claims_for(JOANA_CPF, issuer="orchestrator", audience="clinic_a", now=0, ttl_s=60)
    references = sys.getrefcount(before)
    assert held_by(before, claims) == held_by(before, stranger) == ()
    after = before.changed(Change({0: replace(before.slots[0], available=False, patient_name="C", cpf=CARLOS_CPF)}))
    assert held_by(after, claims) == (0,)
    assert held_by(after, claims_for(JOANA_CPF, issuer="orchestrator", audience="b", now=0, ttl_s=60)) == ()
    assert sys.getrefcount(before) == references
