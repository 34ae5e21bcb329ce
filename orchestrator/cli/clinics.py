"""Run the commands that start and end clinics, look at them, and move their agendas."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from mesh.tls import ClientTls
from orchestrator.agents import Registry
from orchestrator.cli.clinic_reports import print_logs, print_status
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, await_clinics
from orchestrator.composition import fleet_of, serving_memory
from orchestrator.fleet import (
    Fleet,
    FleetError,
    Holder,
    Member,
    Present,
    clinic_command,
    clinic_environment,
    end,
    find_holder,
    find_holders,
    probe,
    store_command,
)
from orchestrator.settings import Settings, SettingsError, variable
from orchestrator.texts import Texts, texts_of_locale

_WATCH_S = 0.5  # seconds between two looks at the clinics that `up` stays with


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Run one of the commands and return its exit code."""
    fleet = fleet_of(settings, registry, uses_telemetry=arguments.command in {"up", "restart", "clinic"})
    commands: dict[str, Callable[[], ExitCode]] = {
        "up": lambda: _up(arguments, settings, fleet, registry),
        "down": lambda: _down(arguments.clinic, settings, fleet),
        "restart": lambda: _restart(arguments, fleet),
        "logs": lambda: print_logs(arguments, settings, registry),
        "status": lambda: print_status(fleet, registry, arguments),
        "store": lambda: _store(arguments, fleet),
        "clinic": lambda: _clinic(arguments.clinic, fleet),
    }
    return commands[arguments.command]()


def _up(arguments: Arguments, settings: Settings, fleet: Fleet, registry: Registry) -> ExitCode:
    texts = texts_of_locale()
    try:
        fleet.prepare_keys()
        fleet.launch()
        await_clinics(fleet, arguments.wait_s)
        code = print_status(fleet, registry, arguments)
        if fleet.ran_before:
            print(texts.text("fleet.ran_before", clinics=", ".join(fleet.ran_before)), file=sys.stderr)
        if not fleet.started:
            print(texts.text("fleet.nothing_started"), file=sys.stderr)
            return code
        print(texts.text("fleet.started", clinics=", ".join(fleet.started)), file=sys.stderr)
        if arguments.is_detached:
            fleet.release()
            return code
        # Once that is announced, being asked to end is what is waited for: SIGINT, or SIGTERM and SIGHUP as SystemExit.
        with serving_memory(settings, registry), suppress(KeyboardInterrupt, SystemExit):
            print(texts.text("fleet.until_interrupt"), file=sys.stderr)
            _watch(fleet, texts)
        return ExitCode.PARTIAL if fleet.failed else ExitCode.OK
    finally:
        fleet.stop()


def _watch(fleet: Fleet, texts: Texts) -> None:
    never = threading.Event()
    while fleet.started:
        never.wait(_WATCH_S)
        for process in fleet.take_ended():
            print(texts.text("fleet.ended", clinic=process.member.id, status=process.popen.returncode), file=sys.stderr)


def _down(clinic: str, settings: Settings, fleet: Fleet) -> ExitCode:
    texts = texts_of_locale()
    holders = [holder for holder in find_holders(settings.data_dir) if clinic in {"", holder.clinic}]
    if not holders:
        if clinic:
            _member(clinic, fleet)
        print(
            texts.text("fleet.not_running" if clinic else "fleet.nothing_runs", clinic=clinic, folder=settings.data_dir)
        )
        return ExitCode.OK
    tls = fleet.protection.client_tls()
    with ThreadPoolExecutor(len(holders)) as pool:
        ended = list(pool.map(lambda holder: _end(holder, tls, texts), holders))
    return ExitCode.OK if all(ended) else ExitCode.REFUSED


def _end(holder: Holder, tls: ClientTls | None, texts: Texts) -> bool:
    who = texts.text(
        "fleet.holder",
        clinic=holder.clinic,
        pid=holder.pid,
        address=holder.address or texts.text("fleet.not_listening"),
        agenda=holder.agenda,
    )
    if holder.address:
        member = Member(holder.clinic, holder.address, holder.lock.parent)
        # It may have been started before TLS was set, or after.
        found = [probe(member, each) for each in dict.fromkeys((tls, None))]
        if any(
            isinstance(who, Present) and (who.said.clinic_id, who.agenda) == (holder.clinic, holder.agenda)
            for who in found
        ):
            ended = end(holder)
            sys.stdout.write(texts.text("fleet.stopped" if ended else "fleet.not_stopped", holder=who) + "\n")
            return ended
    sys.stdout.write(texts.text("fleet.left_alone", holder=who) + "\n")
    return False


def _restart(arguments: Arguments, fleet: Fleet) -> ExitCode:
    member = _member(arguments.clinic, fleet)
    one = fleet.only(member.id)
    one.prepare_keys()
    if one.running():
        holder = find_holder(member.silo)
        if holder is None or holder.address != member.address:
            raise FleetError("not_from_here", clinic=member.id, address=member.address)
        if not end(holder):
            raise FleetError("not_stopped", clinic=member.id, pid=holder.pid)
    try:
        one.launch()
        one.await_health(arguments.wait_s)
        one.release()
    finally:
        one.stop()
    print(texts_of_locale().text("fleet.restarted", clinic=member.id))
    return ExitCode.OK


def _store(arguments: Arguments, fleet: Fleet) -> ExitCode:
    members = [_member(arguments.clinic, fleet)] if arguments.clinic else [one for one in fleet.members if one.is_local]
    kept = [one for one in members if one.store is not None]
    if not kept:
        raise SettingsError(
            f"store {arguments.action}: no PostgreSQL server is set; give --store or {variable('store')}"
        )
    commands = (store_command(arguments.action, one) for one in kept)
    environment = clinic_environment(has_store=True)
    done = [subprocess.run(command, env=environment, check=False).returncode == 0 for command in commands]
    return ExitCode.OK if all(done) else ExitCode.REFUSED


def _member(clinic: str, fleet: Fleet) -> Member:
    member = next((member for member in fleet.members if member.id == clinic), None)
    if member is None:
        known = ", ".join(member.id for member in fleet.members)
        raise SettingsError(f"there is no such clinic; known are {known}")
    if not member.is_local:
        raise FleetError("not_here", clinic=member.id, address=member.address)
    return member


def _clinic(clinic: str, fleet: Fleet) -> ExitCode:
    member = _member(clinic, fleet)
    fleet.prepare_keys()
    command = clinic_command(member, fleet.calendar, fleet.protection, telemetry=fleet.telemetry)
    sys.stdout.flush()
    environment = clinic_environment(telemetry=fleet.telemetry, has_store=member.store is not None)
    os.execve(command[0], command, environment)  # noqa: S606 - the same program that the fleet starts
