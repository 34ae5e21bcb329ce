"""The state of the clinics on standard output: a table for people, or JSON, described in docs/output-schema.md."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from orchestrator.agents import Agent, Registry
from orchestrator.cli.exit_code import ExitCode
from orchestrator.fleet import ClinicStatus, Fleet, OfferedTools, ask_offers, clinic_statuses
from orchestrator.texts import Texts, texts_of_locale

SCHEMA = "clinic-mesh.status/1"
"""Version of the JSON of `status`; it changes when a field is renamed or removed."""

_SILENT = OfferedTools(None)


def print_status(fleet: Fleet, registry: Registry, *, as_json: bool) -> ExitCode:
    """Print the state of the clinics and return the exit code that tells whether all of them serve.

    Args:
        fleet: The clinics.
        registry: What is said of them.
        as_json: As one JSON object and not as a table.

    Raises:
        CredentialError: The keys cannot be read.
    """
    entries = clinic_statuses(fleet)
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


def _as_json(entry: ClinicStatus, agent: Agent, offer: OfferedTools) -> dict[str, object]:
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


def _print_table(lines: Sequence[tuple[ClinicStatus, Agent, OfferedTools]]) -> None:
    from rich import box  # noqa: PLC0415 - JSON needs no drawing
    from rich.console import Console  # noqa: PLC0415 - as above
    from rich.table import Table  # noqa: PLC0415 - as above

    texts = texts_of_locale()
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for place, heading in enumerate(texts.lines("fleet.columns")):
        table.add_column(heading, no_wrap=place < len(texts.lines("fleet.columns")) - 2)
    for entry, _, offer in lines:
        pid = "" if entry.pid is None else str(entry.pid)
        age = "" if entry.since is None else _duration(_uptime_s(entry.since), texts)
        health = texts.table("fleet.health").get(entry.health, entry.health)
        if entry.answers_as:
            health = texts.text("fleet.is_other", clinic=entry.answers_as)
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


def _duration(seconds: int, texts: Texts) -> str:
    """Return a time in its largest whole unit."""
    size, unit = next(
        (size, unit)
        for size, unit in zip((86400, 3600, 60, 1), reversed(texts.lines("fleet.durations")), strict=True)
        if seconds >= size or size == 1
    )
    return unit.format(n=seconds // size)


def _tools(offer: OfferedTools, texts: Texts) -> str:
    """Return how many tools there are, and what the registry wants of the agent and it does not offer."""
    count = "" if offer.tools is None else str(len(offer.tools))
    return f"{count}, {texts.text('fleet.lacking', intents=', '.join(offer.lacking))}" if offer.lacking else count
