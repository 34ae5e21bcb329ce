"""How a clinic starts on PostgreSQL, and what it refuses."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Spawn = Callable[..., "subprocess.Popen[str]"]


def start_and_end(spawn: Spawn, url: str) -> None:
    clinic = spawn("--store", url)
    assert clinic.stdout is not None
    assert " listening on " in clinic.stdout.readline()
    clinic.terminate()
    clinic.communicate(timeout=60)


@pytest.mark.parametrize(
    "url", ["postgresql://clinic:Hunter2@localhost/postgres", "postgresql://localhost/postgres?password=Hunter2"]
)
def test_a_password_in_the_command_line_is_refused_and_not_repeated(spawn: Spawn, url: str) -> None:
    pytest.importorskip("psycopg")
    process = spawn("--store", url)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "PGPASSFILE" in said
    assert "Hunter2" not in said


def test_a_server_that_is_not_there_is_said_in_one_line(spawn: Spawn) -> None:
    pytest.importorskip("psycopg")
    process = spawn("--store", "postgresql://somebody@127.0.0.1:1/nothing")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said.count("\n") == 1
    assert "somebody" not in said


@pytest.mark.long
def test_a_database_of_a_later_release_is_left_alone(spawn: Spawn, postgres_server: str) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    start_and_end(spawn, postgres_server)
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("UPDATE clinic_a.clinic SET version = 99")
        process = spawn("--store", postgres_server)
        _, said = process.communicate(timeout=60)
        connection.execute("DROP SCHEMA clinic_a CASCADE")
    assert process.returncode == 1
    assert "later release" in said


@pytest.mark.long
def test_a_clinic_started_by_hand_with_another_agenda_does_not_mix_the_two(spawn: Spawn, postgres_server: str) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    start_and_end(spawn, postgres_server)
    second = spawn("--store", postgres_server, "--agenda", "blueprint", "--now", "2025-07-15T08:00-03:00")
    _, said = second.communicate(timeout=60)
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        mixed = connection.execute("SELECT count(*) FROM clinic_a.slot WHERE date < '2026'").fetchall()
        connection.execute("DROP SCHEMA clinic_a CASCADE")
    assert second.returncode == 1
    assert "this clinic's agenda there is the rolling one" in said
    assert mixed == [(0,)]
