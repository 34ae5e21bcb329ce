"""Run the queries of a suite, read the log back, and score; the clinics are prepared and inspected around each query.

Slots are given back over the wire, which is faster than restarting six processes; files on disk are only read.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import Any

import grpc

from generated.clinic.v1 import clinic_service_pb2_grpc
from generated.clinic.v1.clinic_service_pb2 import BookAppointmentRequest, CancelAppointmentRequest
from mesh.channel import bearer
from mesh.errors import UsageError
from orchestrator.agents import Channels, Registry
from orchestrator.evaluation.figures import Evaluation, figures_of
from orchestrator.evaluation.judgement import Bookings, Observation, SeenTurn, judge
from orchestrator.evaluation.suite import Query, SlotName, Suite, SuiteError
from orchestrator.evaluation.turn_log import LoggedTurn, log_files, read_turns
from orchestrator.fleet import FleetError
from orchestrator.journal import EventChannel
from orchestrator.security import Credentials
from orchestrator.stages import TurnTaker
from orchestrator.turn import Appointment, Identity, Role, Session

SPEAKER = Identity.of("Carlos Exemplo Teste", "529.982.247-25")  # who speaks in every query

SOMEBODY_ELSE = Identity.of("Joana Outra Pessoa", "111.444.777-35")  # who holds the slots that a query says are taken

_TIMEOUT_S = 5.0


class OperatorCredentials(Credentials):
    """Tokens of the front desk for everybody: the verifier must judge a record that no clinic should have given."""

    def token(self, identity: Identity, role: Role, clinic: str) -> str:  # noqa: ARG002 - the same for every role
        """Return the token of an operator who serves this person."""
        return super().token(identity, Role.OPERATOR, clinic)


@dataclass(frozen=True, slots=True)
class EvaluationClinics:
    """The clinics that serve one evaluation."""

    registry: Registry
    channels: Channels
    silo: Callable[[str], Path]  # returns the folder of a clinic's db.json
    credentials: Credentials

    def prepare(self, *, held: Iterable[SlotName], taken: Iterable[SlotName]) -> None:
        """Give every slot back, then book `held` for the speaker and `taken` for another; FleetError or SuiteError."""
        self.hold(())
        slots = {SlotName.of(slot): slot for slot, _ in self.slots()}
        wanted = Bookings(own=frozenset(held), others=frozenset(taken))
        for holder, names in ((SPEAKER, wanted.own), (SOMEBODY_ELSE, wanted.others)):
            for name in names:
                if name not in slots:
                    raise SuiteError(f"{' '.join(name)}: there is no such slot")
                self._write(slots[name], holder, books=True)
        if self.bookings() != wanted:
            raise FleetError("evaluation", reason="the clinics' files do not show what the query begins with")

    def hold(self, appointments: Iterable[Appointment], holder: Identity = SPEAKER) -> None:
        """Give every slot back, then book these; raise as `prepare`."""
        for slot, held_by in tuple(self.slots()):
            if held_by is not None:
                self._write(slot, held_by, books=False)
        for slot in appointments:
            self._write(slot, holder, books=True)

    def bookings(self) -> Bookings:
        """Return the held slots, as they are on disk."""
        held = {SlotName.of(slot): holder for slot, holder in self.slots() if holder is not None}
        own = frozenset(name for name, holder in held.items() if holder == SPEAKER)
        return Bookings(own, frozenset(held) - own)

    def _write(self, slot: Appointment, holder: Identity, *, books: bool) -> None:
        name, channel = SlotName.of(slot), self.channels.to(self.registry[slot.clinic])
        stub = clinic_service_pb2_grpc.ClinicServiceStub(channel)
        facts = {"doctor": slot.doctor, "date": name.date, "time": name.time}
        facts |= {"patient_name": holder.name, "cpf": holder.cpf}
        token = self.credentials.token(holder, Role.OPERATOR, slot.clinic)
        try:
            if books:
                stub.BookAppointment(BookAppointmentRequest(**facts), timeout=_TIMEOUT_S, metadata=bearer(token))
            else:
                stub.CancelAppointment(CancelAppointmentRequest(**facts), timeout=_TIMEOUT_S, metadata=bearer(token))
        except grpc.RpcError as error:
            raise FleetError("evaluation", reason=f"{' '.join(name)}: {error.code().name}") from error

    def slots(self) -> Iterator[tuple[Appointment, Identity | None]]:
        """Yield every slot on disk with its holder; None for an open one."""
        for clinic in self.registry:
            path = self.silo(clinic) / "db.json"
            try:
                content: dict[str, Any] = json.loads(path.read_bytes())
            except (OSError, ValueError) as error:
                raise FleetError("evaluation", reason=f"{path}: cannot be read as JSON") from error
            for slot in content["slots"]:
                day, at = date.fromisoformat(slot["date"]), time.fromisoformat(slot["time"])
                holder = None if slot["cpf"] is None else Identity(slot["patient_name"], slot["cpf"])
                yield Appointment(clinic, slot["doctor"], day, at), holder


@dataclass(frozen=True, slots=True)
class Bench:
    """What an evaluation runs on."""

    ground: EvaluationClinics  # for this evaluation alone
    conversation: TurnTaker  # the pipeline over them, with consent given, logging to `log_dir`
    log_dir: Path  # the folder of the log; lines of other sessions are ignored
    events: EventChannel  # what the pipeline tells of its turns


def evaluate(suite: Suite, bench: Bench, runs: int, report: Callable[[Query], object]) -> Evaluation:
    """Return the figures of a suite; `report` is told each query. Raise FleetError, SuiteError or UsageError."""
    observations = list(run_suite(suite, bench, runs, report))
    turns = _by_session(observations, bench.log_dir)
    scores = [judge(seen, turns[seen.session_id], bench.ground.registry) for seen in observations]
    return figures_of(scores, [turn for lines in turns.values() for turn in lines])


def _by_session(observations: Sequence[Observation], log_dir: Path) -> Mapping[str, Sequence[LoggedTurn]]:
    lines: dict[str, list[LoggedTurn]] = {seen.session_id: [] for seen in observations}
    for turn in read_turns(log_files(log_dir)):
        if turn.session_id in lines:
            lines[turn.session_id].append(turn)
    for seen in observations:
        if len(lines[seen.session_id]) != len(seen.turns):
            raise UsageError(f"{log_dir}: turns of {seen.query.id} are missing; can the log be written?")
    return lines


def run_suite(suite: Suite, bench: Bench, runs: int, report: Callable[[Query], object]) -> Iterator[Observation]:
    """Yield an observation for every query of every run; raise as `evaluate`, the log aside."""
    for run in range(1, runs + 1):
        for query in suite.queries:
            report(query)
            bench.ground.prepare(held=query.held, taken=query.taken)
            yield _observe(query, run, bench)


def _observe(query: Query, run: int, bench: Bench) -> Observation:
    session = Session(SPEAKER, role=query.role)
    seen: list[SeenTurn] = []
    fault: str | None = None
    try:
        for turn in query.turns:
            reply, session = bench.conversation.turn(session, turn.say)
            seen.append(SeenTurn(reply.plain, frozenset(SlotName.of(offer.slot) for offer in session.offers)))
    except Exception as error:  # noqa: BLE001 - a stage that breaks down is a result of the evaluation, not its end
        fault = type(error).__name__
    return Observation(query, run, session.session_id, tuple(seen), bench.ground.bookings(), fault)
