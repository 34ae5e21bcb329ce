"""A caller who asks too often is refused at both doors alike, told when to come back, and nothing is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import grpc
import pytest
from google.protobuf.message import Message

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1 import clinic_service_pb2_grpc
from mesh.caller import Caller
from mesh.catalogue import Tool
from mesh.channel import CallOptions, call_tool
from mesh.errors import DomainError
from mesh.limits import Limits
from mesh.policies import RateLimit
from mesh.reasons import retry_after_s
from mesh.server import NodePolicies
from orchestrator.security.token_keys import KeyFolder
from orchestrator.turn.step_actions import CATALOGUE, REFUSAL_DETAILS
from tests.support.clinics import NOW
from tests.support.doors import loan, open_client, open_library
from tests.support.tokens import CARLOS_CPF, JOANA_CPF, token_for
from tests.wire.parity.doors import DEADLINE_S, REASONS, Door, EnvelopeDoor, Refusal, TypedDoor

SELDOM = Limits(reads_per_s=0.001, writes_per_s=0.001)
"""One call, and the next after a quarter of an hour: no test is so slow."""

LIST: tuple[str, dict[str, str]] = ("list_available_slots", {})
BOOK = (
    "book_appointment",
    {
        "doctor": "Dr. Ricardo Lopes",
        "date": "2025-07-21",
        "time": "09:00",
        "patient_name": "Carlos Teste",
        "cpf": CARLOS_CPF,
    },
)

Open = Callable[[type[TypedDoor | EnvelopeDoor], str], Door]


def bearer(keys: KeyFolder, cpf: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token_for(keys, cpf)}"),)


def test_both_doors_share_one_limit_and_refuse_alike(tmp_path: Path, keys: KeyFolder) -> None:
    with (
        serve("clinic_a", "127.0.0.1:0", tmp_path, "blueprint", NOW, NodePolicies(keys.public, SELDOM)) as clinic,
        grpc.insecure_channel(clinic.address) as channel,
    ):
        carlos = bearer(keys, CARLOS_CPF)
        typed, enveloped = TypedDoor(channel, carlos), EnvelopeDoor(channel, carlos)
        assert isinstance(typed.ask(*LIST), dict)
        refusals = [door.ask(*LIST) for door in (typed, enveloped)]
        # What somebody else may do is not used up, and reads are counted apart from writes.
        assert isinstance(EnvelopeDoor(channel, bearer(keys, JOANA_CPF)).ask(*LIST), dict)
        assert isinstance(enveloped.ask(*BOOK), dict)
        assert isinstance(typed.ask(*BOOK), Refusal)
    for refusal in refusals:
        assert isinstance(refusal, Refusal)
        assert (refusal.reason, refusal.domain) == ("RATE_LIMITED", "mesh.v1")
        assert refusal.metadata == {"tool": "list_available_slots"}
        (detail,) = refusal.details
        assert detail["@type"] == "type.googleapis.com/google.rpc.RetryInfo"
        assert 0 < float(detail["retry_delay"].removesuffix("s")) <= 1000


def test_a_write_that_came_too_often_is_not_made(tmp_path: Path) -> None:
    with (
        serve("clinic_a", "127.0.0.1:0", tmp_path, "blueprint", NOW, NodePolicies(limits=SELDOM)) as clinic,
        grpc.insecure_channel(clinic.address) as channel,
    ):
        assert isinstance(TypedDoor(channel).ask(*BOOK), dict)
        before = (tmp_path / "db.json").read_bytes()
        refusal = TypedDoor(channel).ask("cancel_appointment", BOOK[1])
        assert isinstance(refusal, Refusal)
        assert refusal.reason == "RATE_LIMITED"
        assert (tmp_path / "db.json").read_bytes() == before


def test_a_new_connection_of_the_same_machine_is_the_same_caller(tmp_path: Path) -> None:
    with serve("clinic_a", "127.0.0.1:0", tmp_path, "blueprint", NOW, NodePolicies(limits=SELDOM)) as clinic:
        answers = []
        for _ in range(2):
            # Channels to one address share a connection unless they are told not to.
            with grpc.insecure_channel(clinic.address, (("grpc.use_local_subchannel_pool", 1),)) as channel:
                answers.append(TypedDoor(channel).ask(*LIST))
    assert isinstance(answers[0], dict)
    assert isinstance(answers[1], Refusal)


def test_who_the_clinic_is_may_be_asked_as_often_as_one_likes(tmp_path: Path) -> None:
    with (
        serve("clinic_a", "127.0.0.1:0", tmp_path, "blueprint", NOW, NodePolicies(limits=SELDOM)) as clinic,
        grpc.insecure_channel(clinic.address) as channel,
    ):
        stub = clinic_service_pb2_grpc.ClinicServiceStub(channel)
        for _ in range(3):
            assert stub.GetClinic(pb.GetClinicRequest(), timeout=DEADLINE_S).clinic_id == "clinic_a"


def test_grpc_does_not_repeat_what_came_too_often() -> None:
    asked: list[str] = []

    class CountedLimit(RateLimit):
        def __call__(self, tool: Tool, caller: Caller) -> None:
            asked.append(tool.name)
            super().__call__(tool, caller)

    with (
        patch("mesh.server.RateLimit", CountedLimit),
        open_library(policies=NodePolicies(limits=SELDOM)) as server,
        open_client(server.address) as client,
    ):
        client.call("lend_book", loan()).result()
        assert client.refusal("lend_book", loan()).reason == "RATE_LIMITED"
    assert asked == ["lend_book"] * 2


def test_the_orchestrator_learns_the_delay(tmp_path: Path) -> None:
    listing = CATALOGUE["list_available_slots"]

    def call(channel: grpc.Channel) -> Message:
        request = pb.ListAvailableSlotsRequest()
        return call_tool(
            channel, listing, request, CallOptions(timeout_s=DEADLINE_S, trace_id="trace", details=REFUSAL_DETAILS)
        ).message

    with (
        serve("clinic_a", "127.0.0.1:0", tmp_path, "blueprint", NOW, NodePolicies(limits=SELDOM)) as clinic,
        grpc.insecure_channel(clinic.address) as channel,
    ):
        call(channel)
        with pytest.raises(DomainError) as refused:
            call(channel)
    delay_s = retry_after_s(refused.value)
    assert delay_s is not None
    assert 0 < delay_s <= 1000
    assert REASONS[refused.value.reason].status is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert REASONS[refused.value.reason].json_rpc_code == -32012
