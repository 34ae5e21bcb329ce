"""What the clinics returned in one turn, read once from their typed answers; a reply may say nothing else."""

from collections.abc import Collection, MutableSequence, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, time

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


@dataclass(slots=True)
class Evidence:
    """What the clinics returned in one turn; it changes no more once all of its results are read."""

    unanswered: bool = False  # only openings were asked for, and no clinic answered
    listed: set[Appointment] = field(default_factory=set, repr=False)  # openings of list results
    # every doctor at a moment that the answers name: openings, alternatives, appointments
    placed: set[Appointment] = field(default_factory=set, repr=False)
    records: list[pb.Patient] = field(default_factory=list, repr=False)  # full records of patients
    people: list[Identity] = field(default_factory=list, repr=False)  # whom the answers name outside of those
    lists_patients: bool = False  # a clinic answered a list or a search of patients, be it with none
    patient_ids: set[str] = field(default_factory=set)  # ids of patient lists and searches
    notes: list[str] = field(default_factory=list, repr=False)  # what the answers say to the reader
    # the distinct texts of the answers outside of records, but for moments and the words of a search
    texts: set[str] = field(default_factory=set, repr=False)
    prose: set[str] = field(default_factory=set, repr=False)  # the distinct texts of all answers and errors, no moments

    @classmethod
    def of(cls, results: Sequence[StepResult]) -> "Evidence":
        """Return the evidence of a turn's results."""
        silent = (result.response is None and isinstance(result.step.call, ListOpenings) for result in results)
        evidence = cls(unanswered=bool(results) and all(silent))
        for result in results:
            evidence.read(result)
        evidence.placed = evidence.listed | evidence.placed
        evidence.prose |= evidence.texts
        return evidence

    def read(self, result: StepResult) -> None:
        """Add what one result holds."""
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
                self.lists_patients = True
                self.patient_ids.update(patient.patient_id for patient in patients)
            case pb.GetPatientResponse() if response.HasField("patient"):
                self.records.append(response.patient)
                self._collect(response.patient, clinic, self.placed, self.prose)
        moments = self.listed if isinstance(response, pb.ListAvailableSlotsResponse) else self.placed
        self._collect(response, clinic, moments, self.texts, _OWN_WORDS)
        self.prose.add(_text(response, "query"))
        self.notes += (_text(response, "note"), _text(response, "message"))

    def _collect(
        self, message: Message, clinic: str, moments: set[Appointment], texts: set[str], skipped: Collection[str] = ()
    ) -> None:
        if message.DESCRIPTOR.file.package == "google.protobuf":
            texts.add(str(MessageToDict(message)))
            return
        fields = {field.name: value for field, value in message.ListFields() if value}
        with suppress(KeyError, ValueError):  # it is no slot
            at = date.fromisoformat(fields["date"]), time.fromisoformat(fields["time"])
            moments.add(Appointment(clinic, fields["doctor"], *at, duration_min=fields.get("duration_min", 0)))
            skipped = _MOMENT
        if texts is self.texts and (fields.keys() & _IDENTIFYING or fields.keys() >= {"patient_id", "name"}):
            self.people.append(Identity(fields.get("patient_name", ""), fields.get("cpf", "")))
        for name, value in fields.items():
            for one in value if isinstance(value, MutableSequence) else (value,):
                if isinstance(one, str) and name not in skipped:
                    texts.add(one)
                elif isinstance(one, Message) and name not in skipped:
                    self._collect(one, clinic, moments, texts)


def _text(message: Message, name: str) -> str:
    value = getattr(message, name, "")
    return value if isinstance(value, str) else ""
