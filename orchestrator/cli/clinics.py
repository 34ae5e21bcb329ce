"""Run the commands that start and end clinics, look at them, and move their agendas."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from mesh.tls import ClientTls
from orchestrator import fleet
from orchestrator.agents import Registry, at_once
from orchestrator.cli.clinic_reports import print_logs, print_status
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, await_clinics
from orchestrator.composition import fleet_of, serving_memory
from orchestrator.settings import Settings, SettingsError, variable
from orchestrator.texts import Texts, texts_of_locale

_WATCH_S = 0.5  # seconds between two looks at the clinics that `up` stays with


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Run one of the commands and return its exit code."""
    clinics = fleet_of(settings, registry, uses_telemetry=arguments.command in {"up", "restart", "clinic"})
    commands: dict[str, Callable[[], ExitCode]] = {
        "up": lambda: _up(arguments, settings, clinics, registry),
        "down": lambda: _down(arguments.clinic, settings, clinics),
        "restart": lambda: _restart(arguments, clinics),
        "logs": lambda: print_logs(arguments, settings, registry),
        "status": lambda: print_status(clinics, registry, arguments),
        "store": lambda: _store(arguments, clinics),
        "clinic": lambda: _clinic(arguments.clinic, clinics),
    }
    return commands[arguments.command]()


def _up(arguments: Arguments, settings: Settings, clinics: fleet.Fleet, registry: Registry) -> ExitCode:
    texts = texts_of_locale()
    try:
        clinics.prepare_keys()
        clinics.launch()
        await_clinics(clinics, arguments.wait_s)
        code = print_status(clinics, registry, arguments)
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
            _watch(clinics, texts)
        return ExitCode.PARTIAL if clinics.failed else ExitCode.OK
    finally:
        clinics.stop()


def _watch(clinics: fleet.Fleet, texts: Texts) -> None:
    never = threading.Event()
    while clinics.started:
        never.wait(_WATCH_S)
        for process in clinics.take_ended():
            print(texts.text("fleet.ended", clinic=process.member.id, status=process.popen.returncode), file=sys.stderr)


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
    ended = at_once(lambda holder: _end(holder, tls, texts), holders)
    return ExitCode.OK if all(ended) else ExitCode.REFUSED


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
    one = clinics.only(member.id)
    one.prepare_keys()
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
    clinics.prepare_keys()
    command = fleet.clinic_command(member, clinics.calendar, clinics.protection, telemetry=clinics.telemetry)
    sys.stdout.flush()
    environment = fleet.clinic_environment(telemetry=clinics.telemetry, has_store=member.store is not None)
    os.execve(command[0], command, environment)  # noqa: S606 - the same program that the fleet starts
