"""An agenda goes from db.json to PostgreSQL and back without loss, whole or not at all, and never over another one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clinics.database import Database, load
from clinics.ledger import Ledger, Record, WriteOutcome, instant
from clinics.request_archive import RequestArchive
from clinics.schedule import HouseRules
from clinics.silo import Silo
from clinics.slots import Slot, SlotRef, Snapshot, Visit
from mesh.private_file import Disk
from tests.support.form import examples

HELD = SlotRef("Dr. Ricardo Lopes", "2025-07-21", "09:00")
NOW = datetime.now(UTC)
DROPPED = "DROP SCHEMA IF EXISTS clinic_a CASCADE"


def changed(url: str, statements: str) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statements.encode())


@pytest.fixture
def url(postgres_server: str) -> Iterator[str]:
    yield postgres_server
    changed(postgres_server, DROPPED)


def run(action: str, silo: Path, url: str, *more: str) -> int:
    from clinics.transfer import main  # noqa: PLC0415 - needs psycopg, an extra

    return main([action, "clinic_a", "--silo", str(silo), "--store", url, *more])


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
    silo, database = a_silo(tmp_path / "silo")
    assert run("import", silo, url) == 0
    assert run("export", tmp_path / "back", url) == 0
    assert (tmp_path / "back" / "db.json").read_bytes() == (silo / "db.json").read_bytes()
    assert load(tmp_path / "back" / "db.json").ledger == database.ledger
    assert (tmp_path / "back" / "digest.key").read_text() == "ab" * 32 + "\n"


# What db.json may hold and text of PostgreSQL may: no NUL.
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12).filter(str.strip)
CPFS = st.sampled_from(["123.456.789-00", "00000000191", "111.444.777-35"])
REFS = [
    SlotRef(doctor, day, time)
    for doctor in ("Dr. Ricardo Lopes", "Dra. Inês Sant'Anna", "Zoë")
    for day in ("2025-07-21", "2031-01-02")
    for time in ("09:00", "09:15", "14:00")
]


@st.composite
def agendas(draw: st.DrawFn) -> Snapshot:
    slots: list[Slot] = []
    for number, ref in enumerate(draw(st.lists(st.sampled_from(REFS), unique=True))):
        visit = draw(st.none() | st.builds(Visit, st.just(f"visit-{number}"), st.integers(0, 9)))
        closed = draw(st.none() | TEXT)
        match draw(st.sampled_from(["open", "held", "closed"])):
            case "held":
                holder = draw(TEXT), draw(CPFS)
                slots.append(Slot(ref.doctor, draw(TEXT), ref.date, ref.time, False, *holder, visit, closed))
            case "closed":
                slots.append(
                    Slot(ref.doctor, draw(TEXT), ref.date, ref.time, available=False, closed=closed or "other")
                )
            case _:
                slots.append(Slot(ref.doctor, draw(TEXT), ref.date, ref.time))
    return Snapshot(slots)


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Record]:
    digits = st.text("0123456789abcdef", min_size=32, max_size=32)
    keys = st.builds(lambda one: f"{one[:16]}:{one}", digits) | st.uuids().map(str)  # as releases up to 0.1.0 had them
    refs = st.none() | st.sampled_from(REFS)
    outcomes = st.builds(WriteOutcome, refs, refs, st.none() | st.builds(Visit, TEXT, st.integers(0, 9)))
    times = st.integers(0, 20 * 3600).map(lambda seconds: instant(NOW - timedelta(seconds=seconds)))
    return draw(st.dictionaries(keys, st.builds(Record, digits, outcomes, times), max_size=6))


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(agenda=agendas(), kept=requests(), archived=requests(), key=st.binary(min_size=32, max_size=32))
def test_whatever_a_silo_holds_comes_back_the_same_and_a_repeat_does_nothing(
    url: str, agenda: Snapshot, kept: dict[str, Record], archived: dict[str, Record], key: bytes
) -> None:
    changed(url, DROPPED)
    with tempfile.TemporaryDirectory() as name:
        silo, back = Path(name, "silo"), Path(name, "back")
        silo.mkdir()
        before = Database(agenda, Ledger.of(kept.items())).encode()
        (silo / "db.json").write_bytes(before)
        (silo / "digest.key").write_text(key.hex())
        RequestArchive(silo / "requests", Disk(), NOW).append(archived)
        for _ in range(2):
            assert run("import", silo, url) == 0
            assert run("export", back, url) == 0
        returned = load(back / "db.json")
        assert returned.snapshot.slots == agenda.slots
        assert returned.ledger == Ledger.of((archived | kept).items())
        assert bytes.fromhex((back / "digest.key").read_text()) == key
        assert (silo / "db.json").read_bytes() == before


def test_another_agenda_is_not_written_over_on_either_side(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    silo, _ = a_silo(tmp_path / "silo")
    assert run("import", silo, url) == 0
    (silo / "db.json").write_bytes(
        before := Database(Snapshot([Slot("Zoë", "Cardiologia", HELD.date, HELD.time)])).encode()
    )
    assert run("import", silo, url) == 1
    assert "another agenda there already; nothing was changed" in capsys.readouterr().err
    assert run("export", silo, url) == 1
    assert "another agenda or key is there already; nothing was changed" in capsys.readouterr().err
    assert (silo / "db.json").read_bytes() == before
    assert run("export", tmp_path / "back", url) == 0
    assert len(load(tmp_path / "back" / "db.json").snapshot.slots) == 4


def test_what_cannot_be_moved_whole_is_not_moved(tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    silo, database = a_silo(tmp_path / "silo")
    with_nul = Slot("Dr. Nulo", "Cardiologia", "2025-07-22", "09:00", False, "A\0B", "123.456.789-00")
    slots = [*database.snapshot.slots, with_nul]
    (silo / "db.json").write_bytes(Database(Snapshot(slots), database.ledger).encode())
    assert run("import", silo, url) == 1
    assert "unchanged" in capsys.readouterr().err
    assert run("check", silo, url) == 0
    assert "0 slots and 0 requests of its rolling agenda" in capsys.readouterr().out


@pytest.mark.long
def test_a_silo_or_a_schema_at_which_a_clinic_works_is_refused(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from clinics.postgres_storage import PostgresStorage  # noqa: PLC0415 - as above

    silo, _ = a_silo(tmp_path / "silo")
    with Silo(silo, "clinic_a", "rolling"):
        assert run("import", silo, url) == 1
    assert "another process holds this silo" in capsys.readouterr().err
    assert run("import", silo, url) == 0
    clinic = PostgresStorage(url, "clinic_a", HouseRules(), RequestArchive(tmp_path / "requests", Disk(), NOW))
    clinic.flush(clinic.begin(), [], lambda: None)  # it is connected, and locks nothing
    assert run("export", tmp_path / "back", url) == 1
    assert "a clinic is at work on this agenda" in capsys.readouterr().err
    assert not (tmp_path / "back" / "db.json").exists()
    clinic.close()
    assert run("export", tmp_path / "back", url) == 0


def test_nothing_is_made_by_a_look_or_where_there_is_nothing_to_move(tmp_path: Path, url: str) -> None:
    from clinics.postgres_schema import look  # noqa: PLC0415 - as above

    assert [run(action, tmp_path / "silo", url) for action in ("check", "migrate", "import", "export")] == [0, 0, 1, 1]
    assert not (tmp_path / "silo").exists()
    assert look(url, "clinic_a") is None


def test_a_schema_of_an_older_version_is_told_by_a_look_and_moved_by_migrate(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    silo, _ = a_silo(tmp_path / "silo")
    assert run("import", silo, url) == 0
    changed(url, "ALTER TABLE clinic_a.clinic DROP COLUMN agenda; UPDATE clinic_a.clinic SET version = 1")
    capsys.readouterr()
    said: list[str] = []
    for action in ("check", "check", "migrate", "migrate", "check"):
        assert run(action, silo, url) == 0
        said.append(capsys.readouterr().out.removeprefix("clinic_a: ").strip())
    old = "4 slots and 1 requests of its agenda, in tables of version 1; `clinic-mesh store migrate` "
    old += "brings them up to date"
    assert said == [
        old,
        old,
        "the tables went from version 1 to 2",
        "the tables have version 2 already; nothing to do",
        "4 slots and 1 requests of its rolling agenda, in tables of version 2",
    ]
    assert run("export", tmp_path / "back", url) == 0
    assert (tmp_path / "back" / "db.json").read_bytes() == (silo / "db.json").read_bytes()


@pytest.mark.parametrize("action", ["check", "export", "import"])
def test_a_schema_that_holds_another_clinics_agenda_is_left_alone(
    action: str, tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    silo, _ = a_silo(tmp_path / "silo")
    assert run("import", silo, url) == 0
    changed(url, "UPDATE clinic_a.clinic SET id = 'clinic_b'")
    assert run(action, silo, url) == 1
    assert "another clinic's agenda" in capsys.readouterr().err
