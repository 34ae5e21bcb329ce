"""A turn is one trace, from the orchestrator into the clinics, and says nothing of anybody."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanKind, StatusCode

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1 import clinic_service_pb2_grpc
from generated.mesh.v1 import tool_service_pb2_grpc
from generated.mesh.v1.tool_service_pb2 import CallParams, CallRequest
from mesh.caller import TRACE_KEY
from mesh.clock import clock_at
from mesh.server import NodePolicies, Server
from mesh.telemetry_sdk import REQUEST_ID
from orchestrator.agents.registry import Agent, Registry
from orchestrator.composition import ConversationOptions, open_conversation
from orchestrator.composition.connection import connect
from orchestrator.journal.events import Event, EventChannel, TurnStarted
from orchestrator.journal.tracing import TurnMetrics, TurnSpans
from orchestrator.security.token_keys import KeyFolder, Protection
from orchestrator.stages import TurnTaker
from orchestrator.turn.reply import TurnOutcome
from orchestrator.turn.session import Session
from tests.support.clinics import NOW, SPECIALTIES
from tests.support.spans import Watched, path_of, said_by
from tests.support.talk import CARLOS
from tests.support.tokens import make_keys, token_for
from tests.wire.parity.doors import DEADLINE_S

LIST = "clinic.v1.ClinicService/ListAvailableSlots"
BOOK = "clinic.v1.ClinicService/BookAppointment"
HEALTH = "grpc.health.v1.Health/Check"
BOOKING = "quero marcar com o Dr. Fernando Mendes dia 18/07/2025 às 10:00"


@dataclass
class Mesh:
    """Two cardiology clinics that ask for tokens, and a conversation with them; both sides watched."""

    hub: Watched
    nodes: Watched
    clinics: dict[str, Server]
    keys: KeyFolder
    conversation: TurnTaker
    events: list[Event]

    def say(self, *utterances: str) -> list[TurnOutcome]:
        """Take turns of Carlos, one after the other."""
        session, outcomes = Session(CARLOS), []
        for utterance in utterances:
            reply, session = self.conversation.turn(session, utterance, threading.Event())
            outcomes.append(reply.outcome)
        return outcomes

    def spans(self, calls: int) -> list[ReadableSpan]:
        """Return the spans of both sides, once so many calls have ended at the orchestrator's."""
        hub = self.hub.spans.ended(lambda spans: sum(span.kind is SpanKind.CLIENT for span in spans) == calls)
        return [*hub, *self.served]

    @property
    def served(self) -> list[ReadableSpan]:
        """The clinics' spans, without those of GetClinic: the orchestrator asks that outside of any turn."""
        return [span for span in self.nodes.spans.ended() if not span.name.endswith("/GetClinic")]

    @property
    def turn_ids(self) -> list[str]:
        """The ids of the turns that began."""
        return [event.turn_id for event in self.events if isinstance(event, TurnStarted)]


@pytest.fixture
def mesh(tmp_path: Path) -> Iterator[Mesh]:
    hub, nodes, keys = Watched(), Watched(), make_keys(tmp_path)
    with ExitStack() as parts:
        clinics = {
            clinic: parts.enter_context(
                serve(
                    clinic,
                    "127.0.0.1:0",
                    tmp_path / clinic,
                    "blueprint",
                    NOW,
                    NodePolicies(keys.public, telemetry=nodes.telemetry),
                )
            )
            for clinic in ("clinic_a", "clinic_c")
        }
        agents = {clinic: Agent(clinic, SPECIALTIES[clinic], running.address) for clinic, running in clinics.items()}
        connection = parts.enter_context(connect(Registry(agents), Protection(keys), hub.telemetry))
        events: list[Event] = []
        spans = TurnSpans(hub.telemetry)
        channel = EventChannel([events.append, TurnMetrics(hub.telemetry), spans])
        channel.span = spans.span
        conversation = parts.enter_context(
            open_conversation(connection, clock_at(NOW), channel, ConversationOptions(consent_given=True))
        )
        yield Mesh(hub, nodes, clinics, keys, conversation, events)


def paths(spans: Sequence[ReadableSpan]) -> list[str]:
    return sorted(path_of(span, spans) for span in spans)


def test_a_read_of_two_clinics_is_one_trace_from_the_turn_to_both(mesh: Mesh) -> None:
    assert mesh.say("quero um cardiologista") == [TurnOutcome.OK]
    spans = mesh.spans(calls=2)
    assert len({span.context.trace_id for span in spans}) == 1
    assert paths(spans) == sorted(
        [
            "turn",
            "turn > plan",
            "turn > route",
            *["turn > route > step"] * 2,
            *[f"turn > route > step > {LIST}"] * 2,
            *[f"turn > route > step > {LIST} > {LIST}"] * 2,
            "turn > respond",
            *["turn > verify"] * 2,
        ]
    )
    assert {span.kind for span in mesh.served} == {SpanKind.SERVER}


