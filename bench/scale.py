"""`python -m bench.scale`: how far one clinic goes, by its store, slots, replicas and callers; ghz calls it.

Bookings a second and the time of one, with tokens and durable; a caller in Python would be what is measured. A clinic
on db.json is one process. On PostgreSQL, which is started here and waits for its disk, it is as many as it has
replicas: each has a ghz of its own, all at once, with its share of the callers; their calls are counted together. A
round books a number of slots and gives them back, which is not measured. The clinics of one size take turns, round by
round. Prints a table in Markdown.

    go install github.com/bojand/ghz/cmd/ghz@v0.93.0
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import psycopg

from bench import agenda
from bench.clinic import clinic_arguments, make_keys, token_of
from bench.processes import running, scratch
from bench.report import machine
from bench.stores import fill
from clinics.request_archive import MOST_RECORDS
from clinics.slots import Slot
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import TOKEN_KEY
from tests.support.postgres import postgres

_JSON, _POSTGRES = "db.json", "PostgreSQL"
_BOOK, _CANCEL = (f"clinic.v1.ClinicService/{name}Appointment" for name in ("Book", "Cancel"))
_BOOKINGS = {500: 480, 10_000: 1600, 100_000: 1600}  # of a round
_ALONE = 4  # so many times fewer by one caller
_REWRITTEN = 100_000  # slots from which on a clinic on db.json makes a fifth of them
_CALLS_OF_A_CONNECTION = 16
_CONNECTIONS = 4  # of a hub; what is beyond 16 calls in each of them waits there
_PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Round:
    """What one round came to: bookings a second, milliseconds of one by percentile, how the others ended, and why."""

    per_s: float
    ms: tuple[float, ...]
    failures: Counter[str]
    cpu_ms: float = 0.0  # of the clinic, a booking
    server_cpu_ms: float = 0.0  # of its PostgreSQL


@dataclass(frozen=True, slots=True)
class Clinic:
    """A clinic that runs, in as many processes as it has replicas.

    Attributes:
        store: What keeps its agenda.
        addresses: Where they are.
        pids: Their processes.
        slots: What it holds.
        folder: Where the files of the calls are written.
        server: The first process of its PostgreSQL.
    """

    store: str
    addresses: Sequence[str]
    pids: Sequence[int]
    slots: tuple[Slot, ...]
    folder: Path
    server: int | None = None

    def round(self, callers: int, most: int) -> Round:
        """Book and give back."""
        count = min(_BOOKINGS.get(len(self.slots), 1000), most)
        count //= 5 if self.store == _JSON and len(self.slots) >= _REWRITTEN else 1
        count //= _ALONE if callers == 1 else 1
        before, server_before = _cpu_s(self.pids), _cpu_s(_family(self.server))
        booked = self._at_once(_BOOK, self.slots[:count], callers)
        spent, server_spent = _cpu_s(self.pids) - before, _cpu_s(_family(self.server)) - server_before
        given_back = self._at_once(_CANCEL, self.slots[:count], callers)
        return replace(
            booked,
            failures=booked.failures + given_back.failures,
            cpu_ms=spent * 1000 / count,
            server_cpu_ms=server_spent * 1000 / count,
        )

    def _at_once(self, method: str, slots: Sequence[Slot], callers: int) -> Round:
        parts = min(len(self.addresses), callers)
        with ThreadPoolExecutor(parts) as threads:
            runs = [
                threads.submit(self._run, method, number, slots[number::parts], (callers + number) // parts)
                for number in range(parts)
            ]
            reports = [run.result() for run in runs]
        failures: Counter[str] = Counter()
        for report in reports:
            failures.update(report.get("errorDistribution", {}))
        calls = [call for report in reports for call in report["details"]]
        took = sorted(call["latency"] / 1e6 for call in calls if call["status"] == "OK")
        per_s = len(took) / max(report["total"] / 1e9 for report in reports)
        return Round(per_s, tuple(_percentile(took, percent) for percent in _PERCENTILES), failures)

    def _run(self, method: str, number: int, slots: Sequence[Slot], callers: int) -> dict[str, Any]:
        data = self.folder / f"calls-{number}"
        data.write_bytes(b"".join(_request(slot, method) for slot in slots))
        connections = min(_CONNECTIONS, -(-callers // _CALLS_OF_A_CONNECTION))
        done = subprocess.run(
            [
                *("ghz", "--insecure", "--call", method, "--binary-file", str(data), "--format", "json"),
                *("--metadata-file", str(self.folder / "metadata.json"), "--total", str(len(slots))),
                *("--concurrency", str(min(callers, len(slots))), "--connections", str(connections)),
                *("--timeout", "60s", self.addresses[number]),
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    def memory_mib(self) -> float:
        """Return what the largest process of it holds."""
        return max(_status(pid, "VmRSS") for pid in self.pids) / 1024


def _request(slot: Slot, method: str) -> bytes:
    """Return a request as ghz reads many of them: its length, and itself."""
    name, cpf = agenda.patient(int.from_bytes(repr(slot).encode(), "big") % 10**9)
    where = {"doctor": slot.doctor, "date": slot.date, "time": slot.time, "patient_name": name, "cpf": cpf}
    if method == _BOOK:
        content = pb.BookAppointmentRequest(**where, request_id=str(uuid.uuid4())).SerializeToString()
    else:
        content = pb.CancelAppointmentRequest(**where).SerializeToString()
    return bytes([len(content) & 127 | 128, len(content) >> 7]) + content


def _percentile(ordered: Sequence[float], percent: int) -> float:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else float("nan")


def _status(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(f"{name}:")))


def _cpu_s(pids: Iterable[int]) -> float:
    return sum(sum(map(int, _stat(pid)[11:13])) for pid in pids) / os.sysconf("SC_CLK_TCK")


def _stat(pid: int) -> Sequence[str]:
    return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()


def _family(parent: int | None) -> Iterator[int]:
    """Yield a process and its children."""
    if parent is not None:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()
        yield from (parent, *map(int, children))


@contextmanager
def open_clinic(slots: tuple[Slot, ...], replicas: int, url: str | None = None) -> Iterator[Clinic]:
    """Yield a clinic of these slots: on db.json, or as replicas on the database of `url`, which holds them."""
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        keys = make_keys(folder)
        (folder / "metadata.json").write_text(json.dumps({TOKEN_KEY: f"Bearer {token_of(keys)}"}), "utf-8")
        servers = []
        for number in range(replicas):
            silo = folder / f"clinic-{number}"
            # A bench is one caller: what one subject may have at once is not what is measured.
            arguments = [*clinic_arguments(silo, keys.public)[:-1], "off"]
            if url is None:
                agenda.write_database(silo / "db.json", slots)
            else:
                arguments += ["--store", url]
            servers.append(parts.enter_context(running("clinics", *arguments)))
        addresses, pids = [server.address for server in servers], [server.pid for server in servers]
        store, server = (_JSON, None) if url is None else (_POSTGRES, _postmaster(url))
        yield Clinic(store, addresses, pids, slots, folder, server)


@contextmanager
def open_clinics(slots: int, replicas: Sequence[int]) -> Iterator[Sequence[Clinic]]:
    """Yield the clinics of one size: on db.json, and on databases of their own with so many replicas each."""
    data = agenda.make_slots(slots)
    with ExitStack() as parts:
        clinics = [parts.enter_context(open_clinic(data, 1))]
        if replicas:
            url = parts.enter_context(postgres(is_durable=True))
            fill(url, data)
        for count in replicas:
            name = f"replicas_{count}"
            # Not in the database that is copied, where nobody may be.
            with psycopg.connect(url, dbname="template1", autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name} TEMPLATE postgres".encode())
            clinics.append(parts.enter_context(open_clinic(data, count, url.replace("/postgres?", f"/{name}?"))))
        yield clinics


def _postmaster(url: str) -> int:
    folder = url.partition("host=")[2]
    return int(Path(folder, "data", "postmaster.pid").read_text("ascii").split()[0])


def measure(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield a row for each clinic and number of callers."""
    most = MOST_RECORDS // (options.rounds * len(options.callers))  # a clinic remembers so many writes a day
    for slots in options.slots:
        with open_clinics(slots, options.replicas) as clinics:
            rounds: dict[tuple[int, int], list[Round]] = {}
            for _, callers, at in product(range(options.rounds), options.callers, range(len(clinics))):
                rounds.setdefault((callers, at), []).append(clinics[at].round(callers, most))
                print(".", end="", file=sys.stderr, flush=True)
            print(file=sys.stderr)
            for (callers, at), seen in sorted(rounds.items()):
                yield _row(clinics[at], callers, seen)


