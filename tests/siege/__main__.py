"""`python -m tests.siege`: the attacks of strangers, of tokens and of clinics that lie, and what each of them gets.

Every class of attacks is a line: how often it was tried, and how often it got something. All must be 0.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.siege.clinic_siege import ATTACKS, SLOWEST_MS, ClinicSiege, Outcome
from tests.siege.rogue_siege import deceive

LIES = "clinics that lie"


def main() -> int:
    """Run the siege; return 1 if an attack got something."""
    parser = argparse.ArgumentParser(prog="python -m tests.siege", description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="how long each class goes on (6)")
    parser.add_argument("--slowest", type=float, default=SLOWEST_MS, help="p99 of others, in ms (250)")
    parser.add_argument("classes", nargs="*", metavar="CLASS", help="only these")
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="clinic-mesh-siege-"))
    try:
        through = siege(folder, options.seconds, options.slowest, options.classes)
    finally:
        shutil.rmtree(folder)
    print("nothing got through" if not through else f"{through} classes got something")
    return 1 if through else 0


def siege(folder: Path, seconds: float, slowest_ms: float, only: list[str]) -> int:
    """Run the classes, print a line for each, and return how many got something."""
    through = 0
    with ClinicSiege(folder, slowest_ms) as clinic:
        for name, attack in ATTACKS.items():
            if not only or name in only:
                through += _show(name, clinic.endure(attack, seconds))
        through += _show("an orderly end after all that", clinic.end())
    if not only or LIES in only:
        turns, untrue = deceive(seconds)
        through += _show(LIES, Outcome(turns, tuple(untrue), "turns of the orchestrator"))
    return through


def _show(name: str, outcome: Outcome) -> int:
    print(
        f"{name:36} {outcome.attempts:8} attempts  {len(outcome.through)} got through  ({outcome.remark})", flush=True
    )
    for line in outcome.through:
        print(f"    {line}", flush=True)
    return 1 if outcome.through else 0


if __name__ == "__main__":
    sys.exit(main())
