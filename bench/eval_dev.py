"""Scores the offline understanding on development data kept outside the project, and prints every miss.

`utterances_*.jsonl` goes through the command `plan`, with the fixed agenda of July 2025; `datetime_*.jsonl` goes
through the reading of dates and times alone. It passes no judgement but on forbidden actions, which end it with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from orchestrator.planner.calendar.moment_parser import read_moments
from orchestrator.planner.calendar.moments import Moment
from orchestrator.planner.text.normalised_text import normalise
from orchestrator.turn.identity import Language

Row = Mapping[str, Any]
"""A line of the data; its fields are the data's own."""

_ANY_DAY = "2025-07-15T09:00:00"
_STAFF = "staff"


@dataclass(frozen=True, slots=True)
class Score:
    """How a plan does on a row.

    Attributes:
        right: It is what is expected or also accepted.
        strict: It is what is expected.
        forbidden: Actions in it that must not be.
    """

    right: bool
    strict: bool
    forbidden: tuple[str, ...]


def main() -> int:
    """Score a folder of data and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path, metavar="DATA", help="folder with utterances_*.jsonl and datetime_*.jsonl")
    data: Path = parser.parse_args().data
    files = {kind: sorted(data.glob(f"{kind}_*.jsonl")) for kind in ("utterances", "datetime")}
    if not any(files.values()):
        parser.error("there are no utterances_*.jsonl and no datetime_*.jsonl in that folder")
    forbidden = sum(_utterances(file) for file in files["utterances"])
    for file in files["datetime"]:
        _datetimes(file)
    return 1 if forbidden else 0


def _utterances(file: Path) -> int:
    """Print the figures of a file of utterances and return the number of forbidden actions."""
    rows = _rows(file)
    plans = {**_plans([row for row in rows if _STAFF not in row["tags"]], "patient")}
    plans |= _plans([row for row in rows if _STAFF in row["tags"]], "operator")
    scores = {row["id"]: score_plan(row, plans[row["id"]]) for row in rows}
    forbidden = sum(len(score.forbidden) for score in scores.values())
    print(f"{file.name}: {len(rows)} rows")
    print(f"  right (expected or accepted)  {_share(score.right for score in scores.values())}")
    print(f"  strictly expected             {_share(score.strict for score in scores.values())}")
    print(f"  forbidden actions             {forbidden}")
    for row in rows:
        score, plan = scores[row["id"]], plans[row["id"]]
        if score.strict and not score.forbidden:
            continue
        verdict = "FORBIDDEN" if score.forbidden else "accepted" if score.right else "MISS"
        print(f"  {verdict:9} {row['id']} {row['utterance']!r}{' (after a history)' if row['history'] else ''}")
        print(f"            expected {_brief(row['expected'])}")
        print(f"            planned  {_brief(plan)}")
    return forbidden


def _plans(rows: Sequence[Row], role: str) -> dict[str, Row]:
    """Return what the command plans for each row, by its id."""
    if not rows:
        return {}
    settings = {
        "CLINIC_MESH_AGENDA": "blueprint",
        "CLINIC_MESH_NOW": "2025-07-15T08:00-03:00",
        "CLINIC_MESH_ROLE": role,
    }
    others = {name: value for name, value in os.environ.items() if not name.startswith("CLINIC_MESH_")}
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    ended = subprocess.run(
        [sys.executable, "-m", "orchestrator.cli", "plan", "--input", "-"],
        input=lines,
        env={**others, **settings},
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return {plan["id"]: plan for plan in map(json.loads, ended.stdout.splitlines())}


def score_plan(row: Row, plan: Row) -> Score:
    """Return how a plan does: steps are compared as a set of clinic and action, listed parameters must be equal."""
    strict = _agrees(row["expected"], plan)
    accepted = any(_agrees(other, plan) for other in row.get("accept", ()))
    forbidden = tuple(step["action"] for step in plan["steps"] if step["action"] in row["forbid_actions"])
    return Score((strict or accepted) and not forbidden, strict, forbidden)


def _agrees(expected: Row, plan: Row) -> bool:
    if expected["kind"] != plan["kind"]:
        return False
    wanted = {(step["clinic"], step["action"]): step.get("parameters", {}) for step in expected.get("steps", ())}
    planned = {(step["clinic"], step["action"]): step["parameters"] for step in plan["steps"]}
    return wanted.keys() == planned.keys() and all(
        planned[key].get(name) == value for key, parameters in wanted.items() for name, value in parameters.items()
    )


def _datetimes(file: Path) -> None:
    """Print the share of a file of date and time phrases that is read right, and the misses."""
    rows = _rows(file)
    readings = {row["id"]: _moments(row) for row in rows}
    right = {row["id"]: is_right(row, readings[row["id"]]) for row in rows}
    print(f"{file.name}: {len(rows)} rows")
    print(f"  right                         {_share(right.values())}")
    for row in rows:
        if not right[row["id"]]:
            wanted = " ".join(str(row[name]) for name in ("expected_date", "expected_time") if row.get(name)) or "none"
            read = "; ".join(_told(moment) for moment in readings[row["id"]]) or "none"
            print(f"  MISS      {row['id']} {row['text']!r} at {row['reference']}: {wanted}, read {read}")


def _moments(row: Row) -> tuple[Moment, ...]:
    reference = datetime.fromisoformat(row["reference"] or _ANY_DAY)
    return read_moments(normalise(row["text"]), reference, Language(row["lang"]))


def is_right(row: Row, found: Sequence[Moment]) -> bool:
    """Return whether the likeliest day and time that were read are right; a row may expect that nothing is read."""
    if row.get("expected_none"):
        return not found
    day = next((moment.dates[0].isoformat() for moment in found if moment.dates), None)
    at = next((f"{moment.times[0]:%H:%M}" for moment in found if moment.times), None)
    return _is_one_of(day, row, "expected_date", "accept_dates") and _is_one_of(
        at, row, "expected_time", "accept_times"
    )


def _is_one_of(value: str | None, row: Row, expected: str, accepted: str) -> bool:
    return row.get(expected) is None or value in {row[expected], *row.get(accepted, ())}


def _rows(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line.strip()]


def _share(verdicts: Iterable[bool]) -> str:
    counted = list(verdicts)
    return f"{sum(counted)}/{len(counted)} = {100 * sum(counted) / (len(counted) or 1):.1f} %"


def _brief(plan: Row) -> str:
    steps = (f"{step['clinic']}.{step['action']}{json.dumps(step['parameters'])}" for step in plan.get("steps", ()))
    return " ".join((plan["kind"], *steps))


def _told(moment: Moment) -> str:
    days = [f"{span.first}..{span.last}" for span in moment.days]
    hours = [f"{span.first}..{span.last}" for span in moment.hours]
    return " ".join([*map(str, moment.dates), *map(str, moment.times), *days, *hours]) or "a day that does not exist"


if __name__ == "__main__":
    sys.exit(main())
