"""The JSON of a turn's answers as models read it (blueprint 2.3.3)."""

from __future__ import annotations

from typing import Any

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.errors import DomainError
from orchestrator.llm.exposure import Pseudonyms, exposed
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.routing import StepResult, StepStatus
from tests.support.clinic_turns import CLINICS, ON_18_AT_10, ON_19_AT_14, SESSION, done, failed, openings, refused


def entries(*results: StepResult) -> list[dict[str, Any]]:
    shown: Any = exposed(Answers("quero um cardiologista", results), Pseudonyms.of(SESSION, CLINICS))["clinic_data"]
    return list(shown)


def test_a_listing_has_the_blueprints_shape() -> None:
    answers = Answers("quero um cardiologista", (openings("clinic_c", ON_18_AT_10),))
    assert exposed(answers, Pseudonyms.of(SESSION, CLINICS)) == {
        "user_query": "quero um cardiologista",
        "clinic_data": [
            {
                "clinic": "clinic_c",
                "action": "list_available_slots",
                "result": {
                    "specialty": "Cardiology",
                    "available_slots": [
                        {
                            "doctor": "Dr. Fernando Mendes",
                            "specialty": "Cardiologia",
                            "date": "2025-07-18",
                            "time": "10:00",
                            "available": True,
                            "duration_min": 30,
                            "specialty_code": "",
                        }
                    ],
                    "note": "Para confirmar o agendamento, informe o horário desejado.",
                    "specialty_code": "",
                },
                "error": None,
            }
        ],
    }


def test_what_is_at_its_default_is_printed_all_the_same() -> None:
    response = pb.ListAvailableSlotsResponse(available_slots=[pb.Slot(doctor="Dr. A B")])
    (entry,) = entries(done("clinic_c", "list_available_slots", response))
    assert entry["result"]["note"] == ""
    assert entry["result"]["available_slots"][0]["available"] is False
    (empty,) = entries(openings("clinic_c"))
    assert empty["result"]["available_slots"] == []


def test_an_error_has_the_code_of_its_reason_and_no_result() -> None:
    (entry,) = entries(failed("clinic_c", "list_available_slots"))
    assert entry["result"] is None
    assert entry["error"] == {"code": -32000, "message": "no connection to the clinic"}


def test_typed_details_of_a_refusal_travel_along() -> None:
    (entry,) = entries(refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE", ON_19_AT_14))
    assert entry["error"]["code"] == 1001
    (detail,) = entry["error"]["data"]["details"]
    assert detail["slots"][0]["time"] == "14:00"


def test_a_step_that_was_not_attempted_is_an_error_too() -> None:
    (entry,) = entries(failed("clinic_c", "book_appointment", None, StepStatus.SKIPPED))
    assert entry["result"] is None
    assert entry["error"]["code"] == -32000


def test_a_reason_of_a_later_contract_is_a_fault_of_the_clinic() -> None:
    (entry,) = entries(failed("clinic_c", "book_appointment", DomainError("NO_SUCH_REASON", "for a test")))
    assert entry["error"] == {"code": -32603, "message": "for a test"}
