"""What the clinics returned in one turn, read once from their typed answers; a reply may say nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.identity import Identity
from orchestrator.turn.routing import NOT_ATTEMPTED, StepResult
from orchestrator.turn.step_actions import Appointment, ListOpenings

_OWN_WORDS = frozenset({"patient", "query"})
"""Fields of an answer that hold a patient's record, or repeat what the speaker wrote."""

_MOMENT = ("date", "time")
_IDENTIFYING = frozenset({"patient_name", "cpf", "birth_date", "address", "phone", "email"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the clinics returned in one turn."""

    listed: frozenset[Appointment] = field(default=frozenset(), repr=False)  # openings of list results
    # every doctor at a moment that the answers name: openings, alternatives, appointments
    placed: frozenset[Appointment] = field(default=frozenset(), repr=False)
    unanswered: bool = False  # only openings were asked for, and no clinic answered
    asked: frozenset[str] = frozenset()  # ids of the clinics that were asked
    answered: frozenset[str] = frozenset()  # ids of the clinics that answered with a result
    records: tuple[pb.Patient, ...] = field(default=(), repr=False)  # full records of patients
    # people whom the answers name outside of those records
    people: tuple[Identity, ...] = field(default=(), repr=False)
    # how many patients the lists and searches of each clinic hold
    patients_of: Mapping[str, int] = field(default_factory=dict)
    patient_ids: frozenset[str] = frozenset()  # ids of patient lists and searches
    notes: tuple[str, ...] = field(default=(), repr=False)  # what the answers say to the reader
    # the distinct texts of the answers outside of records, but for moments and the words of a search
    texts: frozenset[str] = field(default=frozenset(), repr=False)
    # the distinct texts of all answers and errors, but for moments
    prose: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def strings(self) -> frozenset[str]:
        """The distinct texts of all answers and errors, moments as the contract writes them."""
        days = {one.date.isoformat() for one in self.placed}
        return self.prose.union(days, (f"{one.time:%H:%M}" for one in self.placed))

    @classmethod
    def of(cls, results: Sequence[StepResult]) -> Evidence:
        """Return the evidence of a turn's results."""
        reader = _Reader()
        for result in results:
            reader.read(result)
        return cls(
            listed=frozenset(reader.listed),
            placed=frozenset(reader.listed).union(reader.placed),
            unanswered=bool(results)
            and all(result.response is None and isinstance(result.step.call, ListOpenings) for result in results),
            asked=frozenset(result.step.clinic for result in results),
            answered=frozenset(result.step.clinic for result in results if result.response is not None),
            records=tuple(reader.records),
            people=tuple(reader.people),
            patients_of=reader.patients_of,
            patient_ids=frozenset(reader.patient_ids),
            notes=tuple(reader.notes),
            texts=frozenset(reader.texts),
            prose=frozenset(reader.prose | reader.texts),
        )


class _Reader:
    """The contents of some results, collected."""

    def __init__(self) -> None:
        self.listed: list[Appointment] = []
        self.placed: list[Appointment] = []
        self.records: list[pb.Patient] = []
        self.people: list[Identity] = []
        self.patients_of: Counter[str] = Counter()
        self.patient_ids: set[str] = set()
        self.notes: list[str] = []
        self.texts: set[str] = set()
        self.prose: set[str] = set()

    def read(self, result: StepResult) -> None:
        clinic, response = result.step.clinic, result.response
        self.prose.update((clinic, result.step.action))
        if response is None:
            error = result.error or NOT_ATTEMPTED
            self.prose.add(error.message)
            for detail in error.details:
                if isinstance(detail, Message):
                    self._collect(detail, clinic, self.placed, self.prose)
            return
        match response:
            case pb.ListPatientsResponse(patients=patients) | pb.QueryResponse(matches=patients):
                self.patients_of[clinic] += len(patients)
                self.patient_ids.update(patient.patient_id for patient in patients)
            case pb.GetPatientResponse() if response.HasField("patient"):
                self.records.append(response.patient)
                self._collect(response.patient, clinic, self.placed, self.prose)
        moments = self.listed if isinstance(response, pb.ListAvailableSlotsResponse) else self.placed
        self._collect(response, clinic, moments, self.texts, _OWN_WORDS)
        self.prose.add(_text(response, "query"))
        self.notes += (_text(response, "note"), _text(response, "message"))

    def _collect(
        self, message: Message, clinic: str, moments: list[Appointment], texts: set[str], skipped: Collection[str] = ()
    ) -> None:
        if message.DESCRIPTOR.file.package == "google.protobuf":
            texts.add(str(MessageToDict(message)))
            return
        fields = {field.name: value for field, value in message.ListFields() if value}
        slot = _appointment(fields, clinic)
        if slot is not None:
            moments.append(slot)
            skipped = _MOMENT
        if texts is self.texts and (fields.keys() & _IDENTIFYING or fields.keys() >= {"patient_id", "name"}):
            self.people.append(Identity(fields.get("patient_name", ""), fields.get("cpf", "")))
        for name, value in fields.items():
            for one in value if isinstance(value, MutableSequence) else (value,):
                if isinstance(one, str) and name not in skipped:
                    texts.add(one)
                elif isinstance(one, Message) and name not in skipped:
                    self._collect(one, clinic, moments, texts)


def _appointment(fields: Mapping[str, Any], clinic: str) -> Appointment | None:
    try:
        at = date.fromisoformat(fields["date"]), time.fromisoformat(fields["time"])
        return Appointment(clinic, fields["doctor"], *at, duration_min=fields.get("duration_min", 0))
    except (KeyError, ValueError):
        return None


def _text(message: Message, name: str) -> str:
    value = getattr(message, name, "")
    return value if isinstance(value, str) else ""
