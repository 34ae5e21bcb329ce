"""The data that every contender holds: the blueprint's six slots of clinic_a, and as many more as are wanted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date, timedelta
from itertools import count, islice
from pathlib import Path

from clinics.profile import load_profile
from clinics.slots import Slot

CLINIC = "clinic_a"
_DOCTORS = ("Dr. Ricardo Lopes", "Dra. Helena Prado", "Dr. Caio Menezes", "Dra. Lúcia Barros")
_FIRST_DAY = date(2025, 8, 1)


def make_slots(number: int) -> tuple[Slot, ...]:
    """Return open slots, all of them later than the bench's now.

    Args:
        number: How many; six or more.
    """
    profile = load_profile(CLINIC)
    own = [Slot(ref.doctor, profile.label, ref.date, ref.time) for ref in profile.blueprint]
    return (*own, *islice(_more(profile.label), number - len(own)))


def write_database(path: Path, slots: tuple[Slot, ...]) -> None:
    """Write a db.json as the blueprint has it, section 3.2.

    Args:
        path: The file; its folder is made.
        slots: What it holds.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{name: value for name, value in asdict(slot).items() if name not in {"visit", "closed"}} for slot in slots]
    path.write_text(json.dumps({"slots": rows}, indent=2, ensure_ascii=False), "utf-8")


def patient(number: int) -> tuple[str, str]:
    """Return the name and CPF of one of many patients.

    Args:
        number: Which one.
    """
    return f"Paciente {number}", f"{number:011d}"


def _more(specialty: str) -> Iterator[Slot]:
    for day in count():
        at = _FIRST_DAY + timedelta(days=day)
        for half_hour in range(16, 36):
            for doctor in _DOCTORS:
                yield Slot(doctor, specialty, at.isoformat(), f"{half_hour // 2:02d}:{half_hour % 2 * 30:02d}")