def test_a_write_asks_for_health_within_its_step_and_the_clinic_makes_no_span_of_that(mesh: Mesh) -> None:
    assert mesh.say(BOOKING) == [TurnOutcome.OK]
    spans = mesh.spans(calls=2)
    step = "turn > route > step"
    assert [path for path in paths(spans) if path.startswith(step)] == sorted(
        [step, f"{step} > {BOOK}", f"{step} > {BOOK} > {BOOK}", f"{step} > {HEALTH}"]
    )


def test_each_turn_has_a_trace_and_its_request_id_on_both_sides(mesh: Mesh) -> None:
    mesh.say("quero um cardiologista", "quais os horários do Dr. Ricardo Lopes?")
    spans = mesh.spans(calls=3)
    turns = [span for span in spans if span.name == "turn"]
    assert len({span.context.trace_id for span in turns}) == 2
    assert [(span.attributes or {})[REQUEST_ID] for span in turns] == mesh.turn_ids
    of_trace = {span.context.trace_id: (span.attributes or {})[REQUEST_ID] for span in turns}
    for span in mesh.served:
        assert (span.attributes or {})[REQUEST_ID] == of_trace[span.context.trace_id]


def test_a_phase_begins_where_the_one_before_it_ended_and_all_are_within_the_turn(mesh: Mesh) -> None:
    mesh.say("quero um cardiologista")
    spans = mesh.spans(calls=2)
    (turn,) = (span for span in spans if span.name == "turn")
    phases = sorted((span for span in spans if span.parent == turn.context), key=lambda span: span.start_time or 0)
    assert [span.name for span in phases] == ["plan", "route", "verify", "respond", "verify"]
    for before, after in zip([None, *phases], [*phases, None], strict=True):
        begins = turn.start_time if before is None else before.end_time
        ends = turn.end_time if after is None else after.start_time
        assert begins is not None
        assert ends is not None
        assert begins <= ends


def test_nothing_that_is_somebodys_is_in_any_span_or_measurement(mesh: Mesh) -> None:
    mesh.say(BOOKING, BOOKING, "cancelar a consulta com o Dr. Fernando Mendes dia 18/07/2025 às 10:00")
    mesh.say(
        "mostre o prontuário do paciente CARD-001", "meu CPF é 529.982.247-25, sou Maria Souza, quero cardiologista"
    )
    everything = "".join(said_by(span) for span in mesh.spans(calls=mesh_calls(mesh)))
    everything += repr([mesh.hub.points(f"clinic_mesh.{name}.duration") for name in ("turn", "step")])
    everything += repr(mesh.nodes.points("rpc.server.call.duration"))
    assert "ALREADY_BOOKED" in everything
    secrets = ("Carlos", "Maria", "Fernando", "529.982", "123.456", "12345678900", "CARD-001", "Bearer", "eyJ", "10:00")
    assert [secret for secret in secrets if secret in everything] == []


def mesh_calls(mesh: Mesh) -> int:
    """Return how many calls the steps of all turns made: one each, and a health check before a write."""
    steps = [span for span in mesh.hub.spans.ended() if span.name == "step"]
    writes = {"book_appointment", "cancel_appointment", "reschedule_appointment"}
    return len(steps) + sum((span.attributes or {})["clinic_mesh.action"] in writes for span in steps)


def test_a_clinic_that_is_down_is_a_failed_step(mesh: Mesh) -> None:
    mesh.say("quero um cardiologista")
    mesh.clinics["clinic_c"].stop()
    assert mesh.say("quero um cardiologista") == [TurnOutcome.PARTIAL]
    steps = [span for span in mesh.spans(calls=4) if span.name == "step"]
    assert [
        ((span.attributes or {})["clinic_mesh.status"], (span.attributes or {}).get("clinic_mesh.reason"))
        for span in steps
        if span.status.status_code is StatusCode.ERROR
    ] == [("unreached", "UNREACHABLE")]
    measured = mesh.hub.points("clinic_mesh.step.duration")
    assert sum(count for attributes, count in measured if attributes["clinic_mesh.status"] == "unreached") == 1


def test_calls_are_measured_by_method_and_status(mesh: Mesh) -> None:
    mesh.say(BOOKING, BOOKING)
    mesh.spans(calls=4)
    points = mesh.nodes.points("rpc.server.call.duration")
    of_method = {
        attributes["rpc.response.status_code"]: (attributes["rpc.system.name"], attributes.get("error.type"), count)
        for attributes, count in points
        if attributes["rpc.method"] == BOOK
    }
    # The caller's mistake is no failure of the server.
    assert of_method == {"OK": ("grpc", None, 1), "ALREADY_EXISTS": ("grpc", None, 1)}
    turns = mesh.hub.points("clinic_mesh.turn.duration")
    assert {attributes["clinic_mesh.outcome"]: count for attributes, count in turns} == {"ok": 1, "refused": 1}


