"""The state of every clinic and the tools of agents, as `status` shows them; health in the background; log files."""

import os
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Self

import grpc

from generated.mesh.v1.refusal_service_pb2 import Refusal
from mesh.channel import open_channel
from mesh.tls import ClientTls
from orchestrator.agents import Agent, ask_refusals, ask_tools, at_once, introduction_of, serving
from orchestrator.fleet.clinic_probe import Absence, Finding, Member, Present
from orchestrator.fleet.fleet import Fleet
from orchestrator.fleet.process import find_holder

_TOOLS_TIMEOUT_S = 2.0
_HEALTH_TIMEOUT_S = 0.5


@dataclass(frozen=True, slots=True)
class ClinicStatus:
    """A clinic's state."""

    member: Member
    pid: int | None  # the process that holds its silo; None when none does
    # "serving", "not serving", "down", "no clinic", "other keys" when it accepts none of our tokens, or "is clinic_x"
    # when another clinic answers
    health: str
    since: datetime | None = None  # when that process started to listen, UTC
    agenda: str = ""  # "rolling" or "blueprint"; empty when it does not answer
    doctors: tuple[str, ...] = ()  # full names with title
    answers_as: str = ""  # the id of another clinic that answers there; else empty
    overlapping_slots: int = 0  # slots from now on that overlap another one of the same doctor

    @property
    def is_serving(self) -> bool:
        """Whether it takes calls."""
        return self.health == "serving"


@dataclass(frozen=True, slots=True)
class OfferedTools:
    """What an agent offers, and what it refused."""

    tools: tuple[str, ...] | None = None  # the names of its tools, in its own order; None when it did not answer
    lacking: tuple[str, ...] = ()  # intents that the registry lists for it and that it does not offer
    refusals: tuple[Refusal, ...] | None = None  # calls since it serves; None when it does not say


def clinic_statuses(fleet: Fleet) -> tuple[ClinicStatus, ...]:
    """Return the state of every member, in the registry's order."""
    findings = fleet.survey()
    return tuple(_status_of(fleet, member, findings[member.id]) for member in fleet.members)


def ask_offers(agents: Sequence[Agent], tls: ClientTls | None) -> Mapping[str, OfferedTools]:
    """Return the tools of some agents, by id; all are asked at once."""
    return dict(zip((agent.id for agent in agents), at_once(lambda agent: _offer(agent, tls), agents), strict=True))


def _offer(agent: Agent, tls: ClientTls | None) -> OfferedTools:
    with open_channel(agent.address, (), tls) as channel:
        tools = ask_tools(channel, _TOOLS_TIMEOUT_S)
        if tools is None:
            return OfferedTools()
        lacking = tuple(intent for intent in agent.intents or () if intent not in tools)
        return OfferedTools(tools, lacking, ask_refusals(channel, _TOOLS_TIMEOUT_S))


def _status_of(fleet: Fleet, member: Member, finding: Finding) -> ClinicStatus:
    holder = find_holder(member.silo)
    pid, since = (holder.pid, holder.since) if holder and holder.address == member.address else (None, None)
    if not isinstance(finding, Present):
        return ClinicStatus(member, pid, "down" if finding is Absence.VACANT else "no clinic", since)
    said = finding.said
    facts = (finding.agenda, tuple(introduction_of(said).doctors))
    if said.clinic_id != member.id:
        return ClinicStatus(member, None, f"is {said.clinic_id}", None, *facts, answers_as=said.clinic_id)
    if not fleet.knows_keys(finding):
        return ClinicStatus(member, pid, "other keys", since, *facts)
    health = "serving" if finding.is_serving else "not serving"
    return ClinicStatus(member, pid, health, since, *facts, overlapping_slots=said.overlapping_slots)


@dataclass
class HealthWatch:
    """The clinics' health, at most a few seconds old; a context manager that ends its thread."""

    channels: Callable[[], Mapping[str, grpc.Channel]]  # returns the open channels by clinic
    up: frozenset[str]  # the ids of the clinics whose last check succeeded
    interval_s: float = 2.0
    on_change: Callable[[], None] | None = None  # called in the background thread

    def __post_init__(self) -> None:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="health-watch", daemon=True)

    def _beat(self) -> None:
        while not self._ended.wait(self.interval_s):
            before, self.up = self.up, serving(self.channels(), _HEALTH_TIMEOUT_S)
            if self.up != before and self.on_change is not None:
                self.on_change()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()


class LogTail(AbstractContextManager["LogTail"]):
    """A log file, read from its end; a context manager that closes it. The file need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._begun = b""

    def last(self, count: int) -> list[str]:
        """Return the last `count` lines of the file; raise `OSError` if it exists and cannot be read."""
        self._open()
        return [] if self._file is None else [_text(line) for line in deque(self._file, maxlen=count)]

    def more(self) -> list[str]:
        """Return the complete lines written since the last call of either method; raise `OSError` as `last`."""
        lines = self._read_on()
        if self._is_another():
            self._open()  # what was written before the file was moved away has been read by now
            lines += self._read_on()
        return [_text(line) for line in lines]

    def _read_on(self) -> list[bytes]:
        if self._file is None:
            return []
        if os.fstat(self._file.fileno()).st_size < self._file.tell():
            self._file.seek(0)
            self._begun = b""
        *lines, self._begun = (self._begun + self._file.read()).split(b"\n")
        return lines

    def _is_another(self) -> bool:
        # The path now leads to another file than the open one.
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        return self._file is None or not os.path.samestat(there, os.fstat(self._file.fileno()))

    def _open(self) -> None:
        self._close()
        with suppress(FileNotFoundError):
            self._file = self._path.open("rb")

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file, self._begun = None, b""

    def __exit__(self, *_: object) -> None:
        self._close()


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")
