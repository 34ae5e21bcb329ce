"""Patients who try to act for others, hundreds of times through every door: nothing is shown and nothing is written."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clinics.profile import load_patients
from orchestrator.security.token_keys import KeyFolder
from tests.support.form import examples
from tests.support.tokens import CARLOS_CPF, resigned, token_for
from tests.wire.identity.conftest import DOORS, Guarded
from tests.wire.identity.test_tokens_at_the_doors import CALLS
from tests.wire.parity.doors import Refusal

ATTEMPTS = examples(480)
"""Attempts, over both doors and two clinics."""

PEOPLE = {clinic: load_patients(clinic).all for clinic in ("clinic_a", "clinic_b")}
DOCTORS = {"clinic_a": "Dr. Ricardo Lopes", "clinic_b": "Dra. Marina Teles"}


@dataclass(frozen=True, slots=True)
class Attempt:
    """A patient, and what they try."""

    cpf: str
    scope: str
    clinic: str
    tool: str
    arguments: Mapping[str, str]


def spellings(cpf: str) -> list[str]:
    digits = "".join(filter(str.isdigit, cpf))
    return [cpf, digits, f"{digits[:9]}-{digits[9:]}", f"{digits[:3]}.{digits[3:]}"]


def attempts(seed: int) -> Iterator[Attempt]:
    """Yield what patients of both clinics, and one of none, try about each other."""
    chance = random.Random(seed)
    everybody = [(patient.name, patient.cpf) for people in PEOPLE.values() for patient in people]
    everybody.append(("Carlos Teste", CARLOS_CPF))
    for number in range(ATTEMPTS):
        tool = [name for name in CALLS if name != "list_available_slots"][number % 6]
        clinic = chance.choice(sorted(PEOPLE))
        (_, cpf), (name, other) = chance.sample(everybody, 2)
        arguments = dict(CALLS[tool])
        match tool:
            case "get_patient":
                theirs = [patient for patient in PEOPLE[clinic] if patient.cpf != cpf]
                patient_id = chance.choice(theirs).patient_id
                arguments = {"patient_id": chance.choice([patient_id, patient_id.lower(), f" {patient_id} "])}
            case "query":
                arguments = {"query": chance.choice([chance.choice(PEOPLE[clinic]).condition, "a", name])}
            case "list_patients":
                pass
            case _:
                arguments |= {"patient_name": name, "cpf": chance.choice(spellings(other)), "doctor": DOCTORS[clinic]}
                if chance.random() < 0.3:
                    arguments["request_id"] = str(uuid.UUID(int=chance.getrandbits(128)))
        scope = chance.choice(["read write", "read write", "read", "write", ""])
        yield Attempt(cpf, scope, clinic, tool, arguments)


def test_hundreds_of_attempts_at_other_people_show_and_change_nothing(guarded: Guarded, keys: KeyFolder) -> None:
    staff = {clinic: token_for(keys, issuer="operator", audience=clinic) for clinic in PEOPLE}
    for clinic, people in PEOPLE.items():
        door = guarded.door(DOORS[0], staff[clinic], clinic)
        listed = door.ask("list_available_slots", {"doctor": DOCTORS[clinic]})
        assert not isinstance(listed, Refusal)
        slot = {name: listed["available_slots"][0][name] for name in ("doctor", "date", "time")}
        answer = door.ask("book_appointment", {**slot, "patient_name": people[0].name, "cpf": people[0].cpf})
        assert not isinstance(answer, Refusal), "there must be something to take away"
    before = {clinic: guarded.database(clinic) for clinic in PEOPLE}
    reasons: dict[str, set[str]] = {}
    for attempt in attempts(20250715):
        token = resigned(keys, token_for(keys, attempt.cpf, audience=attempt.clinic), scope=attempt.scope)
        for kind in DOORS:
            answer = guarded.door(kind, token, attempt.clinic).ask(attempt.tool, attempt.arguments)
            assert isinstance(answer, Refusal), attempt
            reasons.setdefault(attempt.tool, set()).add(answer.reason)
            said = json.dumps([answer.message, answer.metadata, answer.details], ensure_ascii=False)
            assert not any(patient.cpf in said or patient.name in said for patient in PEOPLE[attempt.clinic])
    assert {clinic: guarded.database(clinic) for clinic in PEOPLE} == before
    assert reasons["get_patient"] == {"PATIENT_NOT_FOUND", "PERMISSION_DENIED"}
    assert {name for name, seen in reasons.items() if seen == {"PERMISSION_DENIED"}} == set(reasons) - {"get_patient"}


def test_the_same_calls_succeed_for_the_person_themselves(guarded: Guarded, keys: KeyFolder) -> None:
    """Without this the attempts above might fail for another reason."""
    for kind in DOORS:
        for patient in PEOPLE["clinic_a"]:
            door = guarded.door(kind, token_for(keys, patient.cpf))
            assert not isinstance(door.ask("get_patient", {"patient_id": patient.patient_id}), Refusal)
            own = {"patient_name": patient.name, "cpf": patient.cpf}
            for tool in ("book_appointment", "reschedule_appointment"):
                assert not isinstance(door.ask(tool, {**CALLS[tool], **own}), Refusal)
            moved = {**CALLS["cancel_appointment"], **own, "time": "10:30"}
            assert not isinstance(door.ask("cancel_appointment", moved), Refusal)
