"""Show the clinics: `status` their state (docs/output-schema.md), `logs` what they wrote."""

import json
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from itertools import cycle

from rich.console import Console
from rich.text import Text

from orchestrator.agents import Agent, Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.console import Renderer, harmless
from orchestrator.fleet import ClinicStatus, Fleet, LogTail, OfferedTools, ask_offers, clinic_statuses, log_file
from orchestrator.settings import Settings, SettingsError
from orchestrator.texts import Texts, texts_of_locale
from orchestrator.turn import Table

STATUS_SCHEMA = "clinic-mesh.status/1"  # version of the JSON of `status`; it changes when a field is renamed or removed

_COUNTED = ("method", "reason", "calls")
_POLL_S = 0.2
_COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "bright_red")


def print_status(fleet: Fleet, registry: Registry, arguments: Arguments) -> ExitCode:
    """Print the state of the clinics and return the exit code that tells whether all of them serve."""
    entries = clinic_statuses(fleet)
    serving = [registry[entry.member.id] for entry in entries if entry.is_serving]
    offers = ask_offers(serving, fleet.protection.client_tls())
    lines = [(entry, registry[entry.member.id], offers.get(entry.member.id, OfferedTools())) for entry in entries]
    if arguments.output == "json":
        document = {"schema": STATUS_SCHEMA, "clinics": [_as_json(*line) for line in lines]}
        print(json.dumps(document, ensure_ascii=False, indent=2))
    elif arguments.counts_calls:
        _print_refusals(offers)
    else:
        _print_table(lines)
    up = sum(entry.is_serving for entry in entries)
    if up == len(entries):
        return ExitCode.OK
    return ExitCode.PARTIAL if up else ExitCode.ALL_DOWN


def _as_json(entry: ClinicStatus, agent: Agent, offer: OfferedTools) -> dict[str, object]:
    counts = [{name: getattr(one, name) for name in _COUNTED} for one in offer.refusals or ()]
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


def _print_table(lines: Sequence[tuple[ClinicStatus, Agent, OfferedTools]]) -> None:
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
        rows.append((*where, _tools(offer, texts), ", ".join(entry.doctors)))
    Renderer().show([Table(texts.lines("fleet.columns"), tuple(rows))])


def _print_refusals(offers: Mapping[str, OfferedTools]) -> None:
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


def _tools(offer: OfferedTools, texts: Texts) -> str:
    count = "" if offer.tools is None else str(len(offer.tools))
    return f"{count}, {texts.text('fleet.lacking', intents=', '.join(offer.lacking))}" if offer.lacking else count


def print_logs(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Print what the clinics wrote and return the exit code; an interrupt is the orderly end of following."""
    if arguments.clinic and arguments.clinic not in registry:
        raise SettingsError(f"there is no such clinic; known are {', '.join(registry)}")
    clinics = [arguments.clinic] if arguments.clinic else list(registry)
    console = Console(markup=False, highlight=False, emoji=False, soft_wrap=True)
    width = max(map(len, clinics), default=0)
    colours = dict(zip(clinics, cycle(_COLOURS), strict=False))
    try:
        with ExitStack() as parts:
            if arguments.follows:
                parts.enter_context(suppress(KeyboardInterrupt))
            tails = {clinic: parts.enter_context(LogTail(log_file(settings.log_dir, clinic))) for clinic in clinics}
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
    tails: Mapping[str, LogTail], arguments: Arguments, settings: Settings
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each clinic with its last lines, then, where they are followed, what comes until Ctrl-C."""
    for clinic, tail in tails.items():
        lines = tail.last(arguments.lines)
        yield clinic, lines
        if not lines:
            log = log_file(settings.log_dir, clinic)
            print(texts_of_locale().text("fleet.no_log", clinic=clinic, log=log), file=sys.stderr)
    never = threading.Event()
    while arguments.follows:
        for clinic, tail in tails.items():
            yield clinic, tail.more()
        never.wait(_POLL_S)
