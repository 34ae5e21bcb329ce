"""What a turn's trace looks like where a model takes part, or where the turn breaks down, and what is counted of it."""

from __future__ import annotations

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
    ModelSuspended,
    ModelThrottled,
    Planned,
    Routed,
    TurnFinished,
    TurnStarted,
    Verified,
)
from orchestrator.journal.tracing.turn_metrics import TurnMetrics
from orchestrator.journal.tracing.turn_spans import TurnSpans
from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import MemoryKind, MemoryStatus
from orchestrator.turn.model_use import ModelFailure, Purpose, Usage
from orchestrator.turn.plan import Classification, Plan, PlanKind
from orchestrator.turn.reply import SAFE, Rule, TurnOutcome, Verdict
from orchestrator.turn.result import StepStatus
from orchestrator.turn.routing_decision import FallbackPolicy, RoutingDecision, Task
from tests.support.spans import Watched, path_of

SESSION, TURN = "0a1b", "3f2a"
STARTED = TurnStarted(SESSION, TURN)
PLANNED = Planned(TURN, Plan(PlanKind.STEPS, Language.PT), 0.0)
ASKED = ClinicAsked(TURN, 1, "clinic_a", "query")
ANSWERED = ClinicAnswered(TURN, 1, "clinic_a", "query", StepStatus.DONE, None, 3, 0.01)
FINISHED = TurnFinished(TURN, TurnOutcome.OK, "Carlos", 0.1)


def model(purpose: Purpose, failure: ModelFailure | None = None) -> tuple[ModelAsked, ModelAnswered]:
    usage = Usage(100, 20)
    answered = ModelAnswered(TURN, purpose, "gpt", usage, retries=1, failure=failure, elapsed_s=0.5)
    return ModelAsked(TURN, purpose), answered


def verified(subject: str, verdict: Verdict = SAFE) -> Verified:
    return Verified(TURN, subject, verdict, 0.0)


def traced(*events: Event, watched: Watched | None = None) -> list[ReadableSpan]:
    """Return the spans of a sequence of events, in the order of their beginnings."""
    watched = watched or Watched()
    channel = EventChannel([TurnSpans(watched.telemetry), TurnMetrics(watched.telemetry)])
    for event in events:
        channel.publish(event)
    return sorted(watched.spans.ended(), key=lambda span: (span.start_time or 0, span.parent is not None))


def paths(spans: list[ReadableSpan]) -> list[str]:
    return [path_of(span, spans) for span in spans]


def test_a_model_is_called_within_the_phase_that_asks_it() -> None:
    events: tuple[Event, ...] = (STARTED, *model(Purpose.PLAN), *model(Purpose.REPAIR), PLANNED, ASKED, ANSWERED)
    events += (*model(Purpose.AUDIT), verified("data"), *model(Purpose.WRITE), *model(Purpose.AUDIT))
    spans = traced(*events, verified("draft"), verified("reply"), FINISHED)
    of_model = [path for path in paths(spans) if path.endswith("model")]
    assert of_model == [f"turn > {phase} > model" for phase in ("plan", "plan", "verify", "respond", "verify")]
    phases = [path for path in paths(spans) if path.count(">") == 1]
    assert phases == [f"turn > {phase}" for phase in ("plan", "route", "verify", "respond", "verify", "verify")]


def test_a_call_of_a_model_says_what_it_consumed_and_how_it_failed() -> None:
    watched = Watched()
    spans = traced(STARTED, *model(Purpose.PLAN, ModelFailure.TIMED_OUT), PLANNED, FINISHED, watched=watched)
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
    _, suspended = model(Purpose.PLAN, ModelFailure.SUSPENDED)
    pause = ModelSuspended(TURN, ModelFailure.SERVER_ERROR, 30.0)
    spans = traced(STARTED, suspended, pause, PLANNED, FINISHED)
    assert "turn > plan > model" in paths(spans)
    (event,) = spans[0].events
    assert event.attributes == {"clinic_mesh.failure": "server_error"}


def test_a_model_that_is_not_asked_because_of_too_many_calls_is_in_the_trace_and_counted() -> None:
    watched = Watched()
    spans = traced(STARTED, ModelThrottled(TURN, Purpose.PLAN, 2.0), PLANNED, FINISHED, watched=watched)
    purpose = {"clinic_mesh.purpose": "plan"}
    assert [event.attributes for event in spans[0].events] == [purpose]
    assert watched.points("clinic_mesh.model.throttled") == [(purpose, 1)]


