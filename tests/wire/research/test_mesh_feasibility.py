"""Counts over real clinics: all at once, each on its own, and nothing of a patient but the counts."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from mesh.server import NodePolicies
from orchestrator.agents import router
from orchestrator.agents.mesh_directory import Channels, MeshDirectory
from orchestrator.agents.registry import Agent, Registry
from orchestrator.agents.router import MeshRouter
from orchestrator.journal.events import ClinicAnswered, Event, EventChannel, TurnFinished, TurnStarted
from orchestrator.journal.pipeline_log import PipelineLog
from orchestrator.research.graph.feasibility import Count, FeasibilityTable, count_patients
from orchestrator.security.token_keys import Credentials
from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.reply import TurnOutcome
from orchestrator.turn.routing import TurnScope
from tests.support.clinics import NOW, SPECIALTIES, Clinics, open_clinics
from tests.support.tokens import any_credentials, make_keys
from tests.wire.orchestrator.scripted import ScriptedClinic, open_clinic

CARLOS = Identity.of("Carlos Teste", "123.456.789-00")
TURN = "0d9f3c5e-8f0a-4f7e-9d43-2f1f7c0a6b12"
WAIT_S = 20.0
PATIENT_ID = re.compile(r"(CARD|DERM|ORTH)-")


@contextmanager
def counting(
    registry: Registry,
    events: EventChannel | None = None,
    credentials: Credentials | None = None,
    role: Role = Role.OPERATOR,
) -> Iterator[Callable[[str, Language], FeasibilityTable]]:
    dispatch = TurnScope(CARLOS, role, turn_id=TURN)
    with (
        Channels() as channels,
        MeshRouter(registry, channels, events or EventChannel(), credentials or any_credentials()) as router,
    ):
        yield partial(count_patients, router, registry, MeshDirectory(registry, channels), dispatch)


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clinics]:
    with open_clinics(tmp_path_factory.mktemp("silos")) as clinics:
        yield clinics


@pytest.mark.parametrize(
    ("language", "text", "patients", "total"),
    [
        (Language.PT, "adultos com hipertensão que faltam a consultas", {"Cardiology": 25}, 25),
        (Language.EN, "patients with atopic dermatitis over 40", {"Dermatology": 12}, 12),
        (Language.PT, "osteoporose ou hipertensão", {"Cardiology": 25, "Orthopedics": 11}, 36),
        # Five in one clinic and two in the other.
        (Language.PT, "fibrilação atrial", {"Cardiology": None}, None),
        # A sum far from small, of which one part is: with psoriasis asked for alone, it would tell the melanomas.
        (Language.PT, "psoríase ou melanoma", {"Dermatology": None}, None),
        (Language.PT, "hipertensão ou melanoma", {"Cardiology": 25, "Dermatology": None}, None),
    ],
)
def test_six_clinics_say_how_many_patients_each_specialty_has(
    six: Clinics, language: Language, text: str, patients: Mapping[str, int | None], total: int | None
) -> None:
    with counting(six.registry) as feasibility:
        table = feasibility(text, language)
    specialties = dict.fromkeys(SPECIALTIES.values())
    assert table.counts == tuple(Count(specialty, 2, 2, patients.get(specialty, 0)) for specialty in specialties)
    assert (table.total.patients, table.total.clinics, table.total.answered) == (total, 6, 6)


def test_a_clinic_that_is_down_costs_its_own_patients_only_and_is_no_zero(tmp_path: Path) -> None:
    with open_clinics(tmp_path, ["clinic_a", "clinic_c", "clinic_b"]) as clinics:
        clinics.stop("clinic_a")
        clinics.stop("clinic_b")
        with counting(clinics.registry) as feasibility:
            table = feasibility("hipertensos", Language.PT)
    assert table.counts == (Count("Cardiology", 2, 1, 13), Count("Dermatology", 1, 0, None))
    assert (table.total.patients, table.total.clinics, table.total.answered) == (13, 3, 1)


def test_what_a_clinic_lacks_is_not_told_by_the_difference_when_another_one_fails(tmp_path: Path) -> None:
    with open_clinics(tmp_path, ["clinic_a", "clinic_c"]) as clinics, counting(clinics.registry) as feasibility:
        whole = feasibility("doença arterial coronariana", Language.PT)
        clinics.stop("clinic_c")
        rest = feasibility("doença arterial coronariana", Language.PT)
    assert (whole.total.patients, rest.total.patients) == (None, 6)


def patients(*ids: str) -> pb.ListPatientsResponse:
    return pb.ListPatientsResponse(patients=[pb.PatientSummary(patient_id=id_, condition="Acne grau I") for id_ in ids])


@pytest.mark.long
def test_a_slow_clinic_is_not_waited_for_and_counts_as_one_that_did_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(router, "READ_TIMEOUT_S", 4.0)
    released = threading.Event()

    def slow(_request: pb.ListPatientsRequest, _caller: Caller) -> pb.ListPatientsResponse:
        assert released.wait(WAIT_S)
        return patients("DERM-F101", "DERM-F102", "DERM-F103")

    quick = ScriptedClinic(list_patients=lambda _request, _caller: patients("DERM-101", "DERM-102", "DERM-103"))
    with ExitStack() as parts:
        servers = {
            clinic: parts.enter_context(open_clinic(script))
            for clinic, script in {"clinic_b": quick, "clinic_f": ScriptedClinic(list_patients=slow)}.items()
        }
        parts.callback(released.set)
        registry = Registry({clinic: Agent(clinic, "Dermatology", at.address) for clinic, at in servers.items()})
        table = parts.enter_context(counting(registry))("acne", Language.PT)
    assert table.counts == (Count("Dermatology", 2, 1, 3),)


def test_all_clinics_are_asked_at_once() -> None:
    together = threading.Barrier(len(SPECIALTIES))

    def meet(_request: pb.ListPatientsRequest, _caller: Caller) -> pb.ListPatientsResponse:
        together.wait(WAIT_S)
        return patients("X-1", "X-2", "X-3")

    with ExitStack() as parts:
        registry = Registry(
            {
                clinic: Agent(
                    clinic, specialty, parts.enter_context(open_clinic(ScriptedClinic(list_patients=meet))).address
                )
                for clinic, specialty in SPECIALTIES.items()
            }
        )
        table = parts.enter_context(counting(registry))("acne", Language.PT)
    assert (table.total.answered, table.total.patients) == (6, 18)


@pytest.mark.parametrize(("role", "answered"), [(Role.OPERATOR, 1), (Role.PATIENT, 0)])
def test_counting_takes_a_token_that_may_list_patients(tmp_path: Path, role: Role, answered: int) -> None:
    keys = make_keys(tmp_path)
    with serve("clinic_a", "127.0.0.1:0", tmp_path / "silo", "blueprint", NOW, NodePolicies(keys.public)) as clinic:
        registry = Registry({"clinic_a": Agent("clinic_a", "Cardiology", clinic.address)})
        with counting(registry, credentials=Credentials(keys), role=role) as feasibility:
            table = feasibility("hipertensos", Language.PT)
    assert table.total.answered == answered
    assert table.total.patients == (12 if answered else None)


def test_events_log_and_table_hold_no_patient_and_no_count_that_is_withheld(
    six: Clinics, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    events: list[Event] = []
    channel = EventChannel([events.append, PipelineLog(tmp_path, CARLOS)])
    with counting(six.registry, channel) as feasibility:
        channel.publish(TurnStarted("a-session", TURN))
        table = feasibility("melanoma", Language.PT)
        channel.publish(TurnFinished(TurnOutcome.OK, "", 0.0))
    (log,) = tmp_path.iterdir()
    told = (repr(events), log.read_text("utf-8"), caplog.text, repr(table), repr(feasibility))
    assert not any(PATIENT_ID.search(text) for text in told)
    sizes = [event.items for event in events if isinstance(event, ClinicAnswered)]
    assert len(sizes) == 6
    assert all(size is not None and size >= 30 for size in sizes), "the clinics' sizes, not what was looked for"
