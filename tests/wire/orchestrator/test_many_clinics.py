"""A hub of two hundred clinics: bounded threads and memory, and an answer with what came within the deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from orchestrator.agents import mesh_directory, router
from orchestrator.agents.mesh_directory import MOST_AT_ONCE, Channels, MeshDirectory, serving
from orchestrator.turn.plan import Step
from orchestrator.turn.routing import StepStatus
from tests.wire.orchestrator.scripted import (
    WAIT_S,
    Routed,
    ScriptedClinic,
    listing,
    no_slots,
    open_clinic,
    open_router,
    registry_of,
    statuses,
)

CLINICS = 200
DEADLINE_S, SLACK_S = 4.0, 3.0
MOST_GROWTH_MIB = 150
"""For 200 channels and their servers, which are in this process too."""


class Mesh:
    """Many clinics in this process, some of which never answer.

    Attributes:
        addresses: Where they are, by id.
        listed: Clinics that were asked for their openings, in the order that they were.
    """

    def __init__(self, parts: ExitStack, silent: int) -> None:
        self.listed: list[str] = []
        self.over = threading.Event()
        parts.callback(self.over.set)
        self.addresses = {
            clinic: parts.enter_context(open_clinic(self._clinic(clinic, is_silent=number < silent))).address
            for number, clinic in enumerate(f"clinic_{number:03}" for number in range(CLINICS))
        }

    def _clinic(self, clinic: str, *, is_silent: bool) -> ScriptedClinic:
        def answer(response: Message) -> Message:
            if is_silent:
                self.over.wait(WAIT_S)
            return response

        def list_slots(request: Message, caller: Caller) -> Message:
            self.listed.append(clinic)
            return answer(no_slots(request, caller))

        said = pb.GetClinicResponse(
            clinic_id=clinic,
            name=clinic,
            specialty="Cardiology",
            doctors=[pb.Doctor(name="Dra. Ana", specialty="Cardiologia")],
            today="2025-07-15",
        )
        return ScriptedClinic(list_available_slots=list_slots, get_clinic=lambda *_: answer(said))

    @property
    def steps(self) -> list[Step]:
        """A turn that lists the openings of them all."""
        return [listing(number, clinic) for number, clinic in enumerate(self.addresses, 1)]


@contextmanager
def open_mesh(silent: int = 0) -> Iterator[tuple[Mesh, Routed]]:
    with ExitStack() as parts:
        mesh = Mesh(parts, silent)
        yield mesh, parts.enter_context(open_router(mesh.addresses))


def memory_mib() -> float:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096 / 2**20


def threads_of(name: str, *, but: Collection[threading.Thread] = ()) -> int:
    return sum(thread.name.startswith(name) and thread not in but for thread in threading.enumerate())


@pytest.fixture
def short_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a clinic has in earnest; tests are more patient otherwise."""
    monkeypatch.setattr(router, "READ_TIMEOUT_S", DEADLINE_S)
    monkeypatch.setattr(mesh_directory, "_TIMEOUT_S", DEADLINE_S)


@pytest.mark.long
def test_two_hundred_clinics_are_listed_by_a_bounded_number_of_threads_and_in_bounded_memory() -> None:
    before, of_other_tests = memory_mib(), threading.enumerate()
    with open_mesh() as (mesh, routed):
        for _ in range(3):
            assert statuses(routed.dispatch(*mesh.steps)) == [StepStatus.DONE] * CLINICS
            assert threads_of("router", but=of_other_tests) <= MOST_AT_ONCE
        assert sorted(mesh.listed) == sorted([*mesh.addresses] * 3)
        assert memory_mib() - before < MOST_GROWTH_MIB


@pytest.mark.long
@pytest.mark.usefixtures("short_deadline")
def test_silent_clinics_cost_no_more_time_than_one_and_the_others_answer() -> None:
    silent = MOST_AT_ONCE - 4
    with open_mesh(silent) as (mesh, routed):
        began = time.monotonic()
        results = routed.dispatch(*mesh.steps)
        assert time.monotonic() - began < DEADLINE_S + SLACK_S
    assert statuses(results) == [StepStatus.UNREACHED] * silent + [StepStatus.DONE] * (CLINICS - silent)


@pytest.mark.long
@pytest.mark.usefixtures("short_deadline")
def test_where_most_are_silent_the_others_are_asked_first_once_these_are_known() -> None:
    silent = 2 * MOST_AT_ONCE
    with open_mesh(silent) as (mesh, routed):
        # Each turn gets to know as many silent ones as there are threads.
        for _ in range(silent // MOST_AT_ONCE + 1):
            began = time.monotonic()
            results = routed.dispatch(*mesh.steps)
            assert time.monotonic() - began < DEADLINE_S + SLACK_S
    assert statuses(results) == [StepStatus.UNREACHED] * silent + [StepStatus.DONE] * (CLINICS - silent)


@pytest.mark.long
@pytest.mark.usefixtures("short_deadline")
@pytest.mark.parametrize("silent", [MOST_AT_ONCE // 2, 2 * MOST_AT_ONCE])
def test_a_hub_gets_to_know_two_hundred_clinics_within_a_deadline_and_watches_their_health(silent: int) -> None:
    with open_mesh(silent) as (mesh, _), Channels() as channels:
        registry = registry_of(mesh.addresses)
        began = time.monotonic()
        clinics = MeshDirectory(registry, channels).clinics()
        assert time.monotonic() - began < DEADLINE_S + SLACK_S
        known = [bool(clinic.doctors) for clinic in clinics]
        assert not any(known[:silent])
        assert all(known[silent:]) == (silent < MOST_AT_ONCE)
        up = serving({agent.id: channels.to(agent) for agent in registry.values()}, WAIT_S)
        assert up == set(mesh.addresses)
        assert threads_of("asking") == 0
