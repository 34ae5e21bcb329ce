"""What a log comes to, counted by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mesh.errors import UsageError
from orchestrator.evaluation.figures import Rate
from orchestrator.evaluation.log_statistics import ClinicCalls, misroute_of, statistics_of
from tests.unit.evaluation.lines import line, lists


def call(
    purpose: str = "plan", failure: str | None = None, elapsed_ms: float = 100.0, **more: Any
) -> Mapping[str, Any]:
    tokens = {"prompt_tokens": 10, "completion_tokens": 2, "cost_usd": None}
    return {"purpose": purpose, **tokens, "failure": failure, "elapsed_ms": elapsed_ms, **more}


def test_turns_and_conversations_and_how_they_ended() -> None:
    turns = [
        line(session_id="a", at="2026-01-03T00:00:00+00:00"),
        line(session_id="a", at="2026-01-02T00:00:00+00:00", outcome="partial"),
        line(session_id="b", at="2026-01-04T00:00:00+00:00"),
    ]
    statistics = statistics_of(turns)
    assert (statistics.turns, statistics.sessions) == (3, 2)
    assert (statistics.first, statistics.last) == (datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 4, tzinfo=UTC))
    assert statistics.outcomes == {"ok": 2, "partial": 1}
    assert statistics.partial == Rate(1, 3)


def test_fallbacks_are_a_share_of_the_lines_that_say_how_a_turn_was_routed() -> None:
    about = {"intent": "query", "domains": ["Cardiology"], "confidence": 1.0, "candidates": [], "chosen": []}
    routed = [{**about, "fallback_used": used} for used in (None, "unsupported")]
    statistics = statistics_of([line(), *(line(routing=each) for each in routed)])
    assert statistics.fallback == Rate(1, 2)
    assert statistics_of([line()]).fallback.value is None


def test_what_was_kept_back_is_counted_by_rule_apart_from_drafts_that_were_replaced() -> None:
    statistics = statistics_of([line(rule="R2"), line(rule="R2"), line(draft_rule="R1"), line()])
    assert statistics.blocked == {"R2": 2}
    assert statistics.replaced == {"R1": 1}


def test_calls_of_a_model_are_told_by_purpose_and_one_that_was_not_made_does_not_count() -> None:
    calls = [
        call(elapsed_ms=100.0, cost_usd=0.5, cached_tokens=8, first_token_ms=40.0),
        call(elapsed_ms=300.0, failure="timed_out", prompt_tokens=None),
        call(elapsed_ms=0.0, failure="suspended"),
        call("write", elapsed_ms=50.0),
        call("audit", elapsed_ms=0.0, failure="throttled"),
    ]
    model = statistics_of([line(model_calls=calls[:2]), line(model_calls=calls[2:])]).model
    assert list(model) == ["plan", "write"]
    plan, write = model.values()
    assert (plan.p50_ms, plan.p95_ms) == (100.0, 300.0)
    assert (plan.calls, plan.failures) == (2, {"timed_out": 1})
    assert (plan.prompt_tokens, plan.completion_tokens, plan.cost_usd) == (10, 4, 0.5)
    assert (plan.cached_tokens, plan.first_token_ms) == (8, 40.0)
    assert (write.cached_tokens, write.first_token_ms) == (0, None)
    assert (write.calls, write.cost_usd) == (1, None)


def test_calls_of_a_model_that_were_not_made_because_one_person_asked_too_often_are_counted_by_purpose() -> None:
    kept_back = {"reason": "RESOURCE_EXHAUSTED", "retry_after_s": 1.5}
    throttled = [{"purpose": purpose, **kept_back} for purpose in ("plan", "answer", "plan")]
    assert statistics_of([line(throttled=throttled[:1]), line(throttled=throttled[1:]), line()]).throttled == {
        "answer": 1,
        "plan": 2,
    }


def test_clinics_that_said_no_are_told_from_those_that_were_silent() -> None:
    statuses = {1: "done", 2: "unreached", 3: "refused", 4: "unknown"}
    turn = line(lists("clinic_c", "clinic_c", "clinic_c", "clinic_a"), statuses=statuses)
    assert statistics_of([turn]).clinics == {
        "clinic_a": ClinicCalls(calls=1, failed=1, refused=0, p50_ms=8.0, p95_ms=8.0),
        "clinic_c": ClinicCalls(calls=3, failed=1, refused=1, p50_ms=4.0, p95_ms=6.0),
    }


def test_an_empty_log_is_no_fault() -> None:
    statistics = statistics_of([])
    assert (statistics.turns, statistics.first, statistics.partial.value) == (0, None, None)
    assert (statistics.latencies, statistics.model, statistics.clinics) == ({}, {}, {})


def test_the_misroute_rate_is_that_of_the_report(tmp_path: Path) -> None:
    report = {"runs": 2, "strict": {"misroute": {"hits": 3, "trials": 40, "value": 0.075}, "success": {}}}
    (tmp_path / "evaluation.json").write_text(json.dumps(report), "utf-8")
    assert misroute_of(tmp_path) == Rate(3, 40, 2)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ('{"runs": 1, "strict": {}}', "run `eval` again"),
        ("[]", "no report"),
        ("{", "no report"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_report_with_that_figure_is_named(tmp_path: Path, content: str | None, fault: str) -> None:
    if content is not None:
        (tmp_path / "evaluation.json").write_text(content, "utf-8")
    with pytest.raises(UsageError, match=fault):
        misroute_of(tmp_path)
