"""Print what the front desk keeps: `agenda` a day of the clinics, `operations` their logs (docs/identity.md)."""

import csv
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import date

from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.converse import started
from orchestrator.cli.exit_code import ExitCode, await_clinics, complain
from orchestrator.cli.speaker import given_identity, identity_of
from orchestrator.composition import connect_fleet, fleet_of, open_router
from orchestrator.console import Renderer, harmless
from orchestrator.front_desk import day_blocks, entries_of, reason_of, state_of
from orchestrator.journal import EventChannel
from orchestrator.responder import ReplyContext
from orchestrator.settings import Settings, SettingsError
from orchestrator.turn import IdentityError, Role, Step, StepResult, StepStatus, ToolCall, TurnScope

_LOGS = tuple(f"operations.jsonl{number}" for number in (".4", ".3", ".2", ".1", ""))
_FIELDS = ("clinic", "doctor", "date", "time", "duration_min", "state", "reason", "patient_name")


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Run one of the commands and return its exit code."""
    clinics = [clinic for clinic in registry if arguments.clinic in {"", clinic}]
    if not clinics:
        raise SettingsError(f"there is no such clinic; known are {', '.join(registry)}")
    if arguments.command == "operations":
        return _operations(arguments, settings, clinics)
    return _agenda(arguments, settings, registry, clinics)


def _operations(arguments: Arguments, settings: Settings, clinics: Sequence[str]) -> ExitCode:
    lines: list[dict[str, object]] = []
    for clinic in clinics:
        for path in (settings.silo(clinic) / name for name in _LOGS):
            with suppress(FileNotFoundError):
                lines += [{"clinic": clinic, **json.loads(line)} for line in path.read_bytes().splitlines()]
    lines.sort(key=lambda line: str(line["at"]))
    for line in lines[-arguments.lines :]:
        text = json.dumps(line, ensure_ascii=False)
        sys.stdout.write(f"{text if arguments.output == 'jsonl' else harmless(_told(line))}\n")
    return ExitCode.OK


def _told(line: dict[str, object]) -> str:
    slots = [" ".join(slot.values()) for slot in (line.get("moved_from"), line["slot"]) if isinstance(slot, dict)]
    who = [str(line[name]) for name in ("role", "subject", "host", "record") if line.get(name)]
    told = (line["at"], line["clinic"], line["tool"], line["outcome"], " -> ".join(slots), ", ".join(who))
    return "  ".join(str(part) for part in told if part)


def _agenda(arguments: Arguments, settings: Settings, registry: Registry, clinics: Sequence[str]) -> ExitCode:
    identity = identity_of(given_identity(settings, arguments.identity_file, arguments.identity_fd))
    if settings.role is not Role.OPERATOR:
        raise IdentityError("the agenda is for operators: give --role operator")
    try:
        day = date.fromisoformat(arguments.date) if arguments.date else settings.today
    except ValueError:
        raise SettingsError("--date: a day as YYYY-MM-DD is expected") from None
    fleet, events = fleet_of(settings, registry), EventChannel()
    with started(settings, fleet, settings.role, starts=arguments.starts_clinics):
        await_clinics(fleet)
        call = ToolCall("list_agenda", {"date": day.isoformat()})
        steps = [Step(number, clinic, call) for number, clinic in enumerate(clinics, 1)]
        with connect_fleet(registry, fleet) as connection, open_router(connection, events, settings.clock) as router:
            context = ReplyContext(settings.language, identity, connection.directory.clinics())
            results = router.dispatch(steps, TurnScope(identity, settings.role))
    _print_day(results, context, arguments.output)
    failed = [result for result in results if result.status is not StepStatus.DONE]
    for result in failed:
        complain(f"{result.step.clinic}: {result.error.message if result.error else 'it was not asked'}")
    return ExitCode.PARTIAL if 0 < len(failed) < len(results) else ExitCode.ALL_DOWN if failed else ExitCode.OK


def _print_day(results: Sequence[StepResult], context: ReplyContext, form: str) -> None:
    rows: list[dict[str, str | int]] = [
        {name: getattr(entry, name, "") for name in _FIELDS}
        | {"clinic": result.step.clinic, "state": state_of(entry), "reason": reason_of(entry)}
        for result in results
        for entry in entries_of(result)
    ]
    if not sys.stdout.isatty() and any(row["patient_name"] for row in rows):
        complain("names of patients leave for a file or another program: keep it where only the front desk reads it")
    if form == "csv":
        writer = csv.DictWriter(sys.stdout, _FIELDS, lineterminator="\n")
        writer.writeheader()
        formula = {*"=+-@"}  # a spreadsheet would take what begins so for one
        writer.writerows({name: f"'{it}" if str(it)[:1] in formula else it for name, it in row.items()} for row in rows)
    elif form == "jsonl":
        sys.stdout.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    else:
        for result in results:
            if result.status is StepStatus.DONE:
                Renderer().show(day_blocks(result, context))
