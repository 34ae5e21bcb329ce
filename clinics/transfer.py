"""`python -m clinics.transfer import|export|migrate|check ID --silo DIR --store URL`: an agenda on PostgreSQL.

The clinic is stopped meanwhile. `import` takes slots, visits, closures, requests and the key of their digests from
db.json to the server, `export` back; what is there already is never written over. `migrate` brings the tables of an
earlier release up to date, and `check` looks at them, beside a running clinic, too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from clinics.agenda import AGENDAS, agenda_of
from clinics.database import Database
from clinics.disk import Disk, replace_file
from clinics.ledger import Ledger, Record
from clinics.profile import CLINICS, load_profile
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.silo import KEY, DatabaseFile, Silo
from clinics.slots import Change
from clinics.startup import StartupError

if TYPE_CHECKING:
    from clinics.postgres_storage import PostgresStorage


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked and say what is there then; return 0, or 1 where nothing was changed, which a line says."""
    parser = argparse.ArgumentParser(prog="python -m clinics.transfer", description="Moves the agenda of a clinic.")
    parser.add_argument("action", choices=("import", "export", "migrate", "check"), help="from db.json, or back to it")
    parser.add_argument("id", metavar="ID", help="the clinic, such as clinic_a")
    parser.add_argument("--silo", required=True, type=Path, metavar="DIR", help="the folder of its db.json")
    parser.add_argument("--store", required=True, metavar="URL", help="such as postgresql://user@host/database")
    parser.add_argument("--clinics", type=Path, default=CLINICS, metavar="DIR", help="a folder of your own clinics")
    given = parser.parse_args(arguments)
    try:
        postgres = _postgres()
        if given.action != "check":
            _change(given, postgres)
        print(f"{given.id}: {postgres.look(given.store, given.id)}")
    except (StartupError, OSError) as error:
        print(f"{given.id}: {error}", file=sys.stderr)
        return 1
    return 0


def _postgres() -> ModuleType:
    try:
        return import_module("clinics.postgres_storage")
    except ImportError:
        raise StartupError("--store needs psycopg: make extra-postgres") from None


def _change(given: argparse.Namespace, postgres: ModuleType) -> None:
    with Silo(given.silo, given.id, AGENDAS[0]) as silo:
        archive = RequestArchive(silo.folder / ARCHIVE, Disk(), datetime.now(UTC))
        rules = agenda_of(load_profile(given.id, given.clinics), AGENDAS[0]).rules
        storage: PostgresStorage = postgres.PostgresStorage(given.store, given.id, rules, archive)  # which migrates
        try:
            if given.action != "migrate":
                (_import if given.action == "import" else _export)(silo, storage)
        finally:
            storage.close()


def _import(silo: Silo, storage: PostgresStorage) -> None:
    database = DatabaseFile(silo.database, Disk(), silo.check).read()
    there = storage.begin()
    if there.snapshot.slots or there.ledger.records:
        raise StartupError("--store: this clinic has an agenda there already; nothing was changed.")
    records: dict[str, Record | None] = {key: storage.archive.find(key) for key in storage.archive}
    ledger = Ledger.of((key, one) for key, one in (records | database.ledger.records).items() if one is not None)
    change = Change(added=tuple(database.snapshot.slots))
    storage.adopt(silo.key(Disk()))
    unstored = storage.flush(Database(there.snapshot.changed(change), ledger), [change], lambda: None)
    if unstored is not None:
        raise StartupError(f"--store: the server did not confirm the import, whose outcome is {unstored}.")


def _export(silo: Silo, storage: PostgresStorage) -> None:
    if silo.database.exists():
        raise StartupError(f"{silo.database} exists; nothing was changed.")
    database, disk = storage.begin(), Disk()
    file = DatabaseFile(silo.database, disk, silo.check)
    replace_file(disk, silo.folder / KEY, f"{storage.key.hex()}\n".encode())
    file.replace(database.encode())
    if not file.sync():
        raise StartupError(f"{silo.database} is written, but may not outlive a power failure yet.")


if __name__ == "__main__":
    sys.exit(main())
