"""Six guarded clinics behind relays, and one hub that several people talk to in turn, set back after each storm."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.channel import bearer
from mesh.clock import clock_at
from orchestrator.agents import router
from orchestrator.agents.mesh_directory import Channels, MeshDirectory
from orchestrator.agents.registry import Agent, Registry
from orchestrator.composition import ConversationOptions, open_conversation
from orchestrator.composition.connection import Connection
from orchestrator.journal.events import Event, EventChannel
from orchestrator.journal.pipeline_log import PipelineLog
from orchestrator.llm.language_model import ModelConfiguration
from orchestrator.security.token_keys import Credentials, KeyFolder
from orchestrator.stages import TurnTaker
from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.plan import Step
from orchestrator.turn.reply import Reply
from orchestrator.turn.session import Offer, Session
from tests.support.clinics import NOW, SPECIALTIES, Clinics, Guard, open_clinics
from tests.support.relay import Relay, open_relays
from tests.support.tokens import make_keys

PEOPLE = (
    (Identity.of("Zulmira Quaresma Peçanha", "529.982.247-25"), Language.PT),
    (Identity.of("Wolfgang Itaqui Vasques", "935.411.347-80"), Language.EN),
    (Identity.of("Iracema Xisto Bandeira", "111.444.777-35"), Language.PT),
)
YES = {Language.PT: "sim", Language.EN: "yes"}

_STAFF = Identity.of("Quem Arruma Tudo", "123.456.789-09")

_DEADLINE_S = 20.0


@dataclass
class SkewedClock:
    """The real time, off by some seconds."""

    offset_s: float = 0.0

    def __call__(self) -> float:
        return time.time() + self.offset_s


@dataclass
class Person:
    """Who talks, and what they were told.

    Attributes:
        identity: Name and CPF.
        language: What they speak.
        session: Of the conversation under way.
        consented: What this person has said yes to, by request_id.
        abandoned: The request_ids of writes of unknown outcome that nobody asks after any more.
        told: Those of them of which the person knows that.
        offered: The openings of the last turn.
    """

    identity: Identity
    language: Language
    session: Session = field(init=False)
    consented: dict[str, Step] = field(default_factory=dict)
    abandoned: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    offered: tuple[Offer, ...] = ()

    @property
    def in_doubt(self) -> frozenset[str]:
        """The request_ids of writes of which it can still be found out what came of them."""
        return self.session.proposal.in_doubt if self.session.proposal is not None else frozenset()

    def __post_init__(self) -> None:
        self.session = Session(self.identity, language=self.language)


@dataclass
class Stage:
    """Where storms are played; made by `open_stage`.

    Attributes:
        clinics: They run behind the relays.
        relays: What stands before each clinic.
        keys: Of the whole mesh.
        other_keys: Of another one.
        clock: By which the hub dates its tokens.
        events: What was published since the storm began.
        log: Where the hub logs.
    """

    clinics: Clinics
    relays: Mapping[str, Relay]
    keys: KeyFolder
    other_keys: KeyFolder
    clock: SkewedClock
    events: list[Event]
    log: Path
    _conversation: TurnTaker
    _listener: list[PipelineLog]
    _staff: Credentials
    _stopped: set[str] = field(default_factory=set)
    _estranged: set[str] = field(default_factory=set)

    def say(self, person: Person, utterance: str) -> Reply:
        """Let somebody take a turn."""
        self._listener[:] = [PipelineLog(self.log, person.identity)]
        before, in_doubt = person.session.proposal, person.in_doubt
        agrees = utterance in YES.values()
        if agrees and before is not None:
            person.consented |= {str(step.request_id): step for step in before.plan.steps}
        reply, person.session = self._conversation.turn(person.session, utterance)
        if not agrees:
            person.abandoned |= in_doubt - person.in_doubt
        return reply

    def stop(self, clinic: str) -> None:
        """Stop a clinic, until it is restarted."""
        if clinic not in self._stopped:
            self.clinics.stop(clinic)
            self._stopped.add(clinic)

    def restart(self, clinic: str, guard: Guard | None = None) -> None:
        """Start a clinic anew, guarded as the others or otherwise."""
        self.stop(clinic)
        self.clinics.restart(clinic, guard)
        self.relays[clinic].reconnect()
        self._stopped.discard(clinic)
        self._estranged.discard(clinic)
        if guard is not None:
            self._estranged.add(clinic)

    def heal(self) -> None:
        """Let every clinic run, with its own keys, and be reached; let the clocks agree."""
        for clinic in sorted(self._stopped | self._estranged):
            self.restart(clinic)
        for relay in self.relays.values():
            relay.heal()
        self.clock.offset_s = 0.0

    def set_back(self) -> None:
        """Give every slot back and forget the storm."""
        self.heal()
        slots = [(clinic, slot) for clinic in self.relays for slot in self.clinics.slots(clinic)]
        for clinic, slot in slots:
            if slot["available"]:
                continue
            names = ("doctor", "date", "time", "patient_name", "cpf")
            request = pb.CancelAppointmentRequest(**{name: slot[name] for name in names})
            token = self._staff.token(_STAFF, Role.OPERATOR, clinic)
            with grpc.insecure_channel(self.clinics.registry[clinic].address) as channel:
                ClinicServiceStub(channel).CancelAppointment(request, timeout=_DEADLINE_S, metadata=bearer(token))
        for relay in self.relays.values():
            relay.wait_until_quiet()
            relay.acknowledged.clear()
            relay.sent.clear()
        self.events.clear()
        for file in self.log.glob("*.jsonl"):
            file.unlink()


@contextmanager
def open_stage(folder: Path, model: ModelConfiguration | None = None) -> Iterator[Stage]:
    """Yield a stage; its hub asks a language model where there is one."""
    ids = tuple(SPECIALTIES)
    keys = make_keys(folder / "own")
    events: list[Event] = []
    logs: list[PipelineLog] = []

    def hear(event: Event) -> None:
        events.append(event)
        for log in logs:
            log(event)

    with ExitStack() as parts:
        # A busy machine is no fault of a clinic's: what fails in a storm fails at once.
        parts.enter_context(pytest.MonkeyPatch.context()).setattr(router, "CONNECT_TIMEOUT_S", _DEADLINE_S)
        clinics = parts.enter_context(open_clinics(folder / "silos", ids, Guard(keys.public)))
        addresses = [clinics.registry[clinic].address for clinic in ids]
        relays = dict(zip(ids, parts.enter_context(open_relays(addresses)), strict=True))
        registry = Registry({clinic: Agent(clinic, SPECIALTIES[clinic], relays[clinic].address) for clinic in ids})
        clock, channel = SkewedClock(), EventChannel([hear])
        channels, calls = (parts.enter_context(Channels()) for _ in range(2))
        directory = MeshDirectory(registry, channels)
        connection = Connection(registry, channels, calls, directory, Credentials(keys, clock))
        conversation = parts.enter_context(
            open_conversation(connection, clock_at(NOW), channel, ConversationOptions(model=model))
        )
        directory.clinics()
        others = make_keys(folder / "elsewhere")
        staff = Credentials(keys)
        yield Stage(clinics, relays, keys, others, clock, events, folder / "logs", conversation, logs, staff)
