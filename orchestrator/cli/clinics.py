"""Run the commands that start and end clinics, show their state (docs/output-schema.md) and logs, or move agendas."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle

from rich.console import Console
from rich.text import Text

from mesh.tls import ClientTls
from orchestrator import fleet
from orchestrator.agents import Agent, Registry, at_once
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, await_clinics
from orchestrator.composition import fleet_of, serving_memory
from orchestrator.console import Renderer, harmless
from orchestrator.settings import Settings, SettingsError, variable
from orchestrator.texts import Texts, texts_of_locale
from orchestrator.turn import Table

_WATCH_S = 0.5  # seconds between two looks at the clinics that `up` stays with

STATUS_SCHEMA = "clinic-mesh.status/1"  # version of the JSON of `status`; it changes when a field is renamed or removed

_POLL_S = 0.2
_COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "bright_red")


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Run one of the commands and return its exit code."""
    clinics = fleet_of(settings, registry, uses_telemetry=arguments.command in {"up", "restart", "clinic"})
    commands: dict[str, Callable[[], ExitCode]] = {
        "up": lambda: _up(arguments, settings, clinics, registry),
        "down": lambda: _down(arguments.clinic, settings, clinics),
        "restart": lambda: _restart(arguments, clinics),
        "logs": lambda: _print_logs(arguments, settings, registry),
        "status": lambda: _print_status(clinics, registry, arguments),
        "store": lambda: _store(arguments, clinics),
        "clinic": lambda: _clinic(arguments.clinic, clinics),
    }
    return commands[arguments.command]()


def _up(arguments: Arguments, settings: Settings, clinics: fleet.Fleet, registry: Registry) -> ExitCode:
    texts = texts_of_locale()
    try:
        clinics.protection.keys.prepare()
        clinics.launch()
        await_clinics(clinics, arguments.wait_s)
        code = _print_status(clinics, registry, arguments)
        if clinics.ran_before:
            print(texts.text("fleet.ran_before", clinics=", ".join(clinics.ran_before)), file=sys.stderr)
        if not clinics.started:
            print(texts.text("fleet.nothing_started"), file=sys.stderr)
            return code
        print(texts.text("fleet.started", clinics=", ".join(clinics.started)), file=sys.stderr)
        if arguments.is_detached:
            clinics.release()
            return code
        # Once that is announced, being asked to end is what is waited for: SIGINT, or SIGTERM and SIGHUP as SystemExit.
        with serving_memory(settings, registry), suppress(KeyboardInterrupt, SystemExit):
            print(texts.text("fleet.until_interrupt"), file=sys.stderr)
            while clinics.started:
                time.sleep(_WATCH_S)
                for one in clinics.take_ended():
                    told = texts.text("fleet.ended", clinic=one.member.id, status=one.popen.returncode)
                    print(told, file=sys.stderr)
        return ExitCode.PARTIAL if clinics.failed else ExitCode.OK
    finally:
        clinics.stop()


def _down(clinic: str, settings: Settings, clinics: fleet.Fleet) -> ExitCode:
    texts = texts_of_locale()
    holders = [holder for holder in fleet.find_holders(settings.data_dir) if clinic in {"", holder.clinic}]
    if not holders:
        if clinic:
            _member(clinic, clinics)
        folder = settings.data_dir
        print(texts.text("fleet.not_running" if clinic else "fleet.nothing_runs", clinic=clinic, folder=folder))
        return ExitCode.OK
    tls = clinics.protection.client_tls()
    return ExitCode.OK if all(at_once(lambda holder: _end(holder, tls, texts), holders)) else ExitCode.REFUSED


def _end(holder: fleet.Holder, tls: ClientTls | None, texts: Texts) -> bool:
    where = holder.address or texts.text("fleet.not_listening")
    who = texts.text("fleet.holder", clinic=holder.clinic, pid=holder.pid, address=where, agenda=holder.agenda)
    if holder.address:
        member = fleet.Member(holder.clinic, holder.address, holder.lock.parent)
        # It may have been started before TLS was set, or after.
        found = [fleet.probe(member, each) for each in dict.fromkeys((tls, None))]
        said = [(one.said.clinic_id, one.agenda) for one in found if isinstance(one, fleet.Present)]
        if (holder.clinic, holder.agenda) in said:
            ended = fleet.end(holder)
            sys.stdout.write(texts.text("fleet.stopped" if ended else "fleet.not_stopped", holder=who) + "\n")
            return ended
    sys.stdout.write(texts.text("fleet.left_alone", holder=who) + "\n")
    return False


