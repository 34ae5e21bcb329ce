"""`python -m bench [NAME ...]`: measures, prints a table, and writes JSON where it is asked to.

With --base COMMIT it measures the working tree beside that commit, in one run whose rounds take turns.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from contextlib import ExitStack
from pathlib import Path

from bench.commits import checked_out
from bench.report import Section, machine, write_json

_BENCHES = {
    "list": ("list_slots", 11),
    "appointments": ("list_appointments", 11),
    "book": ("book", 5),
    "fanout": ("fanout", 11),
    "turn": ("turn", 11),
    "start": ("start", 5),
    "memory": ("memory", 3),
    "memories": ("memories", 5),
    "interceptors": ("interceptors", 11),
    "servers": ("servers", 7),
    "load": ("load", 1),
}
"""By name: the module, and how many rounds count."""

_COMPARED = ("list", "book", "turn", "start", "memory")
"""Those that measure two commits."""


def main() -> int:
    """Measure what is named, or everything; returns 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures clinic-mesh beside its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to measure: {', '.join(_BENCHES)} (all)")
    parser.add_argument("--rounds", type=int, help="rounds that count, instead of each one's own number")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found there too")
    parser.add_argument("--base", metavar="COMMIT", help=f"measure beside this commit: {', '.join(_COMPARED)}")
    options = parser.parse_args()
    unknown = set(options.names) - set(_BENCHES)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; known are {', '.join(_BENCHES)}")
    alone = set(options.names) - set(_COMPARED)
    if options.base and alone:
        parser.error(f"--base compares {', '.join(_COMPARED)}, and not {', '.join(sorted(alone))}")
    before = machine()
    print(", ".join(f"{name} {value}" for name, value in before.items() if name != "libraries"), flush=True)
    sections: list[Section] = []
    failed = False
    with ExitStack() as parts:
        base = parts.enter_context(checked_out(options.base)) if options.base else None
        for name in options.names or (_COMPARED if base else _BENCHES):
            module, rounds = _BENCHES[name]
            bench, rounds = importlib.import_module(f"bench.{module}"), options.rounds or rounds
            try:
                found = bench.measure(rounds) if base is None else bench.compare(rounds, base)
            except RuntimeError as error:  # a contender that does not do its work has no figure; the others have
                found, failed = [Section(name, remarks=[f"NOT MEASURED: {error}"])], True
            for section in found:
                print(section.text(), flush=True)
                sections.append(section)
    if options.json is not None:
        write_json(options.json, before, sections)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
