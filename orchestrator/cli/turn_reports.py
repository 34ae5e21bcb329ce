"""Read the log of turns: `stats` sums it up, `trace` draws one turn of it (docs/evaluation.md)."""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from itertools import starmap
from pathlib import Path

from rich.console import Console

from orchestrator import evaluation
from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.settings import Settings, SettingsError

SCHEMA = "clinic-mesh.stats/1"  # version of the JSON; it changes when a field is renamed or removed

_MODEL_HEADS = ("purpose", "calls", "failed", "tokens read", "cached", "written", "US$", "first ms", "p50 ms", "p95 ms")
_CLINIC_HEADS = ("clinic", "calls", "failed", "refused", "p50 ms", "p95 ms")


def run(arguments: Arguments, settings: Settings, _registry: Registry) -> ExitCode:
    """Run one of the commands and return its exit code."""
    files = evaluation.log_files(settings.log_dir) if arguments.log is None else [arguments.log]
    where = arguments.log or settings.log_dir
    if arguments.command == "trace":
        turn = evaluation.find_turn(evaluation.read_turns(files), arguments.turn_id)
        if turn is None:
            raise SettingsError(f"{where}: no such turn; give the beginning of a turn_id of the log, or last")
        sys.stdout.write(evaluation.sequence_of(turn))
        return ExitCode.OK
    misroute = None if arguments.report is None else evaluation.misroute_of(arguments.report)
    statistics = evaluation.statistics_of(evaluation.read_turns(files), misroute)
    if arguments.output == "json":
        record = {"schema": SCHEMA, **{each.name: getattr(statistics, each.name) for each in fields(statistics)}}
        print(json.dumps(record, ensure_ascii=False, indent=2, default=_plain))
    else:
        _print(statistics, where)
    return ExitCode.OK


def _print(statistics: evaluation.Statistics, where: Path) -> None:
    console = Console(markup=False, highlight=False, emoji=False)
    console.print(f"{statistics.turns} turns of {statistics.sessions} conversations in {where}", soft_wrap=True)
    if statistics.first is not None and statistics.last is not None:
        console.print(f"from {statistics.first:%Y-%m-%d %H:%M} to {statistics.last:%Y-%m-%d %H:%M} UTC")
    console.print()
    for line in _lines(statistics):
        console.print(line, soft_wrap=True)
    latencies = statistics.latencies.items()
    for title, headings, rows in (
        ("Latency by stage", evaluation.LATENCY_HEADINGS, [*starmap(evaluation.latency_row, latencies)]),
        ("Language model", _MODEL_HEADS, [*starmap(_model_row, statistics.model.items())]),
        ("Clinics", _CLINIC_HEADS, [*starmap(_clinic_row, statistics.clinics.items())]),
    ):
        if rows:
            console.print()
            console.print(evaluation.drawn_table(title, headings, rows))


def _lines(statistics: evaluation.Statistics) -> Iterable[str]:
    yield f"outcomes: {_listed(statistics.outcomes)}"
    partial, of_tasks = map(evaluation.share_of, (statistics.partial, statistics.partial_tasks))
    yield f"partial answers: {partial}; of tasks: {of_tasks}"
    yield f"fallbacks: {evaluation.share_of(statistics.fallback)}"
    yield f"kept back by the verifier: {_listed(statistics.blocked)}"
    if statistics.model:
        yield f"direct answers of the model not shown: {_listed(statistics.replaced)}"
    if statistics.throttled:
        yield f"calls of the model not made, too many by one person: {_listed(statistics.throttled)}"
    if statistics.memory:
        yield f"memory: {_listed(statistics.memory)}"
    if statistics.recalling.trials:
        yield f"turns that something was remembered for: {evaluation.share_of(statistics.recalling)}"
    yield f"planned steps for agents that were not chosen: {evaluation.share_of(statistics.misrouted)}"
    if statistics.misroute is not None:
        yield f"steps sent to the wrong clinic, in the evaluation: {evaluation.share_of(statistics.misroute)}"


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def _model_row(purpose: str, use: evaluation.ModelCalls) -> tuple[str, ...]:
    cost = evaluation.NOTHING if use.cost_usd is None else f"{use.cost_usd:.4f}"
    numbers = (use.calls, sum(use.failures.values()), use.prompt_tokens, use.cached_tokens, use.completion_tokens)
    return (purpose, *map(str, numbers), cost, *map(_ms, (use.first_token_ms, use.p50_ms, use.p95_ms)))


def _clinic_row(clinic: str, calls: evaluation.ClinicCalls) -> tuple[str, ...]:
    return (clinic, *map(str, (calls.calls, calls.failed, calls.refused)), *map(_ms, (calls.p50_ms, calls.p95_ms)))


def _ms(elapsed_ms: float | None) -> str:
    return evaluation.NOTHING if elapsed_ms is None else f"{elapsed_ms:.2f}"


def _plain(value: object) -> object:
    match value:
        case datetime():
            return value.isoformat()
        case evaluation.Rate():
            return {"value": value.value, "hits": value.hits, "trials": value.trials}
        case evaluation.Latency() | evaluation.ModelCalls() | evaluation.ClinicCalls():
            return asdict(value)
        case _:
            raise TypeError(type(value).__name__)
