"""Turns that a model words, by the names that the files of sentences in tests/sentences call them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from orchestrator.turn.identity import Language
from orchestrator.turn.opening_filter import DateRange
from orchestrator.turn.plan import Topic
from orchestrator.turn.routing import StepStatus
from orchestrator.turn.wish import Wish, when_in
from tests.support.clinic_turns import (
    AFTERNOON,
    CPF,
    FERNANDO,
    FRIDAY_18,
    MARINA,
    NAME,
    ON_18_AT_10,
    ON_19_AT_14,
    ON_21_AT_9,
    ON_21_AT_10_30,
    OPERATOR,
    RICARDO,
    booked,
    cancelled,
    failed,
    matches,
    moved,
    moving,
    openings,
    parameters,
    patient,
    patients,
    plan_of,
    record,
    refused,
)
from tests.support.model_drafts import Turn

EN = Language.EN

_IN_A = openings("clinic_a", ON_21_AT_9, ON_21_AT_10_30)
_IN_C = openings("clinic_c", ON_18_AT_10, ON_19_AT_14)
_SILENT_A = failed("clinic_a", "list_available_slots")
_SILENT_C = failed("clinic_c", "list_available_slots")
_FORTNIGHT = (
    openings(
        "clinic_a",
        *((RICARDO, f"2025-07-{day}", at) for day, at in ((21, "09:00"), (21, "10:30"), (22, "14:00"), (25, "11:00"))),
    ),
    openings(
        "clinic_c",
        *((FERNANDO, f"2025-07-{day}", at) for day, at in ((18, "10:00"), (19, "14:00"), (24, "16:00"), (28, "10:00"))),
    ),
)
_MANY = openings(
    "clinic_b",
    *(
        (MARINA, f"2025-07-{day}", at)
        for day in (22, 24, 29, 31)
        for at in ("09:00", "10:00", "14:00", "15:30", "16:00")
    ),
)
_LISTED = patients("clinic_a", "CARD-001", "CARD-002"), patients("clinic_c", "CARD-C01")
_OF_SPEAKER = record(found=patient(name=NAME, cpf=CPF))
_MONDAY_28 = Wish(when_in(dates=(DateRange(date(2025, 7, 28), date(2025, 7, 28)),)))
_TAKEN = parameters(ON_18_AT_10)

BOTH = (_IN_A, _IN_C)
LIST_PT, LIST_EN = Turn.of(*BOTH), Turn.of(*BOTH, language=EN)

TURNS: Mapping[str, Turn] = {
    "LIST_PT": LIST_PT,
    "LIST_EN": LIST_EN,
    "FORTNIGHT_PT": Turn.of(*_FORTNIGHT),
    "FORTNIGHT_EN": Turn.of(*_FORTNIGHT, language=EN),
    "MANY_PT": Turn.of(_MANY, plan=plan_of((_MANY,), nearest=True)),
    "ONE_EN": Turn.of(openings("clinic_c", ON_18_AT_10), language=EN),
    "FILTERED_PT": Turn.of(*BOTH, plan=plan_of(BOTH, wish=FRIDAY_18), utterance="tem cardiologista na sexta, dia 18?"),
    "FILTERED_EN": Turn.of(
        *BOTH, plan=plan_of(BOTH, EN, AFTERNOON, nearest=True), utterance="afternoon cardiologist please"
    ),
    "NONE_FITS_PT": Turn.of(*BOTH, plan=plan_of(BOTH, wish=_MONDAY_28), utterance="quero na segunda, dia 28"),
    "NONE_FITS_EN": Turn.of(*BOTH, plan=plan_of(BOTH, EN, _MONDAY_28), utterance="quero na segunda, dia 28"),
    "CAUTION_PT": replace(
        LIST_PT, plan=replace(LIST_PT.plan, caution=Topic.POSSIBLE_EMERGENCY), utterance="estou com dor no peito"
    ),
    "A_SILENT_PT": Turn.of(_SILENT_A, _IN_C),
    "A_SILENT_EN": Turn.of(_SILENT_A, _IN_C, language=EN),
    "C_SILENT_PT": Turn.of(_IN_A, _SILENT_C),
    "C_SILENT_EN": Turn.of(_IN_A, _SILENT_C, language=EN),
    "DOWN_PT": Turn.of(_SILENT_A, _SILENT_C),
    "DOWN_EN": Turn.of(_SILENT_A, _SILENT_C, language=EN),
    "EMPTY_PT": Turn.of(openings("clinic_b")),
    "EMPTY_EN": Turn.of(openings("clinic_b"), language=EN),
    "BOOKED_PT": Turn.of(booked("clinic_c", ON_18_AT_10)),
    "BOOKED_EN": Turn.of(booked("clinic_c", ON_18_AT_10), language=EN),
    "MOVED_PT": Turn.of(moved("clinic_c", ON_18_AT_10, ON_19_AT_14)),
    "MOVED_EN": Turn.of(moved("clinic_c", ON_18_AT_10, ON_19_AT_14), language=EN),
    "CANCELLED_PT": Turn.of(cancelled("clinic_c", ON_18_AT_10)),
    "CANCELLED_EN": Turn.of(cancelled("clinic_c", ON_18_AT_10), language=EN),
    "TAKEN_PT": Turn.of(refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE", ON_19_AT_14, given=_TAKEN)),
    "TAKEN_EN": Turn.of(refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE", given=_TAKEN), language=EN),
    "NOT_FOUND_PT": Turn.of(refused("clinic_c", "cancel_appointment", "APPOINTMENT_NOT_FOUND", given=_TAKEN)),
    "UNKNOWN_BOOKING_PT": Turn.of(
        failed("clinic_c", "book_appointment", status=StepStatus.UNKNOWN, given=parameters(ON_18_AT_10))
    ),
    "UNKNOWN_MOVE_PT": Turn.of(
        failed("clinic_c", "reschedule_appointment", status=StepStatus.UNKNOWN, given=moving(ON_18_AT_10, ON_19_AT_14))
    ),
    "PATIENTS_PT": Turn.of(*_LISTED, session=OPERATOR),
    "PATIENTS_EN": Turn.of(*_LISTED, session=OPERATOR, language=EN),
    "MATCHES_PT": Turn.of(matches("clinic_a", "CARD-001"), matches("clinic_c", "CARD-C01"), session=OPERATOR),
    "NO_MATCH_PT": Turn.of(matches("clinic_a"), session=OPERATOR),
    "RECORD_PT": Turn.of(_OF_SPEAKER),
    "RECORD_EN": Turn.of(_OF_SPEAKER, language=EN),
}