def test_spans_of_a_call_say_what_the_conventions_for_grpc_ask_for(mesh: Mesh) -> None:
    mesh.say(BOOKING, BOOKING)
    spans = [span for span in mesh.spans(calls=4) if span.name == BOOK]
    host, _, port = mesh.clinics["clinic_c"].address.rpartition(":")
    common = {"rpc.system.name": "grpc", "rpc.method": BOOK}
    taken = {**common, "rpc.response.status_code": "ALREADY_EXISTS"}
    where = {"server.address": host, "server.port": int(port)}
    said = []
    for span in spans:
        attributes = dict(span.attributes or {})
        attributes.pop(REQUEST_ID, None)
        said.append((span.kind, span.status.status_code, attributes))
    assert (SpanKind.SERVER, StatusCode.UNSET, {**common, "rpc.response.status_code": "OK"}) in said
    assert (SpanKind.SERVER, StatusCode.UNSET, taken) in said
    assert (SpanKind.CLIENT, StatusCode.UNSET, {**common, **where, "rpc.response.status_code": "OK"}) in said
    assert (SpanKind.CLIENT, StatusCode.ERROR, {**taken, **where, "error.type": "ALREADY_EXISTS"}) in said
    assert len(said) == 4


def test_a_call_of_the_envelope_door_names_its_tool_and_its_error_and_no_text_of_the_caller(mesh: Mesh) -> None:
    method, token = "mesh.v1.ToolService/Call", (("authorization", f"Bearer {token_for(mesh.keys)}"),)
    with grpc.insecure_channel(mesh.clinics["clinic_a"].address) as channel:
        stub = tool_service_pb2_grpc.ToolServiceStub(channel)
        for name, metadata in (("list_available_slots", token), ("list_available_slots", ()), ("maria_souza", token)):
            call = CallRequest(jsonrpc="2.0", method="tools/call", params=CallParams(name=name))
            call.id.string_value = "maria"
            stub.Call(call, timeout=DEADLINE_S, metadata=metadata)
    for said in (
        [dict(span.attributes or {}) for span in mesh.served],
        [attributes for attributes, _ in mesh.nodes.points("rpc.server.call.duration")],
    ):
        errors: dict[object, list[object]] = {each.get("gen_ai.tool.name"): [] for each in said}
        for each in said:
            assert (each["rpc.method"], each["rpc.response.status_code"]) == (method, "OK")
            assert each["mcp.method.name"] == "tools/call"
            errors[each.get("gen_ai.tool.name")].append(each.get("error.type"))
        assert errors == {"list_available_slots": [None, "-32010"], None: ["-32602"]}
        assert "maria" not in repr(said)


def test_a_method_that_there_is_not_has_the_one_name_of_all_such(mesh: Mesh) -> None:
    with grpc.insecure_channel(mesh.clinics["clinic_a"].address) as channel:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/maria.souza/Call")
        with pytest.raises(grpc.RpcError):
            call(b"", timeout=DEADLINE_S)
    (span,) = mesh.served
    assert (span.name, (span.attributes or {})["rpc.method"], (span.attributes or {})["error.type"]) == (
        *("grpc", "_OTHER", "UNIMPLEMENTED"),
    )
    assert "maria" not in span.to_json()


def test_who_calls_without_a_trace_begins_one_and_keeps_the_request_id(mesh: Mesh) -> None:
    metadata, mine = (("authorization", f"Bearer {token_for(mesh.keys)}"),), str(uuid.uuid4())
    with grpc.insecure_channel(mesh.clinics["clinic_a"].address) as channel:
        stub = clinic_service_pb2_grpc.ClinicServiceStub(channel)
        stub.ListAvailableSlots(
            pb.ListAvailableSlotsRequest(), timeout=DEADLINE_S, metadata=((TRACE_KEY, mine), *metadata)
        )
        _, call = stub.ListAvailableSlots.with_call(
            pb.ListAvailableSlotsRequest(), timeout=DEADLINE_S, metadata=metadata
        )
        health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=DEADLINE_S)
    (given,) = (value for key, value in call.trailing_metadata() if key == TRACE_KEY)
    spans = mesh.served
    assert [span.name for span in spans] == [LIST, LIST]
    assert [span.parent for span in spans] == [None, None]
    assert [(span.attributes or {})[REQUEST_ID] for span in spans] == [mine, given]


def test_a_refused_call_is_refused_in_the_same_words(mesh: Mesh, tmp_path: Path) -> None:
    def refusal(address: str) -> tuple[grpc.StatusCode, str | None, list[str]]:
        with grpc.insecure_channel(address) as channel:
            stub = clinic_service_pb2_grpc.ClinicServiceStub(channel)
            with pytest.raises(grpc.RpcError) as refused:
                stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=DEADLINE_S)
            call = refused.value
            return call.code(), call.details(), sorted(each.key for each in call.trailing_metadata())

    with serve(
        "clinic_a", "127.0.0.1:0", tmp_path / "plain", "blueprint", NOW, NodePolicies(mesh.keys.public)
    ) as plain:
        assert refusal(mesh.clinics["clinic_a"].address) == refusal(plain.address)
