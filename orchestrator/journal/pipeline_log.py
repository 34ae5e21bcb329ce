"""The JSON-lines log: one line a turn in `pipeline_YYYYMMDD.jsonl` (blueprint 5.6), without identity or answers.

A log that cannot be written is a warning, once, and never the end of a turn.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mesh import private_file
from orchestrator.journal import events
from orchestrator.journal.events import Event
from orchestrator.privacy import Redactor
from orchestrator.turn import Classification, GivenClassification, Identity, Plan, RoutingDecision, Step, TaskResult

SCHEMA = "clinic-mesh.log/1"  # version of a line's form; it changes when a field is renamed or removed

_logger = logging.getLogger(__name__)

TurnLine = dict[str, Any]  # a turn as a line of the log; JSON values


class TurnRecorder:
    """A listener that makes a line of each turn, without what identifies who speaks, and gives it to `take`."""

    def __init__(self, speaker: Identity, take: Callable[[TurnLine], None]) -> None:
        self._redactor = Redactor(speaker)
        self._take = take
        self._line: TurnLine = {}

    def __call__(self, event: Event) -> None:
        """Take one event; the last one of a turn ends its line."""
        match event:
            case events.TurnStarted():
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
            case events.Planned():
                self._line["plan"] = self._plan(event.plan)
                self._time("plan", event.elapsed_s)
            case events.Routed():
                self._line["routing"] = self._routing(event.decision)
            case events.FellBack():
                self._line["routing"]["fallback_used"] = event.policy
            case events.Gathered():
                self._line["routing"]["results"] = [self._task(result) for result in event.results]
            case events.TurnFinished():
                self._line |= {"outcome": event.outcome, "reply": event.reply}
                self._time("turn", event.elapsed_s)
                self._take(self._line)
            case _:
                self._take_call(event)

    def _take_call(self, event: Event) -> None:
        line = self._line
        match event:
            case events.MemoryRecalled():
                line["memory"]["recalled"] = event.count
                self._time("recall", event.elapsed_s)
            case events.MemoryDone():
                line["memory"]["calls"].append(_call(event))
            case events.ClinicAnswered():
                line["results"].append(_call(event))
            case events.ModelAnswered():
                line["model_calls"].append(_call(event))
            case events.ModelSuspended():
                line["model_suspended"] = event.failure
            case events.ModelThrottled():
                refused = {"reason": "RESOURCE_EXHAUSTED", "retry_after_s": round(event.retry_after_s, 3)}
                line["throttled"].append({"purpose": event.purpose, **refused})
            case events.Verified(subject, verdict):
                audit = {"audit": self._redactor.redact(verdict.audit)} if verdict.audit else {}
                told = {"subject": subject, "safe": verdict.safe, "rule": verdict.rule, "note": verdict.note}
                line["verdicts"].append(told | audit)
                self._time(f"verify_{subject}", event.elapsed_s)
            case events.AgentStarted():
                line.setdefault("desk", {"agents": []})["agents"].append(event.agent)
            case events.QuestionJudged():
                line.setdefault("desk", {"agents": []}).update(asdict(event))
            case _:
                pass  # a call's answer says all

    def _time(self, stage: str, elapsed_s: float) -> None:
        self._line["elapsed_ms"][stage] = _ms(elapsed_s)

    def _plan(self, plan: Plan) -> Mapping[str, Any]:
        record: TurnLine = {name: getattr(plan, name) for name in ("kind", "language", "topic")}
        # A model may have written the reasoning, as it may the titles and reasons of subtasks.
        reasoning = [self._redactor.redact(sentence) for sentence in plan.reasoning]
        record |= {"reasoning": reasoning, "steps": self._steps(plan.steps), "proposed": None}
        if (proposed := plan.proposed) is not None:
            steps = self._steps(proposed.steps)
            record["proposed"] = {"used": proposed.used, "notes": proposed.notes, "steps": steps}
        return record

    def _steps(self, steps: Sequence[Step]) -> Sequence[Mapping[str, Any]]:
        return [
            {name: getattr(step, name) for name in ("step_id", "clinic", "action")}
            | {"parameters": {name: self._redactor.redact(value) for name, value in step.parameters.items()}}
            for step in steps
        ]

    def _routing(self, decision: RoutingDecision) -> TurnLine:
        given = decision.classification.given
        return {
            **self._classification(decision.classification),
            "given": None if given is None else self._classification(given),
            "candidates": [{"agent": one.agent, "score": one.score} for one in decision.candidates],
            "chosen": decision.chosen,
            "refused": [{"agent": step.clinic, "action": step.action} for step in decision.refused],
            "fallback_used": None,
            "tasks": [
                {"intent": task.intent, "domains": task.domains, "agents": tuple(task.inputs)}
                for task in decision.tasks
            ],
            "results": [],
        }

    def _task(self, result: TaskResult) -> Mapping[str, Any]:
        told = {name: getattr(result, name) for name in ("status", "data", "logs", "metrics")}
        # An agent may have written some of the explanations.
        explanations = [self._redactor.redact(sentence) for sentence in result.explanations]
        return {"subtask": result.task.subtask_title, **told, "explanations": explanations}

    def _classification(self, about: Classification | GivenClassification) -> TurnLine:
        redacted = self._redactor.redact
        return {
            "intent": about.intent,
            "domains": [redacted(domain) for domain in about.domains],
            "confidence": about.confidence,
            "subtasks": [
                {"intent": part.intent}
                | {name: redacted(getattr(part, name)) for name in ("domain", "title", "reason")}
                for part in about.subtasks
            ],
        }


class PipelineLog(TurnRecorder):
    """A listener that writes a person's turns into the log of a folder."""

    def __init__(self, folder: Path, speaker: Identity) -> None:
        super().__init__(speaker, self._write)
        self._folder = folder
        self._warned = False

    def _write(self, line: TurnLine) -> None:
        try:
            private_file.make_folder(self._folder)
            log = self._folder / f"pipeline_{datetime.now(UTC):%Y%m%d}.jsonl"
            private_file.append(log, (json.dumps(line, ensure_ascii=False) + "\n").encode())
        except OSError as error:
            if not self._warned:
                _logger.warning("%s: turns are not logged: %s", self._folder, error.strerror)
            self._warned = True


def _call(event: events.ClinicAnswered | events.MemoryDone | events.ModelAnswered) -> TurnLine:
    record = asdict(event)
    record |= record.pop("usage", {})
    record["elapsed_ms"] = _ms(record.pop("elapsed_s"))
    if (first_s := record.pop("first_token_s", None)) is not None:
        record["first_token_ms"] = _ms(first_s)
    return record


def _ms(elapsed_s: float) -> float:
    return round(elapsed_s * 1000, 3)
