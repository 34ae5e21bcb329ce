"""What the blueprint's flows must leave behind, in the blueprint's own terms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.support.clinics import Clinics
from tests.support.talk import CARLOS, Talk

Booking = tuple[str, str, str, str]
"""Clinic, doctor, date, time."""

FERNANDO_18: Booking = ("clinic_c", "Dr. Fernando Mendes", "2025-07-18", "10:00")
FERNANDO_19: Booking = ("clinic_c", "Dr. Fernando Mendes", "2025-07-19", "14:00")
RICARDO_21: Booking = ("clinic_a", "Dr. Ricardo Lopes", "2025-07-21", "09:00")
RICARDO_23: Booking = ("clinic_a", "Dr. Ricardo Lopes", "2025-07-23", "08:00")


def holds(clinics: Clinics, *bookings: Booking) -> bool:
    """Whether the disks of all six clinics hold exactly these bookings, all Carlos's."""
    return clinics.taken() == {(*booking, CARLOS.cpf) for booking in bookings}


def appointment(booking: Booking) -> dict[str, str]:
    """The JSON of an appointment of Carlos (blueprint 2.2)."""
    _, doctor, date, time = booking
    return {
        "doctor": doctor,
        "date": date,
        "time": time,
        "patient_name": CARLOS.name,
        "cpf": CARLOS.cpf,
        "specialty": "Cardiology",
    }


ADDED_TO_SLOTS = {"duration_min", "specialty_code"}
"""Fields that the blueprint's slots and appointments do not have."""


def listed_both_cardiology_clinics(talk: Talk, utterance: str) -> None:
    """Assert that one step went to each clinic of cardiology and that the verifier got both answers whole."""
    assert talk.steps == [("clinic_a", "list_available_slots", {}), ("clinic_c", "list_available_slots", {})]
    payload = talk.payload
    assert set(payload) == {"user_query", "clinic_data"}
    assert payload["user_query"] == utterance
    assert [(entry["clinic"], entry["action"], entry["error"]) for entry in payload["clinic_data"]] == [
        ("clinic_a", "list_available_slots", None),
        ("clinic_c", "list_available_slots", None),
    ]
    for entry in payload["clinic_data"]:
        assert entry["result"]["specialty"] == "Cardiology"
        assert entry["result"]["note"] == "Para confirmar o agendamento, informe o horário desejado."
        assert all(
            set(slot) == {"doctor", "specialty", "date", "time", "available", *ADDED_TO_SLOTS}
            and slot["available"] is True
            for slot in entry["result"]["available_slots"]
        )
    assert {RICARDO_21, RICARDO_23, FERNANDO_18, FERNANDO_19} <= set(_listed(payload["clinic_data"]))


def answered(talk: Talk, clinic: str, action: str, result: dict[str, Any]) -> None:
    """Assert that the last turn's only step got this result, as the verifier saw it; ids and lengths are added."""
    (entry,) = talk.payload["clinic_data"]
    told = {name: _as_in_the_blueprint(part) for name, part in entry.pop("result").items() if name != "specialty_code"}
    assert (entry, told) == ({"clinic": clinic, "action": action, "error": None}, result)


def _as_in_the_blueprint(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    assert part["appointment_id"]
    assert part["duration_min"] == 30
    return {name: value for name, value in part.items() if name not in {"appointment_id", "revision", *ADDED_TO_SLOTS}}


def _listed(clinic_data: Iterable[dict[str, Any]]) -> list[Booking]:
    return [
        (entry["clinic"], slot["doctor"], slot["date"], slot["time"])
        for entry in clinic_data
        for slot in entry["result"]["available_slots"]
    ]
