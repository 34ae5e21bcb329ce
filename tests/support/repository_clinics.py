"""The clinics of the repository, as their folders describe them."""

from __future__ import annotations

import json
from pathlib import Path

from orchestrator.turn import Clinic

_FOLDERS = sorted((Path(__file__).parents[2] / "clinics").glob("clinic_?/clinic.json"))


def _clinic(path: Path) -> Clinic:
    told = json.loads(path.read_text("utf-8"))
    return Clinic(told["id"], told["name"], told["specialty"], tuple(one["name"] for one in told["doctors"]))


CLINICS = tuple(map(_clinic, _FOLDERS))
