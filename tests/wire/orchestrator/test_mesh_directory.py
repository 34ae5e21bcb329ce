import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import grpc
import pytest
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1 import clinic_service_pb2_grpc as pb_grpc
from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.policies import Handler
from orchestrator.agents.mesh_directory import Channels, MeshDirectory
from orchestrator.agents.registry import Agent, LiveRegistry, Registry
from orchestrator.agents.router import MeshRouter
from orchestrator.journal.events import EventChannel
from orchestrator.turn.clinic import Clinic, Introduction, SpecialtyWords
from orchestrator.turn.routing import StepStatus, TurnScope
from tests.support.doors import stop
from tests.support.tokens import any_credentials
from tests.wire.orchestrator.scripted import (
    CARLOS,
    TURN,
    WAIT_S,
    ScriptedClinic,
    listing,
    nobody_listening,
    open_clinic,
    registry_of,
)

LONG_S = 3600.0
NOTHING = pb.ClinicDetails(), pb.BookingPolicy(), False
CALLED = SpecialtyWords("Cardiologia")
ANA = Clinic("clinic_a", "Clínica A", "Cardiology", ("Dra. Ana Reis", "Dr. Beto Luz"), *NOTHING, CALLED)
SILENT = Clinic("clinic_a", "clinic_a", "Cardiology")


def described(clinic_id: str = "clinic_a") -> pb.GetClinicResponse:
    doctors = [pb.Doctor(name=name, specialty="Cardiologia") for name in ("Dra. Ana Reis", "Dr. Beto Luz")]
    return pb.GetClinicResponse(
        clinic_id=clinic_id,
        name=f"Clínica {clinic_id[-1].upper()}",
        specialty="Cardiology",
        doctors=doctors,
        today="2025-07-15",
    )


class Describing:
    """Says who the clinic is, counts how often it was asked, and fails the first few times."""

    def __init__(self, clinic_id: str = "clinic_a", failing: int = 0) -> None:
        self.asked = 0
        self._clinic_id = clinic_id
        self._failing = failing

    def __call__(self, _request: pb.GetClinicRequest, _caller: Caller) -> Message:
        self.asked += 1
        if self.asked <= self._failing:
            raise DomainError("INTERNAL", "not yet")
        return described(self._clinic_id)


@contextmanager
def open_directory(
    handlers: Mapping[str, Handler],
    down: tuple[str, ...] = (),
    ask_again_after_s: float = LONG_S,
    met: Mapping[str, Introduction] = MappingProxyType({}),
) -> Iterator[MeshDirectory]:
    with ExitStack() as parts:
        addresses = {clinic: parts.enter_context(nobody_listening()) for clinic in down}
        for clinic, handler in handlers.items():
            addresses[clinic] = parts.enter_context(open_clinic(ScriptedClinic(get_clinic=handler))).address
        channels = parts.enter_context(Channels())
        yield MeshDirectory(registry_of(addresses), channels, met, ask_again_after_s=ask_again_after_s)


def test_a_clinic_is_known_as_it_describes_itself_and_asked_once() -> None:
    clinic = Describing()
    with open_directory({"clinic_a": clinic}) as directory:
        assert directory.clinics() == directory.clinics() == (ANA,)
    assert clinic.asked == 1


def test_a_clinic_that_has_just_said_who_it_is_is_not_asked_again() -> None:
    first, second = Describing("clinic_a"), Describing("clinic_b")
    met = {"clinic_a": Introduction(ANA.name, dict.fromkeys(ANA.doctors, "Cardiologia"), words=CALLED)}
    with open_directory({"clinic_a": first, "clinic_b": second}, met=met) as directory:
        assert directory.clinics()[0] == ANA
    assert (first.asked, second.asked) == (0, 1)


