"""`python -m tests.torture`: kills, failures of the disk, full disks, cut files and a race, on silos that go away.

Prints the seed first, so that what breaks can be looked for again; the silos of a run that broke stay.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import sys
import tempfile
import time
from pathlib import Path

# A database server is started and ended under calls: gRPC's handlers for a fork do not outlive that.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "false"

from tests.support.postgres import PostgresMissingError, postgres
from tests.torture import damage, faults, full, killing, race
from tests.torture.writer import BrokenPromiseError

_SHOWN_EVERY = 25
_KILLS_OF_A_SILO = 100
_RACERS = 200
_FILLINGS = 40
_CUTS = 25
_CONNECTIONS_CUT = 50
_OUTAGES = 20


def main() -> int:
    """Torture a clinic; returns 1 when it broke a promise."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=300, help="how often the clinic is killed (300)")
    parser.add_argument("--writes", type=int, default=500, help="writes a patient tries on the failing disk (500)")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="decides what is random (a new one)")
    parser.add_argument("--store", choices=("db.json", "postgresql"), default="db.json", help="what keeps the agenda")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="clinic-mesh-torture-"))
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    try:
        if options.store == "postgresql":
            _on_postgresql(folder, options)
            return 0
        for number, kills in enumerate(_lives(options.kills)):
            toll = killing.torture(folder / f"killed-{number}", f"{options.seed}-{number}", kills, report=_show)
            print(
                f"{toll.kills} kills: {toll.acknowledged} acknowledged writes, each there once; {toll.unknown} cut off "
                f"and settled by a repeat; {toll.repeated} earlier ones repeated and answered the same",
                flush=True,
            )
        toll = faults.torture(folder / "failing", options.seed, options.writes)
        print(
            f"{toll.kills} disk failures: {toll.acknowledged} acknowledged writes, each on the disk when it was "
            f"confirmed; {toll.unknown} answers of an unknown outcome, all settled by a repeat",
            flush=True,
        )
        refused = full.torture(folder / "limited", options.seed, _FILLINGS, full.limited)
        (folder / "small").mkdir()
        with full.small_file_system(folder / "small") as may:
            if may:
                refused += full.torture(folder / "small" / "silo", options.seed, _FILLINGS, full.filled)
                full.restart_while_full(folder / "small" / "another", options.seed)
        where = "on a limit and on a full file system" if may else "on a limit (a full file system takes root)"
        print(f"{refused} writes refused {where}, with reads served and nothing lost", flush=True)
        damage.torture(folder / "cut", options.seed, _CUTS)
        print(f"{_CUTS} files cut off between two lives and as many under the clinic: none read in part", flush=True)
        race.race(folder / "raced", _RACERS)
        print(f"{_RACERS} processes wanted one slot: one has it", flush=True)
    except BrokenPromiseError as broken:
        print(f"BROKEN with seed {options.seed}: {broken}\nthe silos stay in {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    print(f"nothing lost in {time.monotonic() - started:.0f} s")
    return 0


def _on_postgresql(folder: Path, options: argparse.Namespace) -> None:
    from tests.torture import cuts, outages  # noqa: PLC0415 - need psycopg, an extra

    with postgres(is_durable=True) as url:
        for number, kills in enumerate(_lives(options.kills)):
            toll = killing.torture(
                folder / f"killed-{number}", f"{options.seed}-{number}", kills, report=_show, url=url
            )
            print(f"{toll.kills} kills: {toll.acknowledged} acknowledged writes, each there once", flush=True)
        toll = cuts.torture(folder / "cut", options.seed, _CONNECTIONS_CUT, url)
        print(
            f"{toll.kills} connections cut at work: {toll.acknowledged} acknowledged writes, each there once; "
            f"{toll.unknown} answers of an unknown outcome, all settled by a repeat",
            flush=True,
        )
    for what, torture in (
        ("restarts of the server under load", outages.restarts),
        ("takeovers by a synchronous standby", outages.failovers),
        ("times the server's disk was full", outages.full_disks),
    ):
        try:
            toll = torture(folder / torture.__name__, options.seed, _OUTAGES)
        except PostgresMissingError as error:
            print(f"no {what}: {error}", flush=True)
            continue
        print(f"{toll.kills} {what}: {toll.acknowledged} acknowledged writes, each there once", flush=True)
    shutil.rmtree(folder)


def _lives(kills: int) -> list[int]:
    """Share kills among silos: one remembers 20,000 writes a day, and makes no more."""
    return [min(_KILLS_OF_A_SILO, kills - begun) for begun in range(0, kills, _KILLS_OF_A_SILO)]


def _show(number: int) -> None:
    if number % _SHOWN_EVERY == 0:
        print(f"  {number} kills", flush=True)


if __name__ == "__main__":
    sys.exit(main())
