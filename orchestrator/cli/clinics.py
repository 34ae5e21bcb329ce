"""The commands about the clinics themselves: up, down, status and clinic."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from mesh.tls import ClientTls
from orchestrator.cli.arguments import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.fleet.finding import Present
from orchestrator.fleet.fleet import Fleet
from orchestrator.fleet.holder import Holder, end, find_holders
from orchestrator.fleet.member import FleetError, Member
from orchestrator.fleet.offers import Offer, ask_offers
from orchestrator.fleet.probe import probe
from orchestrator.fleet.process import clinic_command, clinic_environment
from orchestrator.fleet.roll import Entry, call_roll
from orchestrator.registry import Agent, Registry
from orchestrator.settings import Settings, SettingsError

_SILENT = Offer(None)

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
            return _up(fleet, registry, is_detached=arguments.is_detached)
        case "down":
            return _down(settings, fleet.protection.client_tls)
        case "status":
            return _status(fleet, registry, as_json=arguments.output == "json")
        case _:
            return _clinic(arguments.clinic, settings, fleet)


def _up(fleet: Fleet, registry: Registry, *, is_detached: bool) -> ExitCode:
    try:
        fleet.prepare_keys()
        fleet.launch()
        fleet.await_health()
        code = _status(fleet, registry, as_json=False)
        if is_detached:
            fleet.release()
            return code
        # Once that is announced, being asked to end is what is waited for: SIGINT, or SIGTERM and SIGHUP as SystemExit.
        with suppress(KeyboardInterrupt, SystemExit):
            sys.stderr.write("Ctrl-C stops the clinics that were started here.\n")
            threading.Event().wait()
        return ExitCode.OK
    finally:
        fleet.stop()


def _down(settings: Settings, tls: ClientTls | None) -> ExitCode:
    holders = find_holders(settings.data_dir)
    if not holders:
        sys.stdout.write(f"no clinic runs from {settings.data_dir}\n")
        return ExitCode.OK
    with ThreadPoolExecutor(len(holders)) as pool:
        ended = list(pool.map(lambda holder: _end(holder, tls), holders))
    return ExitCode.OK if all(ended) else ExitCode.REFUSED


def _end(holder: Holder, tls: ClientTls | None) -> bool:
    """End a holder that proves to be the clinic it says it is; a stranger under its pid is never touched."""
    who = f"{holder.clinic} (process {holder.pid}, {holder.address or 'not listening yet'}, {holder.agenda})"
    if holder.address:
        member = Member(holder.clinic, holder.address, holder.lock.parent)
        # It may have been started before TLS was set, or after.
        found = [probe(member, each) for each in dict.fromkeys((tls, None))]
        if any(
            isinstance(who, Present) and (who.clinic, who.agenda) == (holder.clinic, holder.agenda) for who in found
        ):
            ended = end(holder)
            sys.stdout.write(f"{who}: {'stopped' if ended else 'could not be stopped'}\n")
            return ended
    sys.stdout.write(f"{who}: does not answer as this clinic there, left alone; end the process yourself\n")
    return False


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
        "health": entry.health,
        "agenda": entry.agenda,
        "doctors": list(entry.doctors),
        "service": agent.service,
        "domains": list(agent.domains),
        "intents": list(agent.intents or ()),
        "tools": None if offer.tools is None else list(offer.tools),
        "lacking": list(offer.lacking),
    }


def _print_table(lines: Sequence[tuple[Entry, Agent, Offer]]) -> None:
    from rich import box  # noqa: PLC0415 - JSON needs no drawing
    from rich.console import Console  # noqa: PLC0415 - as above
    from rich.table import Table  # noqa: PLC0415 - as above

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("clinic", "address", "pid", "health", "agenda", "tools", "doctors"):
        table.add_column(heading, no_wrap=heading not in {"tools", "doctors"})
    for entry, _, offer in lines:
        pid = "" if entry.pid is None else str(entry.pid)
        doctors = ", ".join(entry.doctors)
        table.add_row(entry.member.id, entry.member.address, pid, entry.health, entry.agenda, _tools(offer), doctors)
    Console(markup=False, highlight=False, emoji=False).print(table)


def _tools(offer: Offer) -> str:
    """Return how many tools there are, and what the registry wants of the agent and it does not offer."""
    count = "" if offer.tools is None else str(len(offer.tools))
    return f"{count}, not offered: {', '.join(offer.lacking)}" if offer.lacking else count


def _clinic(clinic: str, settings: Settings, fleet: Fleet) -> ExitCode:
    member = next((member for member in fleet.members if member.id == clinic), None)
    if member is None:
        known = ", ".join(member.id for member in fleet.members)
        raise SettingsError(f"there is no such clinic; known are {known}")
    if not member.is_local:
        raise FleetError(f"{member.id}: {member.address} is not an address of this machine")
    fleet.prepare_keys()
    command = clinic_command(member, settings.agenda.value, settings.now, fleet.protection, telemetry=fleet.telemetry)
    sys.stdout.flush()
    environment = clinic_environment(telemetry=fleet.telemetry)
    os.execve(command[0], command, environment)  # noqa: S606 - the same program that the fleet starts
