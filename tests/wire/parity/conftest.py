from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.wire.parity.doors import CARLOS, Doors, open_doors


def _slot(doctor: str, day: str, holder: dict[str, str] | None = None) -> dict[str, Any]:
    free = {"patient_name": None, "cpf": None}
    when = {"doctor": doctor, "specialty": "Cardiologia", "date": day, "time": "09:00"}
    return {**when, "available": holder is None, **(holder or free)}


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[Doors]:
    """Two clinics whose agendas also hold an appointment of Carlos that is past, and a second doctor on the 21st."""
    slots = [_slot("Dr. Ricardo Lopes", "2025-07-14", CARLOS), _slot("Dra. Helena Prado", "2025-07-21")]
    with open_doors(tmp_path, slots) as both:
        yield both
