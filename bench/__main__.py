"""`python -m bench [NAME ...]`: measures, prints a table, and writes JSON where it is asked to."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from bench.report import Section, machine, write_json

_BENCHES = {
    "list": ("list_slots", 11),
    "book": ("book", 5),
    "fanout": ("fanout", 11),
    "turn": ("turn", 5),
    "start": ("start", 5),
    "memory": ("memory", 3),
    "memories": ("memories", 5),
    "interceptors": ("interceptors", 11),
    "servers": ("servers", 7),
    "load": ("load", 1),
}
"""By name: the module, and how many rounds count."""


def main() -> int:
    """Measure what is named, or everything; returns 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures clinic-mesh beside its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to measure: {', '.join(_BENCHES)} (all)")
    parser.add_argument("--rounds", type=int, help="rounds that count, instead of each one's own number")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was found there too")
    options = parser.parse_args()
    unknown = set(options.names) - set(_BENCHES)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; known are {', '.join(_BENCHES)}")
    before = machine()
    print(", ".join(f"{name} {value}" for name, value in before.items() if name != "libraries"), flush=True)
    sections: list[Section] = []
    failed = False
    for name in options.names or _BENCHES:
        module, rounds = _BENCHES[name]
        try:
            found = importlib.import_module(f"bench.{module}").measure(options.rounds or rounds)
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
