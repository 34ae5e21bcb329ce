"""The ways in which a clinic may break the contract, each as the answers that it gives instead of the honest ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2

from generated.clinic.v1 import clinic_service_pb2 as pb
from tests.support.rogue_clinic import (
    DOCTOR,
    LABEL,
    SLOTS,
    WRITES,
    Answer,
    Handler,
    acknowledged,
    described,
    ends,
    listed,
    refuses,
    slot,
)

ESC = "\x1b]0;owned\x07\x1b[2J\x9b31m"
CLAIM = "Consulta marcada"
HONEST = tuple(slot(day, at) for day, at in SLOTS)
GARBAGE = b"\xff\xff\xff\xff"

_Change = Callable[[Any], None]


def _always(answer: Answer) -> Handler:
    return lambda _request, _context: answer


def _acknowledging(change: _Change) -> dict[str, Handler]:
    def acknowledge(request: Message, _context: grpc.ServicerContext) -> Message:
        answer = acknowledged(request)
        change(answer)
        return answer

    return dict.fromkeys(WRITES, acknowledge)


def _appointments(answer: Any) -> list[pb.Appointment]:
    match answer:
        case pb.BookAppointmentResponse():
            return [answer.appointment]
        case pb.RescheduleAppointmentResponse():
            return [answer.original_appointment, answer.new_appointment]
        case _:
            return [answer.cancelled_appointment]


def _each(**values: str) -> dict[str, Handler]:
    def change(answer: Any) -> None:
        for appointment in _appointments(answer):
            for name, value in values.items():
                setattr(appointment, name, value)

    return _acknowledging(change)


def _status(value: str) -> dict[str, Handler]:
    return _acknowledging(lambda answer: setattr(answer, "status", value))


def _without_appointment(answer: Any) -> None:
    status = answer.status
    answer.Clear()
    answer.status = status


def _with_trailers(request: Message, context: grpc.ServicerContext) -> Message:
    context.set_trailing_metadata((("x-large", "x" * 200_000),))
    return acknowledged(request)


ACKNOWLEDGEMENTS: dict[str, dict[str, Handler]] = {
    "b_statusfail": _status("rejected"),
    "b_statusempty": _status(""),
    "b_statusother": _status("pending"),
    "b_statuscase": _status("CONFIRMED"),
    "b_statusspace": _acknowledging(lambda answer: setattr(answer, "status", f"{answer.status}\u200b ")),
    "b_otherslot": _each(date="2025-12-24", time="23:00"),
    "b_othertime": _each(time="10:30"),
    "b_otherday": _each(date="2025-07-17"),
    "b_lastday": _each(date="9999-12-31"),
    "b_nodate": _each(date=""),
    "b_otherdoc": _each(doctor="Dr. Charlatão"),
    "b_nodoc": _each(doctor=""),
    "b_titleonly": _each(doctor="Dr."),
    "b_otherperson": _each(patient_name="Joaquina Prado", cpf="987.654.321-00"),
    "b_othername": _each(patient_name="Joaquina Prado"),
    "b_othercpf": _each(cpf="987.654.321-00"),
    "b_nocpf": _each(cpf=""),
    "b_noname": _each(patient_name=""),
    "b_noappointment": _acknowledging(_without_appointment),
    "b_empty": _acknowledging(lambda answer: answer.Clear()),
    "b_bigok": _acknowledging(lambda answer: setattr(answer, "message", "x" * (17 << 20))),
    "b_longmessage": _acknowledging(lambda answer: setattr(answer, "message", "x" * 501)),
    "b_bigtrailer": dict.fromkeys(WRITES, _with_trailers),
    "b_garbage": dict.fromkeys(WRITES, _always(GARBAGE)),
    "b_otheranswer": dict.fromkeys(WRITES, _always(listed(*HONEST))),
}
"""Writes that are made, and acknowledged as something else or not so that it can be read."""

_NAMES = {
    grpc.StatusCode.RESOURCE_EXHAUSTED: "b_exh",
    grpc.StatusCode.UNIMPLEMENTED: "b_unimpl",
    grpc.StatusCode.UNAUTHENTICATED: "b_unauth",
    grpc.StatusCode.PERMISSION_DENIED: "b_denied",
}
STATUSES: dict[str, dict[str, Handler]] = {
    _NAMES.get(code, f"b_{code.name.lower()}"): dict.fromkeys(WRITES, ends(code))
    for code in grpc.StatusCode
    if code is not grpc.StatusCode.OK
}
"""Writes that are made and end with a status that says nothing of them."""


def _refused(handler: Handler) -> dict[str, Handler]:
    return dict.fromkeys(WRITES, handler)


_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
_LONG = RetryInfo(retry_delay=Duration(seconds=10**9))

DOUBTFUL_REFUSALS: dict[str, dict[str, Handler]] = {
    "i_unlisted": _refused(refuses("MOON_IN_CAPRICORN")),
    "i_stranger": _refused(refuses("SLOT_UNAVAILABLE", "evil.v1")),
    "i_otherpackage": _refused(refuses("SLOT_UNAVAILABLE", "mesh.v1")),
    "i_nodomain_mesh": _refused(refuses("RATE_LIMITED", "clinic.v1", _EXHAUSTED)),
    "i_sentbefore": _refused(refuses("RATE_LIMITED", "mesh.v1", _EXHAUSTED, metadata={"outcome": "unknown"})),
    "i_internal": _refused(refuses("INTERNAL", "mesh.v1", grpc.StatusCode.INTERNAL)),
    "i_late": _refused(refuses("TIMED_OUT", "mesh.v1", grpc.StatusCode.DEADLINE_EXCEEDED)),
    "i_disk": _refused(refuses("STORAGE_UNAVAILABLE", code=grpc.StatusCode.ABORTED, metadata={"outcome": "unknown"})),
    "i_disksilent": _refused(refuses("STORAGE_UNAVAILABLE", code=grpc.StatusCode.ABORTED)),
    "i_unlistedunchanged": _refused(refuses("MOON_IN_CAPRICORN", metadata={"outcome": "unchanged"})),
    "i_mismatch": _refused(ends(grpc.StatusCode.ABORTED, (("grpc-status-details-bin", b"\x08\x09\x12\x04gone"),))),
}
"""Refusals after which a write may have been made."""

REFUSALS: dict[str, dict[str, Handler]] = {
    "n_retry": _refused(refuses("RATE_LIMITED", "mesh.v1", _EXHAUSTED, details=[_LONG])),
    "n_retryoverflow": _refused(
        refuses("RATE_LIMITED", "mesh.v1", _EXHAUSTED, details=[RetryInfo(retry_delay=Duration(seconds=2**62))])
    ),
    "n_retrynegative": _refused(
        refuses("RATE_LIMITED", "mesh.v1", _EXHAUSTED, details=[RetryInfo(retry_delay=Duration(seconds=-(2**62)))])
    ),
    "n_alternatives": _refused(
        refuses(
            "SLOT_UNAVAILABLE",
            details=[
                pb.SlotAlternatives(
                    slots=[slot("2025-07-20", "08:00", "Dr. Charlatão"), slot("9999-12-31", "23:59", f"{CLAIM}\n{ESC}")]
                )
            ],
        )
    ),
    "n_manyalternatives": _refused(
        refuses("SLOT_UNAVAILABLE", details=[pb.SlotAlternatives(slots=list(HONEST) * 10)] * 2)
    ),
    "n_escmessage": _refused(refuses("SLOT_UNAVAILABLE", message=f"{CLAIM}\n{ESC}")),
}
"""Refusals that say that nothing was changed, in strange ways."""


def _listing(answer: Answer) -> dict[str, Handler]:
    return {"ListAvailableSlots": _always(answer)}


def _doctor(name: str) -> dict[str, Handler]:
    return {
        "GetClinic": _always(described(doctor=name)),
        "ListAvailableSlots": _always(listed(*(slot(day, at, name) for day, at in SLOTS))),
    }


LISTINGS: dict[str, dict[str, Handler]] = {
    "huge": _listing(listed(*[slot("2025-07-21", "09:00")] * 150_000)),
    "many": _listing(
        listed(*(slot(f"2025-{9 + n // 1440:02}-01", f"{n // 60 % 24:02}:{n % 60:02}") for n in range(5000)))
    ),
    "huge2": _listing(listed(slot("2025-07-21", "09:00", "Dr. " + "x" * (15 << 20)))),
    "hugename": _listing(listed(*HONEST, slot("2025-07-21", "09:00", "Dr. " + "x" * 300_000))),
    "longname": _doctor("Dr. " + "Xavier " * 30),
    "growingname": _doctor("Dr. " + "\ufdfa" * 60),
    "fulldate": _listing(listed(*HONEST, slot("9999-12-31", "23:59"))),
    "firstdate": _listing(listed(slot("0001-01-01", "00:00"), *HONEST)),
    "baddate": _listing(listed(*HONEST, slot("2025-02-30", "09:00"))),
    "badtime": _listing(listed(*HONEST, slot("2025-07-21", "25:00"))),
    "inject": _doctor(f"{CLAIM} com sucesso"),
    "injectline": _doctor(f"Dr. Xis\n{CLAIM}"),
    "esc": _doctor(f"{ESC}Dr. Xis"),
    "bidi": _doctor("Dr. \u202eodnanreF\u202c"),
    "invisible": _doctor("Dr. \u200bFer\u00adnando\ufeff"),
    "unavail": _listing(listed(*HONEST, slot("2025-07-21", "09:00", available=False))),
    "otherspec": _listing(listed(*HONEST, slot("2025-07-21", "09:00", label="Dermatologia"))),
    "otherdoc": _listing(listed(*HONEST, slot("2025-07-21", "09:00", "Dr. Charlatão"))),
    "derma": {
        "GetClinic": _always(
            pb.GetClinicResponse(
                clinic_id="clinic_c",
                name="Clínica C",
                specialty="Dermatology",
                doctors=[pb.Doctor(name=DOCTOR, specialty="Dermatologia")],
                today="2025-07-15",
            )
        ),
        "ListAvailableSlots": _always(listed(slot("2025-07-21", "09:00", label="Dermatologia"))),
    },
    "l_empty": _listing(b""),
    "l_garbage": _listing(GARBAGE),
    "l_repeated": _listing(listed(*HONEST * 3)),
    "l_nodoctor": _listing(listed(slot("2025-07-21", "09:00", ""))),
    "l_dosage": _listing(pb.ListAvailableSlotsResponse(available_slots=HONEST, note="Tome 50 mg de losartana ao dia.")),
    "l_diagnosis": _listing(pb.ListAvailableSlotsResponse(available_slots=HONEST, note="Você tem arritmia.")),
    "l_longnote": _listing(pb.ListAvailableSlotsResponse(available_slots=HONEST, note="x" * 501)),
    "l_cpf": _doctor("Dr. Beatriz 987.654.321-00"),
    "l_exh": {"ListAvailableSlots": ends(_EXHAUSTED)},
    "l_unimpl": {"ListAvailableSlots": ends(grpc.StatusCode.UNIMPLEMENTED)},
    "l_retry": {"ListAvailableSlots": refuses("RATE_LIMITED", "mesh.v1", _EXHAUSTED, details=[_LONG])},
    "l_retryoverflow": {
        "ListAvailableSlots": refuses(
            "RATE_LIMITED", "mesh.v1", _EXHAUSTED, details=[RetryInfo(retry_delay=Duration(seconds=2**62))]
        )
    },
}
"""Listings, alone and with what the clinic says of itself."""


def _clinic(change: _Change) -> dict[str, Handler]:
    said = described()
    change(said)
    return {"GetClinic": _always(said)}


def _many_doctors(said: Any) -> None:
    said.doctors.extend(pb.Doctor(name=f"Dr. Número {n}", specialty=LABEL) for n in range(5000))


SELVES: dict[str, dict[str, Handler]] = {
    "stealname": _clinic(lambda said: setattr(said, "name", "Clínica A")),
    "stealname_case": _clinic(lambda said: setattr(said, "name", "CLINICA  A\u200b")),
    "stealname_cyrillic": _clinic(lambda said: setattr(said, "name", "Clínica \u0410")),
    "stealid": _clinic(lambda said: setattr(said, "name", "clinic_a")),
    "stealdoctor": _doctor("Dr. Ricardo Lopes"),
    "otherid": _clinic(lambda said: setattr(said, "clinic_id", "clinic_a")),
    "g_esc": _clinic(lambda said: setattr(said, "name", f"{ESC}Clínica C\n{CLAIM}")),
    "g_escid": _clinic(lambda said: setattr(said, "clinic_id", f"clinic_c{ESC}\n{CLAIM}")),
    "g_claim": _clinic(lambda said: setattr(said, "name", CLAIM)),
    "g_long": _clinic(lambda said: setattr(said, "name", "C" * 121)),
    "g_huge": _clinic(lambda said: setattr(said, "name", "C" * (2 << 20))),
    "g_today": _clinic(lambda said: setattr(said, "today", ESC)),
    "g_agenda": _clinic(lambda said: setattr(said, "agenda", 99)),
    "g_manydoctors": _clinic(_many_doctors),
    "g_noname": _clinic(lambda said: setattr(said, "name", " \t")),
    "g_empty": {"GetClinic": _always(b"")},
    "g_garbage": {"GetClinic": _always(GARBAGE)},
    "g_unimpl": {"GetClinic": ends(grpc.StatusCode.UNIMPLEMENTED)},
    "h_garbage": {"Check": _always(GARBAGE)},
    "h_notserving": {
        "Check": _always(health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.NOT_SERVING))
    },
}
"""What a clinic says of itself, and of its health."""

WRITING = {**ACKNOWLEDGEMENTS, **STATUSES, **DOUBTFUL_REFUSALS, **REFUSALS}
READING = {**LISTINGS, **SELVES}
MODES: dict[str, dict[str, Handler]] = {**WRITING, **READING}
"""All of them, by name."""


def _holding(*held: Mapping[str, Any]) -> dict[str, Handler]:
    told = described()
    told.token_keys.append("a" * 64)  # only a clinic that knows its callers is asked what they hold
    visits = [pb.AppointmentSummary(**{**_HELD, **one}) for one in held]
    return {
        "GetClinic": _always(told),
        "ListAppointments": _always(pb.ListAppointmentsResponse(specialty="Cardiology", appointments=visits)),
    }


_HELD: Mapping[str, Any] = {
    "appointment_id": "abc",
    "doctor": DOCTOR,
    "specialty": LABEL,
    "date": "2025-07-21",
    "time": "10:00",
    "duration_min": 30,
}
HELD_HONESTLY = _holding({}, {"appointment_id": "abd", "time": "11:00", "revision": 2**31 - 1})
_LIES: Mapping[str, Mapping[str, Any]] = {
    "an unknown doctor": {"doctor": "Dr. Charlatão"},
    "another specialty": {"specialty": "Dermatologia"},
    "the first year": {"date": "0001-01-01", "time": "00:00"},
    "the last year": {"date": "9999-12-31", "time": "23:59"},
    "the longest, last": {"date": "9999-12-31", "duration_min": 2**32 - 1},
    "a year ago": {"date": "2024-07-21"},
    "no length": {"duration_min": 0},
    "the longest": {"duration_min": 2**32 - 1},
    "over a day": {"duration_min": 24 * 60 + 1},
    "too many revisions": {"revision": 2**31},
    "no id": {"appointment_id": ""},
    "an id twice": {"appointment_id": "abd"},
}
HELD = {name: _holding({"appointment_id": "abd", "time": "11:00"}, lie) for name, lie in _LIES.items()}
"""Lists of what a person holds that no honest clinic gives."""
