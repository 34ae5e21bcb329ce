"""At the first and the last instant that the clock may stand at, the clinics' openings are believed and shown."""

from __future__ import annotations

import pytest

from tests.support.home import Home


@pytest.mark.long
@pytest.mark.parametrize("now", ["2000-01-01T00:00-03:00", "2199-12-31T23:59-03:00"])
def test_openings_are_shown_at_the_edges_of_the_years(home: Home, now: str) -> None:
    speaker = {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "529.982.247-25"}
    run = home.run("ask", "horários de cardiologia", "--agenda", "rolling", "--now", now, environment=speaker)
    assert run.returncode == 0, run.stderr
    assert "horários livres em Cardiologia (Clínica A e Clínica C)" in run.stdout
    assert "não confere" not in run.stdout


@pytest.mark.parametrize("now", ["1999-12-31T23:59-03:00", "2200-01-01T00:00-03:00", "0001-01-01T00:00Z"])
def test_another_year_is_wrong_usage(home: Home, now: str) -> None:
    run = home.run("ask", "horários de cardiologia", "--now", now)
    assert run.returncode == 2
    assert "of the years 2000 to 2199" in run.stderr
    assert "Traceback" not in run.stderr
