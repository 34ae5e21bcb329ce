"""A turn that is stopped hangs up: its calls end, the next ones go out anew, and nobody else is cut off."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from mesh.channel import CallOptions, call_tool
from mesh.errors import DomainError
from orchestrator.composition.connection import connect
from orchestrator.turn.step_actions import CATALOGUE
from tests.support.tokens import any_protection
from tests.wire.orchestrator.scripted import WAIT_S, ScriptedClinic, open_clinic, registry_of

_LISTING = CATALOGUE["list_available_slots"]


def test_calls_end_at_once_later_ones_are_answered_and_the_other_channels_stay_open() -> None:
    begun, released = threading.Event(), threading.Event()
    answer = pb.ListAvailableSlotsResponse(specialty="Cardiology")

    def hold(_request: Message, _caller: Caller) -> Message:
        begun.set()
        assert released.wait(WAIT_S)
        return answer

    with (
        open_clinic(ScriptedClinic(list_available_slots=hold)) as server,
        connect(registry_of({"clinic_a": server.address}), any_protection()) as connection,
        ThreadPoolExecutor() as threads,
    ):
        agent = connection.registry.find("clinic_a")

        def ask() -> Message:
            request = pb.ListAvailableSlotsRequest()
            return call_tool(
                connection.calls.to(agent), _LISTING, request, CallOptions(timeout_s=WAIT_S, trace_id="trace")
            ).message

        others = connection.channels.to(agent)
        cut = threads.submit(ask)
        assert begun.wait(WAIT_S)

        connection.calls.hang_up()

        with pytest.raises(DomainError, match="cancelled"):
            cut.result(WAIT_S)
        released.set()
        assert ask() == answer
        options = CallOptions(timeout_s=WAIT_S, trace_id="t")
        assert call_tool(others, _LISTING, pb.ListAvailableSlotsRequest(), options).message == answer
