"""The commands about the clinics themselves: up, down, restart, status and clinic."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime

from mesh.tls import ClientTls
from orchestrator.cli.arguments import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.fleet_texts import FleetTexts, fleet_texts
from orchestrator.fleet.finding import Present
from orchestrator.fleet.fleet import Fleet
from orchestrator.fleet.holder import Holder, end, find_holder, find_holders
from orchestrator.fleet.member import Member
from orchestrator.fleet.offers import Offer, ask_offers
from orchestrator.fleet.probe import probe
from orchestrator.fleet.process import clinic_command, clinic_environment
from orchestrator.fleet.roll import Entry, call_roll
from orchestrator.fleet.trouble import FleetError, Trouble
from orchestrator.registry import Agent, Registry
from orchestrator.settings import Settings, SettingsError

_SILENT = Offer(None)

_WATCH_S = 0.5
"""Seconds between two looks at the clinics that `up` stays with."""

SCHEMA = "clinic-mesh.status/1"
"""Version of the JSON of `status`; it changes when a field is renamed or removed."""


def run(arguments: Arguments, settings: Settings, registry: Registry, fleet: Fleet) -> ExitCode:
    """Run one of the commands and return its exit code.

    Raises:
        CredentialError: The keys cannot be made or read.
        FleetError: The clinics cannot be started.
        SettingsError: There is no such clinic.
    """
    match arguments.command:
        case "up":
            return _up(arguments, fleet, registry)
        case "down":
            return _down(arguments.clinic, settings, fleet)
        case "restart":
            return _restart(arguments, fleet)
        case "status":
            return _status(fleet, registry, as_json=arguments.output == "json")
        case _:
            return _clinic(arguments.clinic, settings, fleet)


def _up(arguments: Arguments, fleet: Fleet, registry: Registry) -> ExitCode:
    texts = fleet_texts()
    try:
        fleet.prepare_keys()
        fleet.launch()
        fleet.await_health(arguments.wait_s)
        code = _status(fleet, registry, as_json=False)
        if fleet.ran_before:
            _say(texts.ran_before.format(clinics=", ".join(fleet.ran_before)))
        if not fleet.started:
            _say(texts.nothing_started)
            return code
        _say(texts.started.format(clinics=", ".join(fleet.started)))
        if arguments.is_detached:
            fleet.release()
            return code
        # Once that is announced, being asked to end is what is waited for: SIGINT, or SIGTERM and SIGHUP as SystemExit.
        with suppress(KeyboardInterrupt, SystemExit):
            _say(texts.until_interrupt)
            _watch(fleet, texts)
        return ExitCode.OK
    finally:
        fleet.stop()


def _watch(fleet: Fleet, texts: FleetTexts) -> None:
    """Say which of the clinics that were started here end by themselves; return when none is left."""
    never = threading.Event()
    while fleet.started:
        never.wait(_WATCH_S)
        for process in fleet.take_ended():
            _say(texts.ended.format(clinic=process.member.id, status=process.status))


def _down(clinic: str, settings: Settings, fleet: Fleet) -> ExitCode:
    texts = fleet_texts()
    holders = [holder for holder in find_holders(settings.data_dir) if clinic in {"", holder.clinic}]
    if not holders:
        if clinic:
            _member(clinic, fleet)
        absent = texts.not_running if clinic else texts.nothing_runs
        sys.stdout.write(absent.format(clinic=clinic, folder=settings.data_dir) + "\n")
        return ExitCode.OK
    tls = fleet.protection.client_tls
    with ThreadPoolExecutor(len(holders)) as pool:
        ended = list(pool.map(lambda holder: _end(holder, tls, texts), holders))
    return ExitCode.OK if all(ended) else ExitCode.REFUSED


def _end(holder: Holder, tls: ClientTls | None, texts: FleetTexts) -> bool:
    """End a holder that proves to be the clinic it says it is; a stranger under its pid is never touched."""
    who = texts.holder.format(
        clinic=holder.clinic, pid=holder.pid, address=holder.address or texts.not_listening, agenda=holder.agenda
    )
    if holder.address:
        member = Member(holder.clinic, holder.address, holder.lock.parent)
        # It may have been started before TLS was set, or after.
        found = [probe(member, each) for each in dict.fromkeys((tls, None))]
        if any(
            isinstance(who, Present) and (who.clinic, who.agenda) == (holder.clinic, holder.agenda) for who in found
        ):
            ended = end(holder)
            sys.stdout.write((texts.stopped if ended else texts.not_stopped).format(holder=who) + "\n")
            return ended
    sys.stdout.write(texts.left_alone.format(holder=who) + "\n")
    return False


def _restart(arguments: Arguments, fleet: Fleet) -> ExitCode:
    """End one clinic in order, if it runs and is what it should be, and start it as these settings have it."""
    member = _member(arguments.clinic, fleet)
    one = fleet.only(member.id)
    one.prepare_keys()
    if one.running():
        holder = find_holder(member.silo)
        if holder is None or holder.address != member.address:
            raise FleetError(Trouble.NOT_FROM_HERE, clinic=member.id, address=member.address)
        if not end(holder):
            raise FleetError(Trouble.NOT_STOPPED, clinic=member.id, pid=holder.pid)
    try:
        one.launch()
        one.await_health(arguments.wait_s)
        one.release()
    finally:
        one.stop()
    sys.stdout.write(fleet_texts().restarted.format(clinic=member.id) + "\n")
    return ExitCode.OK


def _member(clinic: str, fleet: Fleet) -> Member:
    """Return a clinic that can be started here.

    Raises:
        FleetError: It is on another machine.
        SettingsError: There is no such clinic.
    """
    member = next((member for member in fleet.members if member.id == clinic), None)
    if member is None:
        known = ", ".join(member.id for member in fleet.members)
        raise SettingsError(f"there is no such clinic; known are {known}")
    if not member.is_local:
        raise FleetError(Trouble.NOT_HERE, clinic=member.id, address=member.address)
    return member


def _status(fleet: Fleet, registry: Registry, *, as_json: bool) -> ExitCode:
    entries = call_roll(fleet)
    serving = [registry[entry.member.id] for entry in entries if entry.is_serving]
    offers = ask_offers(serving, fleet.protection.client_tls)
    lines = [(entry, registry[entry.member.id], offers.get(entry.member.id, _SILENT)) for entry in entries]
    if as_json:
        document = {"schema": SCHEMA, "clinics": [_as_json(*line) for line in lines]}
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    else:
        _print_table(lines)
    up = sum(entry.is_serving for entry in entries)
    if up == len(entries):
        return ExitCode.OK
    return ExitCode.PARTIAL if up else ExitCode.ALL_DOWN


def _as_json(entry: Entry, agent: Agent, offer: Offer) -> dict[str, object]:
    return {
        "clinic": entry.member.id,
        "address": entry.member.address,
        "pid": entry.pid,
        "since": None if entry.since is None else entry.since.isoformat(timespec="seconds"),
        "uptime_s": None if entry.since is None else _uptime_s(entry.since),
        "health": entry.health,
        "agenda": entry.agenda,
        "doctors": list(entry.doctors),
        "service": agent.service,
        "domains": list(agent.domains),
        "intents": list(agent.intents or ()),
        "tools": None if offer.tools is None else list(offer.tools),
        "lacking": list(offer.lacking),
    }


def _uptime_s(since: datetime) -> int:
    # A clock that was set back makes no negative ages.
    return max(0, int((datetime.now(UTC) - since).total_seconds()))


def _print_table(lines: Sequence[tuple[Entry, Agent, Offer]]) -> None:
    from rich import box  # noqa: PLC0415 - JSON needs no drawing
    from rich.console import Console  # noqa: PLC0415 - as above
    from rich.table import Table  # noqa: PLC0415 - as above

    texts = fleet_texts()
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for place, heading in enumerate(texts.columns):
        table.add_column(heading, no_wrap=place < len(texts.columns) - 2)
    for entry, _, offer in lines:
        pid = "" if entry.pid is None else str(entry.pid)
        age = "" if entry.since is None else _duration(_uptime_s(entry.since), texts)
        health = texts.health.get(entry.health, entry.health)
        if entry.answers_as:
            health = texts.is_other.format(clinic=entry.answers_as)
        table.add_row(
            entry.member.id,
            entry.member.address,
            pid,
            age,
            health,
            entry.agenda,
            _tools(offer, texts),
            ", ".join(entry.doctors),
        )
    Console(markup=False, highlight=False, emoji=False).print(table)


def _duration(seconds: int, texts: FleetTexts) -> str:
    """Return a time in its largest whole unit."""
    size, unit = next(
        (size, unit)
        for size, unit in zip((86400, 3600, 60, 1), reversed(texts.durations), strict=True)
        if seconds >= size or size == 1
    )
    return unit.format(n=seconds // size)


def _tools(offer: Offer, texts: FleetTexts) -> str:
    """Return how many tools there are, and what the registry wants of the agent and it does not offer."""
    count = "" if offer.tools is None else str(len(offer.tools))
    return f"{count}, {texts.lacking.format(intents=', '.join(offer.lacking))}" if offer.lacking else count


def _clinic(clinic: str, settings: Settings, fleet: Fleet) -> ExitCode:
    member = _member(clinic, fleet)
    fleet.prepare_keys()
    command = clinic_command(member, settings.agenda.value, settings.now, fleet.protection, telemetry=fleet.telemetry)
    sys.stdout.flush()
    environment = clinic_environment(telemetry=fleet.telemetry)
    os.execve(command[0], command, environment)  # noqa: S606 - the same program that the fleet starts


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