def test_a_turn_tells_what_it_was_about_who_was_chosen_and_which_fallback_answered() -> None:
    watched = Watched()
    task = Task("query", ("Cardiology",), "of Carlos", {"clinic_a": ({"query": "of Carlos"},)}, TURN)
    routed = Routed(TURN, RoutingDecision(Classification("query", ("Cardiology",), confidence=0.8), tasks=(task,)))
    spans = traced(STARTED, PLANNED, routed, FellBack(TURN, FallbackPolicy.PROPOSE), FINISHED, watched=watched)
    told = {"intent": "query", "domains": ("Cardiology",), "confidence": 0.8, "chosen": ("clinic_a",)}
    attributes = spans[0].attributes or {}
    assert {name: attributes[f"clinic_mesh.{name}"] for name in told} == told
    assert watched.points("clinic_mesh.fallbacks") == [({"clinic_mesh.fallback": "propose"}, 1)]
    assert "Carlos" not in "".join(each.to_json() for each in spans)


def test_a_turn_tells_how_much_was_recalled_and_what_became_of_each_memory_call() -> None:
    watched = Watched()
    done = MemoryDone(TURN, "salvar_memoria", MemoryKind.RESTRICTION, MemoryStatus.SAVED, 0.001)
    spans = traced(STARTED, MemoryRecalled(TURN, 2, 0.001), PLANNED, done, FINISHED, watched=watched)
    called = {"clinic_mesh.tool": "salvar_memoria", "clinic_mesh.status": "saved"}
    assert (spans[0].attributes or {})["clinic_mesh.recalled"] == 2
    assert [event.attributes for event in spans[0].events] == [called]
    assert watched.points("clinic_mesh.memory.calls") == [(called, 1)]


@pytest.mark.parametrize(
    ("events", "phases"),
    [
        ((PLANNED, FINISHED), ["plan", "respond"]),  # a proposal
        ((PLANNED, verified("reply"), FINISHED), ["plan", "respond", "verify"]),  # no step
        ((FINISHED,), ["plan"]),  # a proposal that was dropped
        ((PLANNED, ASKED, ANSWERED, verified("data"), FINISHED), ["plan", "route", "verify", "respond"]),  # blocked
        ((PLANNED, ASKED, ANSWERED, FINISHED), ["plan", "route"]),  # stopped
    ],
)
def test_every_way_through_a_turn_ends_all_its_spans(events: tuple[Event, ...], phases: list[str]) -> None:
    spans = traced(STARTED, *events)
    assert [span.name for span in spans if span.name not in {"turn", "step"}] == phases
    assert [span.name for span in spans].count("turn") == 1


def test_a_rule_that_was_broken_is_named_and_the_note_is_not() -> None:
    verdict = Verdict(Rule.R2, "of Carlos")
    spans = traced(STARTED, PLANNED, verified("data", verdict), FINISHED)
    (span,) = (span for span in spans if span.name == "verify")
    assert span.attributes == {"clinic_mesh.subject": "data", "clinic_mesh.safe": False, "clinic_mesh.rule": "R2"}
    assert "Carlos" not in "".join(each.to_json() for each in spans)


def test_a_name_that_is_no_tools_is_not_repeated() -> None:
    asked = ClinicAsked(TURN, 1, "clinic_a", "apagar Carlos")
    answered = ClinicAnswered(TURN, 1, "clinic_a", "apagar Carlos", StepStatus.REFUSED, "UNKNOWN_TOOL", None, 0.0)
    spans = traced(STARTED, PLANNED, asked, answered, FINISHED)
    (step,) = (span for span in spans if span.name == "step")
    assert (step.attributes or {})["clinic_mesh.action"] == "unknown"


def test_a_turn_that_broke_down_is_an_error_and_the_next_one_is_a_trace_of_its_own() -> None:
    spans = traced(STARTED, PLANNED, ASKED, TurnStarted(SESSION, "4b5c"), PLANNED, FINISHED)
    broken, whole = (span for span in spans if span.name == "turn")
    assert broken.status.status_code is StatusCode.ERROR
    assert whole.status.status_code is StatusCode.UNSET
    assert broken.context.trace_id != whole.context.trace_id
    assert [span.name for span in spans].count("step") == 1


def test_what_is_told_of_no_turn_is_passed_over() -> None:
    assert traced(PLANNED, ASKED, ANSWERED, FINISHED) == []
