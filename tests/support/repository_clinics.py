"""The clinics of the repository, as their folders describe them, and the words of their specialties."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from google.protobuf.json_format import ParseDict

from clinics.profile import known_clinics, load_profile
from generated.clinic.v1.clinic_service_pb2 import ClinicDetails
from orchestrator.turn.clinic import Clinic, SpecialtyWords

_FOLDERS = sorted((Path(__file__).parents[2] / "clinics").glob("clinic_?/clinic.json"))


def _words(clinic_id: str) -> tuple[str, SpecialtyWords]:
    profile = load_profile(clinic_id)
    said = profile.words
    assert said is not None
    return profile.specialty, SpecialtyWords(profile.label, tuple(said.names), tuple(said.complaints), tuple(said.body))


WORDS: Mapping[str, SpecialtyWords] = dict(map(_words, known_clinics()))
"""The words of each specialty by its code."""


def _clinic(path: Path) -> Clinic:
    told = json.loads(path.read_text("utf-8"))
    details = ParseDict(told.get("details", {}), ClinicDetails())
    doctors = tuple(one["name"] for one in told["doctors"])
    return Clinic(told["id"], told["name"], told["specialty"], doctors, details, words=WORDS[told["specialty"]])


CLINICS = tuple(map(_clinic, _FOLDERS))