def _restart(arguments: Arguments, clinics: fleet.Fleet) -> ExitCode:
    member = _member(arguments.clinic, clinics)
    one = replace(clinics, members=[member])  # nothing of it is started yet
    one.protection.keys.prepare()
    if one.running():
        holder = fleet.find_holder(member.silo)
        if holder is None or holder.address != member.address:
            raise fleet.FleetError("not_from_here", clinic=member.id, address=member.address)
        if not fleet.end(holder):
            raise fleet.FleetError("not_stopped", clinic=member.id, pid=holder.pid)
    try:
        one.launch()
        one.await_health(arguments.wait_s)
        one.release()
    finally:
        one.stop()
    print(texts_of_locale().text("fleet.restarted", clinic=member.id))
    return ExitCode.OK


def _store(arguments: Arguments, clinics: fleet.Fleet) -> ExitCode:
    if arguments.clinic:
        _member(arguments.clinic, clinics)
    kept = [one for one in clinics.members if one.is_local and one.store and arguments.clinic in {"", one.id}]
    if not kept:
        asked = f"give --store or {variable('store')}"
        raise SettingsError(f"store {arguments.action}: no PostgreSQL server is set; {asked}")
    commands = (fleet.store_command(arguments.action, one) for one in kept)
    environment = fleet.clinic_environment(has_store=True)
    done = [subprocess.run(command, env=environment, check=False).returncode == 0 for command in commands]
    return ExitCode.OK if all(done) else ExitCode.REFUSED


def _member(clinic: str, clinics: fleet.Fleet) -> fleet.Member:
    member = next((member for member in clinics.members if member.id == clinic), None)
    if member is None:
        known = ", ".join(member.id for member in clinics.members)
        raise SettingsError(f"there is no such clinic; known are {known}")
    if not member.is_local:
        raise fleet.FleetError("not_here", clinic=member.id, address=member.address)
    return member


def _clinic(clinic: str, clinics: fleet.Fleet) -> ExitCode:
    member = _member(clinic, clinics)
    clinics.protection.keys.prepare()
    command = fleet.clinic_command(member, clinics.calendar, clinics.protection, telemetry=clinics.telemetry)
    sys.stdout.flush()
    environment = fleet.clinic_environment(telemetry=clinics.telemetry, has_store=member.store is not None)
    os.execve(command[0], command, environment)  # noqa: S606 - the same program that the fleet starts


def _print_status(clinics: fleet.Fleet, registry: Registry, arguments: Arguments) -> ExitCode:
    entries = fleet.clinic_statuses(clinics)
    serving = [registry[entry.member.id] for entry in entries if entry.is_serving]
    offers = fleet.ask_offers(serving, clinics.protection.client_tls())
    lines = [(entry, registry[entry.member.id], offers.get(entry.member.id, fleet.OfferedTools())) for entry in entries]
    if arguments.output == "json":
        document = {"schema": STATUS_SCHEMA, "clinics": [_as_json(*line) for line in lines]}
        print(json.dumps(document, ensure_ascii=False, indent=2))
    elif arguments.counts_calls:
        _print_refusals(offers)
    else:
        _print_table(lines)
    up = sum(entry.is_serving for entry in entries)
    return ExitCode.OK if up == len(entries) else ExitCode.PARTIAL if up else ExitCode.ALL_DOWN


def _as_json(entry: fleet.ClinicStatus, agent: Agent, offer: fleet.OfferedTools) -> dict[str, object]:
    counts = [{name: getattr(one, name) for name in ("method", "reason", "calls")} for one in offer.refusals or ()]
    return {
        "clinic": entry.member.id,
        "address": entry.member.address,
        "pid": entry.pid,
        "since": None if entry.since is None else entry.since.isoformat(timespec="seconds"),
        "uptime_s": None if entry.since is None else _uptime_s(entry.since),
        "health": entry.health,
        "agenda": entry.agenda,
        "overlapping_slots": entry.overlapping_slots,
        "doctors": list(entry.doctors),
        "service": agent.service,
        "domains": list(agent.domains),
        "intents": list(agent.intents or ()),
        "tools": None if offer.tools is None else list(offer.tools),
        "lacking": list(offer.lacking),
        "refusals": None if offer.refusals is None else counts,
    }


