"""The clinics of the repository, as their folders describe them."""

from __future__ import annotations

import json
from pathlib import Path

from google.protobuf.json_format import ParseDict

from generated.clinic.v1.clinic_service_pb2 import ClinicDetails
from orchestrator.turn import Clinic

_FOLDERS = sorted((Path(__file__).parents[2] / "clinics").glob("clinic_?/clinic.json"))


def _clinic(path: Path) -> Clinic:
    told = json.loads(path.read_text("utf-8"))
    details = ParseDict(told["details"], ClinicDetails())
    doctors = tuple(one["name"] for one in told["doctors"])
    return Clinic(told["id"], told["name"], told["specialty"], doctors, details)


CLINICS = tuple(map(_clinic, _FOLDERS))
