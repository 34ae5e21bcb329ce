"""The JSON-lines log: one line a turn in `pipeline_YYYYMMDD.jsonl` (blueprint 5.6), without identity or answers.

A log that cannot be written is a warning, once, and never the end of a turn.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mesh import private_file
from orchestrator.journal.events import (
    AgentStarted,
    ClinicAnswered,
    ClinicAsked,
    Event,
    FellBack,
    Gathered,
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
from orchestrator.privacy import Redactor
from orchestrator.turn import Plan, Proposed, RoutingDecision, Step, TaskResult

SCHEMA = "clinic-mesh.log/1"
"""Version of a line's form; it changes when a field is renamed or removed."""

_logger = logging.getLogger(__name__)

_Line = dict[str, Any]
"""A line under way; JSON values."""


class PipelineLog:
    """A listener that writes the log."""

    def __init__(self, folder: Path, redactor: Redactor) -> None:
        self._folder = folder
        self._redactor = redactor
        self._warned = False
        self._line: _Line = {}

    def __call__(self, event: Event) -> None:
        """Take one event; the last one of a turn writes its line."""
        match event:
            case TurnStarted():
                self._line = {
                    "schema": SCHEMA,
                    "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                    "session_id": event.session_id,
                    "turn_id": event.turn_id,
                    "plan": None,
                    "results": [],
                    "verdicts": [],
                    "model_calls": [],
                    "model_suspended": None,
                    "throttled": [],
                    "routing": None,
                    "memory": {"recalled": None, "calls": []},
                    "elapsed_ms": {},
                }
            case Planned():
                self._line["plan"] = self._plan(event.plan)
                self._line["elapsed_ms"]["plan"] = _ms(event.elapsed_s)
            case MemoryRecalled() | MemoryDone():
                self._take_of_memory(event)
            case ClinicAsked() | ModelAsked() | AgentStarted():
                pass  # a call's answer says all; the research desk keeps its own sessions
            case ModelAnswered() | ModelSuspended() | ModelThrottled():
                self._take_of_model(event)
            case Routed() | FellBack() | Gathered():
                self._take_of_routing(event)
            case ClinicAnswered():
                self._line["results"].append(_result(event))
            case Verified():
                verdict = event.verdict
                self._line["verdicts"].append(
                    {"subject": event.subject, "safe": verdict.safe, "rule": verdict.rule, "note": verdict.note}
                )
                self._line["elapsed_ms"][f"verify_{event.subject}"] = _ms(event.elapsed_s)
            case TurnFinished():
                self._line["outcome"] = event.outcome
                self._line["reply"] = event.reply
                self._line["elapsed_ms"]["turn"] = _ms(event.elapsed_s)
                self._write(self._line)

    def _take_of_memory(self, event: MemoryRecalled | MemoryDone) -> None:
        match event:
            case MemoryRecalled():
                self._line["memory"]["recalled"] = event.count
                self._line["elapsed_ms"]["recall"] = _ms(event.elapsed_s)
            case MemoryDone():
                self._line["memory"]["calls"].append(_memory_call(event))

    def _take_of_model(self, event: ModelAnswered | ModelSuspended | ModelThrottled) -> None:
        match event:
            case ModelAnswered():
                self._line["model_calls"].append(_model_call(event))
            case ModelSuspended():
                self._line["model_suspended"] = event.failure
            case ModelThrottled():
                self._line["throttled"].append(_throttled(event))

    def _take_of_routing(self, event: Routed | FellBack | Gathered) -> None:
        match event:
            case Routed():
                self._line["routing"] = _routing(event.decision)
            case FellBack():
                self._line["routing"]["fallback_used"] = event.policy
            case Gathered():
                self._line["routing"]["results"] = [_task(result) for result in event.results]

    def _plan(self, plan: Plan) -> Mapping[str, Any]:
        return {
            "kind": plan.kind,
            "language": plan.language,
            "topic": plan.topic,
            "steps": self._steps(plan.steps),
            "proposed": None if plan.proposed is None else self._proposed(plan.proposed),
        }

    def _proposed(self, proposed: Proposed) -> Mapping[str, Any]:
        return {"used": proposed.used, "notes": proposed.notes, "steps": self._steps(proposed.steps)}

    def _steps(self, steps: Sequence[Step]) -> Sequence[Mapping[str, Any]]:
        return [
            {
                "step_id": step.step_id,
                "clinic": step.clinic,
                "action": step.action,
                "parameters": {name: self._redactor.redact(value) for name, value in step.parameters.items()},
            }
            for step in steps
        ]

    def _write(self, line: _Line) -> None:
        try:
            self._append((json.dumps(line, ensure_ascii=False) + "\n").encode())
        except OSError as error:
            if not self._warned:
                _logger.warning("%s: turns are not logged: %s", self._folder, error.strerror)
            self._warned = True

    def _append(self, line: bytes) -> None:
        private_file.make_folder(self._folder)
        private_file.append(self._folder / f"pipeline_{datetime.now(UTC):%Y%m%d}.jsonl", line)


def _result(event: ClinicAnswered) -> Mapping[str, Any]:
    return {
        "step_id": event.step_id,
        "clinic": event.clinic,
        "action": event.action,
        "status": event.status,
        "reason": event.reason,
        "items": event.items,
        "elapsed_ms": _ms(event.elapsed_s),
    }


def _memory_call(event: MemoryDone) -> Mapping[str, Any]:
    return {"tool": event.tool, "kind": event.kind, "status": event.status, "elapsed_ms": _ms(event.elapsed_s)}


def _model_call(event: ModelAnswered) -> Mapping[str, Any]:
    usage = event.usage
    return {
        "purpose": event.purpose,
        "model": event.model,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": usage.cost_usd,
        "retries": event.retries,
        "failure": event.failure,
        "elapsed_ms": _ms(event.elapsed_s),
    }


def _throttled(event: ModelThrottled) -> Mapping[str, Any]:
    seconds = round(event.retry_after_s, 3)
    return {"purpose": event.purpose, "reason": "RESOURCE_EXHAUSTED", "retry_after_s": seconds}


def _routing(decision: RoutingDecision) -> _Line:
    classification = decision.classification
    return {
        "intent": classification.intent,
        "domains": classification.domains,
        "confidence": classification.confidence,
        "candidates": [{"agent": one.agent, "score": one.score} for one in decision.candidates],
        "chosen": decision.chosen,
        "fallback_used": None,
        "tasks": [
            {"intent": task.intent, "domains": task.domains, "agents": tuple(task.inputs)} for task in decision.tasks
        ],
        "results": [],
    }


def _task(result: TaskResult) -> Mapping[str, Any]:
    return {
        "subtask": result.task.subtask_title,
        "status": result.status,
        "data": result.data,
        "logs": result.logs,
        "metrics": result.metrics,
        "explanations": result.explanations,
    }


def _ms(elapsed_s: float) -> float:
    return round(elapsed_s * 1000, 3)