def _uptime_s(since: datetime) -> int:
    return max(0, int((datetime.now(UTC) - since).total_seconds()))  # a clock that was set back makes no negative ages


def _print_table(lines: Sequence[tuple[fleet.ClinicStatus, Agent, fleet.OfferedTools]]) -> None:
    texts = texts_of_locale()
    rows: list[tuple[str, ...]] = []
    for entry, _, offer in lines:
        pid = "" if entry.pid is None else str(entry.pid)
        age = "" if entry.since is None else _duration(_uptime_s(entry.since), texts)
        health = texts.table("fleet.health").get(entry.health, entry.health)
        if entry.answers_as:
            health = texts.text("fleet.is_other", clinic=entry.answers_as)
        if entry.overlapping_slots:
            health += "; " + texts.counted("fleet.overlapping", entry.overlapping_slots)
        where = (entry.member.id, entry.member.address, pid, age, health, entry.agenda)
        tools = "" if offer.tools is None else str(len(offer.tools))
        tools += f", {texts.text('fleet.lacking', intents=', '.join(offer.lacking))}" if offer.lacking else ""
        rows.append((*where, tools, ", ".join(entry.doctors)))
    Renderer().show([Table(texts.lines("fleet.columns"), tuple(rows))])


def _print_refusals(offers: Mapping[str, fleet.OfferedTools]) -> None:
    texts = texts_of_locale()
    rows = [
        (clinic, refusal.method or texts.text("fleet.any_method"), refusal.reason, str(refusal.calls))
        for clinic, offer in offers.items()
        for refusal in offer.refusals or ()
    ]
    silent = [clinic for clinic, offer in offers.items() if offer.refusals is None]
    if rows:
        Renderer().show([Table(texts.lines("fleet.refusals"), tuple(rows))])
    elif len(silent) < len(offers):
        print(texts.text("fleet.nothing_refused"))
    for clinic in silent:
        print(texts.text("fleet.counts_unknown", clinic=clinic), file=sys.stderr)


def _duration(seconds: int, texts: Texts) -> str:
    units = zip((86400, 3600, 60, 1), reversed(texts.lines("fleet.durations")), strict=True)
    size, unit = next((size, unit) for size, unit in units if seconds >= size or size == 1)
    return unit.format(n=seconds // size)


def _print_logs(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    if arguments.clinic and arguments.clinic not in registry:
        raise SettingsError(f"there is no such clinic; known are {', '.join(registry)}")
    clinics = [arguments.clinic] if arguments.clinic else list(registry)
    console = Console(markup=False, highlight=False, emoji=False, soft_wrap=True)
    width = max(map(len, clinics), default=0)
    colours = dict(zip(clinics, cycle(_COLOURS), strict=False))
    try:
        with ExitStack() as parts:
            if arguments.follows:  # an interrupt is its orderly end
                parts.enter_context(suppress(KeyboardInterrupt))
            tails = {
                clinic: parts.enter_context(fleet.LogTail(fleet.log_file(settings.log_dir, clinic)))
                for clinic in clinics
            }
            for clinic, lines in _lines(tails, arguments, settings):
                whose = Text(f"{clinic:<{width}} | ", colours[clinic]) if len(clinics) > 1 else ""
                for line in lines:
                    # Not what a terminal would obey: a log may repeat what came over the network.
                    console.print(Text.assemble(whose, harmless(line)))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SettingsError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return ExitCode.OK


def _lines(
    tails: Mapping[str, fleet.LogTail], arguments: Arguments, settings: Settings
) -> Iterator[tuple[str, Sequence[str]]]:
    for clinic, tail in tails.items():
        lines = tail.last(arguments.lines)
        yield clinic, lines
        if not lines:
            log = fleet.log_file(settings.log_dir, clinic)
            print(texts_of_locale().text("fleet.no_log", clinic=clinic, log=log), file=sys.stderr)
    while arguments.follows:
        for clinic, tail in tails.items():
            yield clinic, tail.more()
        time.sleep(_POLL_S)