def test_all_clinics_are_asked_at_the_same_time() -> None:
    ids = ("clinic_a", "clinic_b", "clinic_c")
    everybody = threading.Barrier(len(ids))

    def together(clinic_id: str, _request: pb.GetClinicRequest, caller: Caller) -> Message:
        everybody.wait(caller.remaining_s)
        return described(clinic_id)

    with open_directory({clinic_id: partial(together, clinic_id) for clinic_id in ids}) as directory:
        assert all(clinic.doctors for clinic in directory.clinics())


def test_a_clinic_that_is_down_keeps_its_place_without_doctors() -> None:
    with open_directory({"clinic_a": Describing()}, down=("clinic_0", "clinic_1")) as directory:
        assert [(clinic.id, clinic.name, clinic.doctors) for clinic in directory.clinics()] == [
            ("clinic_0", "clinic_0", ()),
            ("clinic_1", "clinic_1", ()),
            (ANA.id, ANA.name, ANA.doctors),
        ]


def test_a_clinic_that_answers_under_another_id_is_not_believed(caplog: pytest.LogCaptureFixture) -> None:
    with open_directory({"clinic_a": Describing("clinic_b")}) as directory, caplog.at_level(logging.ERROR):
        assert directory.clinics() == (SILENT,)
    assert "clinic_a is registered at" in caplog.text
    assert "clinic_b answers there" in caplog.text


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("Clínica A", ["Clínica A (clinic_a)", "Clínica A (clinic_b)"]),
        ("CLINICA\u200b  A\n", ["Clínica A (clinic_a)", "CLINICA A (clinic_b)"]),
        ("Clínica \u0410", ["Clínica A", "Clínica \u0410 (clinic_b)"]),
        ("clinic_a", ["Clínica A", "clinic_a (clinic_b)"]),
        ("Clínica B", ["Clínica A", "Clínica B"]),
        ("", ["Clínica A", "clinic_b"]),
        ("x" * 121, ["Clínica A", "clinic_b"]),
    ],
)
def test_clinics_whose_names_may_be_confused_are_shown_with_their_ids(stated: str, shown: list[str]) -> None:
    said = described("clinic_b")
    said.name = stated
    with open_directory({"clinic_a": Describing(), "clinic_b": lambda _request, _caller: said}) as directory:
        assert [clinic.name for clinic in directory.clinics()] == shown


def test_a_name_of_the_registry_stands_whatever_another_clinic_calls_itself() -> None:
    with Channels() as channels, open_clinic(ScriptedClinic(get_clinic=Describing())) as clinic:
        agents = {
            "clinic_a": Agent("clinic_a", "Cardiology", clinic.address),
            "clinic_0": Agent("clinic_0", "Cardiology", clinic.address, name="Clínica A"),
        }
        directory = MeshDirectory(Registry(agents), channels, ask_again_after_s=LONG_S)
        assert [one.name for one in directory.clinics()] == ["Clínica A (clinic_a)", "Clínica A"]


def test_doctors_of_a_specialty_that_the_registry_gives_to_others_are_not_offered() -> None:
    said = described()
    said.doctors.add(name="Dra. Eva Pele", specialty="Dermatologia")
    said.doctors.add(name="Dra. Iara Sono", specialty="Medicina do sono")
    other = described("clinic_b")
    other.specialty_words.portuguese = "Dermatologia"
    with ExitStack() as parts:
        agents: dict[str, Agent] = {}
        for answer, specialty in ((said, "Cardiology"), (other, "Dermatology")):
            clinic = parts.enter_context(open_clinic(ScriptedClinic(get_clinic=lambda *_, answer=answer: answer)))
            agents[answer.clinic_id] = Agent(answer.clinic_id, specialty, clinic.address)
        directory = MeshDirectory(Registry(agents), parts.enter_context(Channels()), ask_again_after_s=LONG_S)
        assert directory.clinics()[0].doctors == (*ANA.doctors, "Dra. Iara Sono")


