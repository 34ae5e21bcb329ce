"""An agenda goes from db.json to PostgreSQL and back without loss."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clinics.database import Database, load
from clinics.ledger import Ledger, Record, WriteOutcome
from clinics.postgres_rows import MIGRATIONS
from clinics.slots import Slot, SlotRef, Snapshot, Visit

HELD = SlotRef("Dr. Ricardo Lopes", "2025-07-21", "09:00")


@pytest.fixture
def url(postgres_server: str) -> Iterator[str]:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    yield postgres_server
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS clinic_a CASCADE")


def a_silo(folder: Path) -> tuple[Path, Database]:
    doctor, other = "Dr. Ricardo Lopes", "Dra. Inês Sant'Anna"
    name, cpf = "João Araújo", "123.456.789-00"
    slots = [
        Slot(doctor, "Cardiologia", "2025-07-21", "09:00", False, name, cpf, Visit("abc", 2)),
        # At the same time, as only a db.json of another hand has it.
        Slot(other, "Cardiologia", "2025-07-21", "09:00", False, name, cpf, Visit("def"), "other"),
        Slot(doctor, "Cardiologia", "2025-07-21", "10:00", available=False, closed="vacation"),
        Slot(other, "Cardiologia", "2025-07-20", "08:00"),
    ]
    made = (
        "0" * 16 + ":" + "1" * 32,
        Record("2" * 64, WriteOutcome(HELD, None, Visit("abc")), "2025-07-15T11:00:00+00:00"),
    )
    database = Database(Snapshot(slots), Ledger.of([made]))
    folder.mkdir()
    (folder / "db.json").write_bytes(database.encode())
    (folder / "digest.key").write_text("ab" * 32 + "\n")
    return folder, database


def test_an_agenda_goes_to_the_server_and_back_byte_by_byte(tmp_path: Path, url: str) -> None:
    from clinics.transfer import main  # noqa: PLC0415 - needs psycopg, an extra

    silo, database = a_silo(tmp_path / "silo")
    assert main(["import", "clinic_a", "--silo", str(silo), "--store", url]) == 0
    assert main(["export", "clinic_a", "--silo", str(tmp_path / "back"), "--store", url]) == 0
    assert (tmp_path / "back" / "db.json").read_bytes() == (silo / "db.json").read_bytes()
    assert load(tmp_path / "back" / "db.json").ledger == database.ledger
    assert (tmp_path / "back" / "digest.key").read_text() == "ab" * 32 + "\n"


def test_what_is_there_already_is_not_written_over(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from clinics.transfer import main  # noqa: PLC0415 - needs psycopg, an extra

    silo, _ = a_silo(tmp_path / "silo")
    before = (silo / "db.json").read_bytes()
    assert main(["import", "clinic_a", "--silo", str(silo), "--store", url]) == 0
    assert main(["import", "clinic_a", "--silo", str(silo), "--store", url]) == 1
    assert "an agenda there already" in capsys.readouterr().err
    assert main(["export", "clinic_a", "--silo", str(silo), "--store", url]) == 1
    assert (silo / "db.json").read_bytes() == before


def test_tables_of_an_earlier_release_are_told_and_brought_up_to_date(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from clinics.transfer import main  # noqa: PLC0415 - needs psycopg, an extra

    def told(action: str) -> tuple[int, str]:
        code = main([action, "clinic_a", "--silo", str(silo), "--store", url])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    silo, _ = a_silo(tmp_path / "silo")
    assert told("check") == (0, "clinic_a: nothing is kept there yet; the first start makes its tables\n")
    assert told("import") == (0, "clinic_a: 4 slots, in tables of version 1\n")
    with monkeypatch.context() as later:
        migrations = (*MIGRATIONS, "ALTER TABLE slot ADD COLUMN room text")
        later.setattr("clinics.postgres_storage.MIGRATIONS", migrations)
        code, text = told("check")
        assert (code, "4 slots, in tables of an earlier release" in text) == (0, True)
        assert told("check") == (code, text)  # which changed nothing
        assert told("migrate") == (0, "clinic_a: 4 slots, in tables of version 2\n")
    assert told("check")[0] == told("migrate")[0] == 1
    assert "a later release" in told("check")[1]


def test_a_schema_of_another_clinic_is_refused(tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    from clinics.transfer import main  # noqa: PLC0415 - as above

    silo, _ = a_silo(tmp_path / "silo")
    assert main(["import", "clinic_a", "--silo", str(silo), "--store", url]) == 0
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER SCHEMA clinic_a RENAME TO clinic_c")
        try:
            for action in ("check", "migrate"):
                place = str(tmp_path / "another")
                assert main([action, "clinic_c", "--silo", place, "--store", url]) == 1
                assert "holds another clinic's agenda" in capsys.readouterr().err
        finally:
            connection.execute("DROP SCHEMA clinic_c CASCADE")