def _row(clinic: Clinic, callers: int, seen: Sequence[Round]) -> dict[str, object]:
    rates = [each.per_s for each in seen]
    failures = sum((each.failures for each in seen), Counter[str]())
    return {
        "slots": len(clinic.slots),
        "store": clinic.store,
        "replicas": len(clinic.addresses),
        "callers": callers,
        "bookings/s": f"{_short(statistics.median(rates))} ({_short(min(rates))} to {_short(max(rates))})",
        **{
            f"p{percent}": _short(statistics.median(each.ms[at] for each in seen))
            for at, percent in enumerate(_PERCENTILES)
        },
        "clinic": round(statistics.median(each.cpu_ms for each in seen), 2),
        "server": round(statistics.median(each.server_cpu_ms for each in seen), 2),
        "MiB": round(clinic.memory_mib()),
        "failed": "; ".join(f"{count} {said}" for said, count in failures.items()) or 0,
    }


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 20 else f"{value:.1f}"


def main() -> int:
    """Measure, print a table, and write JSON where it is asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description="Measures how far one clinic goes.")
    parser.add_argument("--replicas", type=_numbers, default=(1, 2, 3), help="on PostgreSQL (1,2,3); 0: db.json alone")
    parser.add_argument("--slots", type=_numbers, default=(500, 10_000, 100_000), help="default: 500,10000,100000")
    parser.add_argument("--callers", type=_numbers, default=(1, 8, 64, 256), help="default: 1,8,64,256")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found there too")
    options = parser.parse_args()
    if shutil.which("ghz") is None:
        print("ghz is not here: skipped.")
        return 0
    before = machine()
    rows: list[dict[str, object]] = []
    for row in measure(options):
        if not rows:
            print(f"| {' | '.join(row)} |\n|{'---|' * len(row)}")
        rows.append(row)
        print(f"| {' | '.join(map(str, row.values()))} |", flush=True)
    if options.json is not None:
        options.json.write_text(json.dumps({"machine": before, "rows": rows}, indent=2), "utf-8")
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part != "0")


if __name__ == "__main__":
    sys.exit(main())
