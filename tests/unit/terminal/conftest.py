"""A scene to run commands in, one session and two clinics of one specialty; and a terminal without a screen."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from orchestrator.agents.registry import Agent, LiveRegistry, Registry
from orchestrator.journal.events import EventChannel
from orchestrator.privacy import Redactor
from orchestrator.settings import HistoryKind
from orchestrator.terminal.secrecy import PromptHistory
from orchestrator.terminal.slash_commands import ClinicServices, ClinicView
from orchestrator.terminal.turn_trace import TurnTrace
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Offer, Receipt, ReceiptKind, Session
from orchestrator.turn.step_actions import Appointment
from tests.support.repository_clinics import WORDS
from tests.unit.terminal.room import OneClinic, Room, ScriptedConversation

CPF = "529.982.247-25"


@pytest.fixture
def identity() -> Identity:
    return Identity.of("Maria Souza", CPF)


@pytest.fixture
def session(identity: Identity) -> Session:
    offer = Offer(1, "clinic_c", "Dr. Fernando Mendes", "Cardiologia", date(2025, 7, 18), time(10, 0))
    booked = Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 18), time(10, 0))
    return Session(identity, offers=(offer,), receipts=(Receipt(ReceiptKind.CONFIRMED, booked),))


@pytest.fixture
def view(session: Session) -> ClinicView:
    clinics = {"clinic_a": "127.0.0.1:8001", "clinic_c": "127.0.0.1:8003"}
    registry = Registry({clinic: Agent(clinic, "Cardiology", address) for clinic, address in clinics.items()})
    services = ClinicServices(
        conversation=ScriptedConversation,
        events=EventChannel(),
        directory=OneClinic(lambda: None),
        registry=LiveRegistry(registry, lambda: registry),
        up=lambda: frozenset({"clinic_a"}),
        record=lambda *_: "",
        history=HistoryKind.COMMANDS,
        history_file=Path("/home/history"),
        log_dir=Path("/home/logs"),
        save_calendar=lambda *_: "",
    )
    return ClinicView(
        session,
        services,
        (
            Clinic("clinic_a", "Clínica A", "Cardiology", ("Dr. Ricardo Lopes",), words=WORDS["Cardiology"]),
            Clinic("clinic_c", "Clínica C", "Cardiology", ("Dr. Fernando Mendes",), words=WORDS["Cardiology"]),
        ),
        datetime(2025, 7, 15, 11, tzinfo=UTC),
        PromptHistory(Path("/home/history"), frozenset(), HistoryKind.COMMANDS, Redactor()),
        TurnTrace(),
    )


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as keys:
        yield keys


@pytest.fixture
def room(keys: PipeInput, tmp_path: Path) -> Room:
    return Room(keys, tmp_path)
