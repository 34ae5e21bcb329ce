"""What a turn's trace looks like where a model takes part, or where the turn breaks down, and what is counted of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import StatusCode

from orchestrator.journal.events import (
    ClinicAnswered,
    ClinicAsked,
    Event,
    EventChannel,
    FellBack,
    MemoryDone,
    MemoryRecalled,
    ModelAnswered,
    ModelAsked,
    ModelFailure,
    ModelSuspended,
    ModelThrottled,
    Planned,
    Purpose,
    Routed,
    TurnFinished,
    TurnStarted,
    Usage,
    Verified,
)
from orchestrator.journal.tracing import TurnMetrics, TurnSpans
from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import MemoryKind, MemoryStatus
from orchestrator.turn.plan import Classification, Plan, PlanKind, Step
from orchestrator.turn.reply import Rule, TurnOutcome, Verdict
from orchestrator.turn.routing import FallbackPolicy, RoutingDecision, StepStatus, Task
from tests.support.fake_verifier import FakeVerifier
from tests.support.spans import Watched, path_of
from tests.unit.orchestrator.fakes import FakeReplyChooser
from tests.unit.orchestrator.scene import BOOKING, LISTING, Scene, acknowledged

P = ParamSpec("P")
T = TypeVar("T")

SESSION, TURN = "0a1b", "3f2a"
STARTED = TurnStarted(SESSION, TURN)
PLANNED = Planned(Plan(PlanKind.STEPS, Language.PT), 0.0)
FINISHED = TurnFinished(TurnOutcome.OK, "Carlos", 0.1)
BLOCKED = Verdict(Rule.R2, "of Carlos")

Piece = Event | tuple[str, tuple[Event, ...]]
"""An event, or a span with the events within it."""


def asking(purpose: Purpose, failure: ModelFailure | None = None) -> Piece:
    usage = Usage(100, 20)
    answered = ModelAnswered(purpose, "gpt", usage, retries=1, failure=failure, elapsed_s=0.5)
    return ("model", (ModelAsked(purpose), answered))


def watching(channel: EventChannel, watched: Watched) -> None:
    spans = TurnSpans(watched.telemetry)
    channel.span = spans.span
    channel.subscribe(spans)
    channel.subscribe(TurnMetrics(watched.telemetry))


def tell(channel: EventChannel, piece: Piece) -> None:
    if not isinstance(piece, tuple):
        channel.publish(piece)
        return
    name, events = piece
    with channel.span(name):
        for event in events:
            channel.publish(event)


def ended(watched: Watched) -> list[ReadableSpan]:
    """Return the spans in the order of their beginnings."""
    return sorted(watched.spans.ended(), key=lambda span: (span.start_time or 0, span.parent is not None))


def traced(*pieces: Piece, watched: Watched | None = None) -> list[ReadableSpan]:
    """Return the spans of a turn in which this was told."""
    watched = watched or Watched()
    channel = EventChannel()
    watching(channel, watched)
    with channel.span("turn"):
        for piece in (STARTED, *pieces, FINISHED):
            tell(channel, piece)
    return ended(watched)


def paths(spans: list[ReadableSpan]) -> list[str]:
    return [path_of(span, spans) for span in spans]


def test_a_model_is_called_within_the_phase_that_asks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    watched, chooser = Watched(), FakeReplyChooser(None)
    scene = Scene({"listar": LISTING}, chooser=chooser)
    watching(scene.channel, watched)
    askers: list[tuple[object, str, Purpose]] = [(scene.planner, "plan", Purpose.PLAN)]
    askers += [(chooser, "choose", Purpose.WRITE)]
    askers += [(scene.verifier, f"check_{subject}", Purpose.AUDIT) for subject in ("data", "reply")]
    for stage, method, purpose in askers:
        monkeypatch.setattr(stage, method, after_asking(scene.channel, purpose, getattr(stage, method)))
    scene.say("listar")
    spans = ended(watched)
    asking_phases = ("plan", "verify", "respond", "verify")
    asked = [path for path in paths(spans) if path.endswith("model")]
    assert asked == [f"turn > {phase} > model" for phase in asking_phases]
    phases = ("plan", "route", "verify", "respond", "verify")
    assert [path for path in paths(spans) if path.count(">") == 1] == [f"turn > {phase}" for phase in phases]


def after_asking(channel: EventChannel, purpose: Purpose, work: Callable[P, T]) -> Callable[P, T]:
    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        tell(channel, asking(purpose))
        return work(*args, **kwargs)

    return asked


def test_a_call_of_a_model_says_what_it_consumed_and_how_it_failed() -> None:
    watched = Watched()
    spans = traced(("plan", (PLANNED,)), asking(Purpose.PLAN, ModelFailure.TIMED_OUT), watched=watched)
    (span,) = (span for span in spans if span.name == "model")
    assert span.attributes == {
        "clinic_mesh.purpose": "plan",
        "gen_ai.request.model": "gpt",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "clinic_mesh.retries": 1,
        "clinic_mesh.failure": "timed_out",
    }
    assert span.status.status_code is StatusCode.ERROR
    purpose = {"clinic_mesh.purpose": "plan"}
    assert watched.points("clinic_mesh.model.tokens") == [
        ({**purpose, "gen_ai.token.type": "input"}, 100),
        ({**purpose, "gen_ai.token.type": "output"}, 20),
    ]
    assert watched.points("clinic_mesh.model.duration") == [({**purpose, "clinic_mesh.failure": "timed_out"}, 1)]


def test_a_model_that_is_left_alone_is_in_the_trace_too() -> None:
    spans = traced(("model", (ModelSuspended(ModelFailure.SERVER_ERROR, 30.0),)))
    assert paths(spans) == ["turn", "turn > model"]
    (event,) = spans[0].events
    assert event.attributes == {"clinic_mesh.failure": "server_error"}


def test_a_model_that_is_not_asked_because_of_too_many_calls_is_in_the_trace_and_counted() -> None:
    watched = Watched()
    spans = traced(("model", (ModelThrottled(Purpose.PLAN, 2.0),)), watched=watched)
    purpose = {"clinic_mesh.purpose": "plan"}
    assert [event.attributes for event in spans[0].events] == [purpose]
    assert watched.points("clinic_mesh.model.throttled") == [(purpose, 1)]


def test_a_turn_tells_what_it_was_about_who_was_chosen_and_which_fallback_answered() -> None:
    watched = Watched()
    task = Task("query", ("Cardiology",), "of Carlos", {"clinic_a": ({"query": "of Carlos"},)}, TURN)
    routed = Routed(RoutingDecision(Classification("query", ("Cardiology",), confidence=0.8), tasks=(task,)))
    spans = traced(("plan", (PLANNED, routed)), FellBack(FallbackPolicy.PROPOSE), watched=watched)
    told = {"intent": "query", "domains": ("Cardiology",), "confidence": 0.8, "chosen": ("clinic_a",)}
    attributes = spans[0].attributes or {}
    assert {name: attributes[f"clinic_mesh.{name}"] for name in told} == told
    assert watched.points("clinic_mesh.fallbacks") == [({"clinic_mesh.fallback": "propose"}, 1)]
    assert "Carlos" not in "".join(each.to_json() for each in spans)


def test_a_turn_tells_how_much_was_recalled_and_what_became_of_each_memory_call() -> None:
    watched = Watched()
    done = MemoryDone("salvar_memoria", MemoryKind.RESTRICTION, MemoryStatus.SAVED, 0.001)
    spans = traced(("plan", (MemoryRecalled(2, 0.001), PLANNED)), done, watched=watched)
    called = {"clinic_mesh.tool": "salvar_memoria", "clinic_mesh.status": "saved"}
    assert (spans[0].attributes or {})["clinic_mesh.recalled"] == 2
    assert [event.attributes for event in spans[0].events] == [called]
    assert watched.points("clinic_mesh.memory.calls") == [(called, 1)]


def cancelled(scene: Scene) -> None:
    cancel = threading.Event()

    def stopped(_: Step) -> StepStatus:
        cancel.set()
        return StepStatus.SKIPPED

    scene.router.answer = stopped
    scene.say("listar", cancel)


def dropped(scene: Scene) -> None:
    scene.say("marcar")
    scene.say("não")


@pytest.mark.parametrize(
    ("talk", "verifier", "phases"),
    [
        (lambda scene: scene.say("marcar"), FakeVerifier(), ["plan", "plan > route", "route", "respond"]),
        (lambda scene: scene.say("oi"), FakeVerifier(), ["plan", "respond", "verify"]),
        (dropped, FakeVerifier(), ["plan", "plan > route", "route", "respond", "plan"]),
        (lambda scene: scene.say("listar"), FakeVerifier(), ["plan", "route", "verify", "respond", "verify"]),
        (lambda scene: scene.say("listar"), FakeVerifier(BLOCKED), ["plan", "route", "verify", "respond"]),
        (cancelled, FakeVerifier(), ["plan", "route"]),
    ],
)
def test_every_way_through_a_turn_has_its_phases(
    talk: Callable[[Scene], object], verifier: FakeVerifier, phases: list[str]
) -> None:
    watched = Watched()
    scene = Scene({"listar": LISTING, "marcar": BOOKING}, verifier=verifier)
    watching(scene.channel, watched)
    talk(scene)
    spans = ended(watched)
    assert [path.removeprefix("turn > ") for path in paths(spans) if path != "turn"] == phases


def test_a_rule_that_was_broken_is_named_and_the_note_is_not() -> None:
    spans = traced(("verify", (Verified("data", BLOCKED, 0.0),)))
    (span,) = (span for span in spans if span.name == "verify")
    assert span.attributes == {"clinic_mesh.subject": "data", "clinic_mesh.safe": False, "clinic_mesh.rule": "R2"}
    assert "Carlos" not in "".join(each.to_json() for each in spans)


def test_a_name_that_is_no_tools_is_not_repeated() -> None:
    asked = ClinicAsked(1, "clinic_a", "apagar Carlos")
    answered = ClinicAnswered(1, "clinic_a", "apagar Carlos", StepStatus.REFUSED, "UNKNOWN_TOOL", None, 0.0)
    spans = traced(("step", (asked, answered)))
    (step,) = (span for span in spans if span.name == "step")
    assert (step.attributes or {})["clinic_mesh.action"] == "unknown"


def test_a_turn_that_broke_down_is_an_error_without_its_text_and_the_next_one_is_a_trace_of_its_own() -> None:
    def broken(_: object) -> StepStatus:
        raise RuntimeError("of Carlos")

    watched = Watched()
    scene = Scene({"listar": LISTING}, answer=broken)
    watching(scene.channel, watched)
    with pytest.raises(RuntimeError):
        scene.say("listar")
    scene.router.answer = acknowledged
    scene.say("listar")
    spans = ended(watched)
    first, second = (span for span in spans if span.name == "turn")
    assert first.status.status_code is StatusCode.ERROR
    assert second.status.status_code is StatusCode.UNSET
    assert first.context.trace_id != second.context.trace_id
    assert "Carlos" not in "".join(each.to_json() for each in spans)


def test_what_is_done_outside_of_a_turn_has_no_span() -> None:
    watched = Watched()
    channel = EventChannel()
    watching(channel, watched)
    tell(channel, ("step", (ClinicAsked(1, "clinic_a", "query"),)))
    tell(channel, asking(Purpose.STRUCTURE))
    assert ended(watched) == []
