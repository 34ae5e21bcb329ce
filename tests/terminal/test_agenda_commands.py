"""`clinic-mesh agenda` prints a day, with a warning before names leave; `clinic-mesh operations` prints the logs."""

from __future__ import annotations

import csv
import json

import pytest

from tests.support.home import Home

MONDAY = "2025-07-21"
BOOKING = ("-a", "doctor=ricardo lopes", "-a", f"date={MONDAY}", "-a", "time=09:00", "--yes")
CLOSING = ("-a", "doctor=ricardo lopes", "-a", f"date={MONDAY}", "-a", "reason=CLOSING_REASON_ILLNESS", "--yes")
OPERATOR = {"CLINIC_MESH_ROLE": "operator"}


def test_a_day_and_the_operations_are_printed_for_operators(home: Home) -> None:
    home.environment |= {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "123.456.789-09"}
    assert home.run("up", "--detach").returncode == 0
    assert home.run("call", "clinic_a", "book_appointment", *BOOKING).returncode == 0
    refused = home.call("call", "clinic_a", "close_slots", *CLOSING)
    assert (refused.returncode, "PERMISSION_DENIED" in refused.stderr) == (5, True)
    assert home.run("call", "clinic_a", "close_slots", *CLOSING, environment=OPERATOR).returncode == 0

    assert home.call("agenda").returncode == 6
    day = ("agenda", "clinic_a", "--date", MONDAY)
    sheet = home.run(*day, environment=OPERATOR)
    assert [word in sheet.stdout for word in ("Clínica A", "Carlos Teste", "fechado (doença)")] == [True] * 3
    assert "names of patients leave" in sheet.stderr
    rows = list(csv.DictReader(home.call(*day, "--output", "csv", environment=OPERATOR).stdout.splitlines()))
    assert [(row["time"], row["state"], row["patient_name"]) for row in rows] == [
        ("09:00", "held", "Carlos Teste"),
        ("10:30", "closed", ""),
    ]
    lines = home.call(*day, "--output", "jsonl", environment=OPERATOR).stdout.splitlines()
    assert [json.loads(line)["reason"] for line in lines] == ["illness", "illness"]
    empty = home.call("agenda", "clinic_a", "--date", "2025-07-20", environment=OPERATOR)
    assert ("ninguém atende" in empty.stdout, empty.stderr) == (True, "")
    assert home.call("agenda", "--date", "21/07", environment=OPERATOR).returncode == 2

    told = [json.loads(line) for line in home.call("operations", "--output", "jsonl").stdout.splitlines()]
    assert [line["outcome"] for line in told] == ["booked", "closed", "closed", *["read"] * 4]
    printed = home.call("operations", "clinic_a", "-n", "7").stdout
    assert "book_appointment  booked  Dr. Ricardo Lopes 2025-07-21 09:00  patient" in printed
    assert "Carlos" not in printed
    assert home.call("operations", "clinic_b").stdout == ""
    assert home.call("operations", "clinic_z").returncode == 2


@pytest.mark.long
def test_a_clinic_that_is_down_costs_its_own_day_only(home: Home) -> None:
    home.environment |= {"CLINIC_MESH_NAME": "Ana Recepção", "CLINIC_MESH_CPF": "111.444.777-35", **OPERATOR}
    assert home.run("up", "--detach").returncode == 0
    assert home.run("down", "clinic_c").returncode == 0
    sheet = home.run("agenda", "--date", MONDAY, "--no-start")
    assert sheet.returncode == 3
    assert "clinic_c: " in sheet.stderr
    assert "Clínica A" in sheet.stdout
