"""`python -m bench.scale`: how far one clinic goes, by the number of its slots and of its callers; ghz calls it.

Bookings a second and the time of one, of a clinic in a process of its own, with tokens and durable; a caller in Python
would be what is measured. With --store the clinic keeps its agenda elsewhere, and several processes of it may share it
(--replicas): each has a ghz of its own, all at once, with its share of the callers; their calls are counted together.
A round books a number of slots and gives them back, which is not measured. The sizes take turns, round by round.

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
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from bench import agenda
from bench.clinic import clinic_arguments, make_keys, token_of
from bench.processes import running, scratch
from bench.report import machine
from clinics.slots import Slot
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import TOKEN_KEY

SLOTS, CALLERS = (500, 10_000, 100_000), (1, 8, 64, 256)
_BOOK, _CANCEL = (f"clinic.v1.ClinicService/{name}Appointment" for name in ("Book", "Cancel"))
_BOOKINGS = {500: 480, 10_000: 1000, 100_000: 600}  # with the rounds below the 20,000 writes a day of a clinic
_ALONE = 4  # so many times fewer by one caller
_CALLS_OF_A_CONNECTION = 16
_CONNECTIONS = 4  # of a hub; what is beyond 16 calls in each of them waits there
_PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Round:
    """What one round came to: bookings a second, milliseconds of one by percentile, how calls ended."""

    per_s: float
    ms: tuple[float, ...]
    endings: dict[str, int]
    cpu_ms: float = 0.0  # of the clinic, a booking


@dataclass(frozen=True, slots=True)
class Clinic:
    """A clinic that runs, in as many processes as it has replicas.

    Attributes:
        addresses: Where they are.
        pids: Their processes.
        slots: What it holds.
        folder: Where the files of the calls are written.
    """

    addresses: Sequence[str]
    pids: Sequence[int]
    slots: tuple[Slot, ...]
    folder: Path

    def round(self, callers: int) -> Round:
        """Book and give back."""
        count = _BOOKINGS.get(len(self.slots), 1000) // (_ALONE if callers == 1 else 1)
        before = self._cpu_s()
        booked = self._at_once(_BOOK, self.slots[:count], callers)
        spent = self._cpu_s() - before
        self._at_once(_CANCEL, self.slots[:count], callers)
        return replace(booked, cpu_ms=spent * 1000 / count)

    def _at_once(self, method: str, slots: Sequence[Slot], callers: int) -> Round:
        parts = len(self.addresses)
        with ThreadPoolExecutor(parts) as threads:
            runs = [
                threads.submit(self._run, method, number, slots[number::parts], callers // parts or 1)
                for number in range(parts)
            ]
            reports = [run.result() for run in runs]
        calls = [call for report in reports for call in report["details"]]
        endings: dict[str, int] = {}
        for call in calls:
            endings[call["status"]] = endings.get(call["status"], 0) + 1
        took = sorted(call["latency"] / 1e6 for call in calls if call["status"] == "OK")
        per_s = endings.get("OK", 0) / max(report["total"] / 1e9 for report in reports)
        return Round(per_s, tuple(_percentile(took, percent) for percent in _PERCENTILES), endings)

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

    def _cpu_s(self) -> float:
        fields = [Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split() for pid in self.pids]
        return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")

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


@contextmanager
def open_clinic(slots: int, store: str | None, replicas: int) -> Iterator[Clinic]:
    """Yield a clinic of so many slots; with a store, of those that are in it."""
    data = agenda.make_slots(slots)
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        keys = make_keys(folder)
        (folder / "metadata.json").write_text(json.dumps({TOKEN_KEY: f"Bearer {token_of(keys)}"}), "utf-8")
        servers = []
        for number in range(replicas):
            silo = folder / f"clinic-{number}"
            # A bench is one caller: what one subject may have at once is not what is measured.
            arguments = [*clinic_arguments(silo, keys.public)[:-1], "off"]
            if store is None:
                agenda.write_database(silo / "db.json", data)
            else:
                arguments += ["--store", store]
            servers.append(parts.enter_context(running("clinics", *arguments)))
        yield Clinic([server.address for server in servers], [server.pid for server in servers], data, folder)


def measure(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield a row for each number of slots, replicas and callers."""
    with ExitStack() as parts:
        clinics = {
            (slots, replicas): parts.enter_context(open_clinic(slots, options.store, replicas))
            for slots, replicas in product(options.slots, options.replicas)
        }
        rounds: dict[tuple[int, int, int], list[Round]] = {}
        for _ in range(options.rounds):
            for callers, (slots, replicas) in product(options.callers, clinics):
                found = clinics[slots, replicas].round(callers)
                rounds.setdefault((slots, replicas, callers), []).append(found)
                print(".", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        for (slots, replicas, callers), seen in rounds.items():
            row: dict[str, object] = {"slots": slots, "replicas": replicas, "callers": callers}
            row["bookings_per_s"] = round(statistics.median(each.per_s for each in seen), 1)
            row["range"] = [round(pick(each.per_s for each in seen), 1) for pick in (min, max)]
            for at, percent in enumerate(_PERCENTILES):
                row[f"p{percent}_ms"] = round(statistics.median(each.ms[at] for each in seen), 2)
            row["cpu_ms"] = round(statistics.median(each.cpu_ms for each in seen), 2)
            row["not_ok"] = sum(sum(each.endings.values()) - each.endings.get("OK", 0) for each in seen)
            row["memory_mib"] = round(clinics[slots, replicas].memory_mib(), 1)
            yield row


def main() -> int:
    """Measure, print a table, and write JSON where it is asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description="Measures how far one clinic goes.")
    parser.add_argument("--store", metavar="URL", help="where its agenda is, with the bench's slots in it")
    parser.add_argument("--replicas", type=_numbers, default=(1,), help="processes that share it, such as 1,2,3")
    parser.add_argument("--slots", type=_numbers, default=SLOTS, help="default: 500,10000,100000")
    parser.add_argument("--callers", type=_numbers, default=CALLERS, help="default: 1,8,64,256")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found there too")
    parser.add_argument("--database", type=Path, metavar="FILE", help="only write the slots as a db.json, to import")
    options = parser.parse_args()
    if options.database is not None:
        agenda.write_database(options.database, agenda.make_slots(max(options.slots)))
        return 0
    if options.store is None and options.replicas != (1,):
        parser.error("a db.json has one process; --replicas takes --store")
    if shutil.which("ghz") is None:
        print("ghz is not here: skipped.")
        return 0
    before = machine()
    rows = list(measure(options))
    columns = (
        "slots",
        "replicas",
        "callers",
        "bookings_per_s",
        "range",
        "p50_ms",
        "p95_ms",
        "p99_ms",
        "cpu_ms",
        "not_ok",
        "memory_mib",
    )
    print("  ".join(f"{name:>14}" for name in columns))
    for row in rows:
        print("  ".join(f"{row[name]!s:>14}" for name in columns))
    if options.json is not None:
        options.json.write_text(
            json.dumps({"machine": before, "store": bool(options.store), "rows": rows}, indent=2), "utf-8"
        )
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


if __name__ == "__main__":
    sys.exit(main())