def test_a_clinic_that_lists_a_doctor_who_is_new_is_asked_once_more_who_it_is() -> None:
    slot = pb.Slot(doctor="Dra. Nova Lima", specialty="Cardiologia", date="2025-07-21", time="09:00", available=True)
    later = described()
    later.doctors.add(name=slot.doctor, specialty=slot.specialty)
    said = iter([described(), later])
    clinic = ScriptedClinic(
        get_clinic=lambda _request, _caller: next(said),
        list_available_slots=lambda _request, _caller: pb.ListAvailableSlotsResponse(available_slots=[slot]),
    )
    with open_clinic(clinic) as server, Channels() as channels:
        registry = registry_of({"clinic_a": server.address})
        directory = MeshDirectory(registry, channels, ask_again_after_s=0)
        assert len(directory.clinics()[0].doctors) == 2
        with MeshRouter(registry, channels, EventChannel(), any_credentials(), directory) as router:
            (result,) = router.dispatch([listing()], TurnScope(CARLOS, turn_id=TURN))
        assert (result.status, result.entries, result.dropped) == (StepStatus.DONE, 1, 0)
        assert len(directory.clinics()[0].doctors) == 3


def test_a_clinic_that_did_not_answer_is_left_alone_for_a_while() -> None:
    clinic = Describing(failing=1)
    with open_directory({"clinic_a": clinic}) as directory:
        assert directory.clinics() == directory.clinics() == (SILENT,)
    assert clinic.asked == 1


def test_a_clinic_that_did_not_answer_is_asked_again_later_and_the_others_are_not() -> None:
    late, prompt = Describing(failing=1), Describing("clinic_b")
    with open_directory({"clinic_a": late, "clinic_b": prompt}, ask_again_after_s=0) as directory:
        assert directory.clinics()[0] == replace(SILENT, words=CALLED)
        assert directory.clinics()[0] == ANA
    assert (late.asked, prompt.asked) == (2, 1)


def test_a_clinic_that_comes_up_later_is_learnt() -> None:
    with Channels() as channels, open_clinic(ScriptedClinic()) as first:
        stop(first)
        registry = registry_of({"clinic_a": first.address})
        directory = MeshDirectory(registry, channels, ask_again_after_s=0)
        assert directory.clinics() == (SILENT,)
        with open_clinic(ScriptedClinic(get_clinic=Describing()), first.address):
            _reconnected(channels.to(registry["clinic_a"]))
            assert directory.clinics() == (ANA,)


def test_of_a_registry_that_is_reloaded_only_new_agents_and_those_that_moved_are_asked() -> None:
    stays, moves, moved, comes = (Describing(f"clinic_{letter}") for letter in "abbc")
    with ExitStack() as parts:
        channels = parts.enter_context(Channels())
        at = [
            parts.enter_context(open_clinic(ScriptedClinic(get_clinic=each))).address
            for each in (stays, moves, moved, comes)
        ]
        contents = [
            registry_of({"clinic_a": at[0], "clinic_b": at[2], "clinic_c": at[3]}),
            registry_of({"clinic_c": at[3]}),
        ]
        live = LiveRegistry(registry_of({"clinic_a": at[0], "clinic_b": at[1]}), lambda: contents.pop(0))
        directory = MeshDirectory(live, channels, ask_again_after_s=LONG_S)
        assert [clinic.name for clinic in directory.clinics()] == ["Clínica A", "Clínica B"]
        live.reload()
        assert [clinic.name for clinic in directory.clinics()] == ["Clínica A", "Clínica B", "Clínica C"]
        live.reload()
        assert [clinic.id for clinic in directory.clinics()] == ["clinic_c"]
    assert [each.asked for each in (stays, moves, moved, comes)] == [1, 1, 1, 1]


def _reconnected(channel: grpc.Channel) -> None:
    """Wait until a channel that backs off has found the server."""
    pb_grpc.ClinicServiceStub(channel).GetClinic(pb.GetClinicRequest(), timeout=WAIT_S, wait_for_ready=True)
