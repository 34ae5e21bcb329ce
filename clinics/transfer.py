"""`python -m clinics.transfer import|export ID --silo DIR --store URL`: an agenda from db.json to PostgreSQL, and back.

The clinic is stopped meanwhile. Slots, visits, closures, requests and the key of their digests go over; what is there
already is never written over.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from clinics.agenda import AGENDAS, agenda_of
from clinics.database import Database
from clinics.disk import Disk, replace_file
from clinics.ledger import Ledger, Record
from clinics.postgres_storage import PostgresStorage
from clinics.profile import CLINICS, load_profile
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.silo import KEY, DatabaseFile, Silo
from clinics.slots import Change
from clinics.startup import StartupError


def main(arguments: Sequence[str] | None = None) -> int:
    """Move an agenda; return 0 once it is durable there, 1 where nothing was changed, which a line says."""
    parser = argparse.ArgumentParser(prog="python -m clinics.transfer", description="Moves the agenda of a clinic.")
    parser.add_argument("direction", choices=("import", "export"), help="from db.json to PostgreSQL, or back")
    parser.add_argument("id", metavar="ID", help="the clinic, such as clinic_a")
    parser.add_argument("--silo", required=True, type=Path, metavar="DIR", help="the folder of its db.json")
    parser.add_argument("--store", required=True, metavar="URL", help="such as postgresql://user@host/database")
    parser.add_argument("--clinics", type=Path, default=CLINICS, metavar="DIR", help="a folder of your own clinics")
    given = parser.parse_args(arguments)
    try:
        with Silo(given.silo, given.id, AGENDAS[0]) as silo:
            archive = RequestArchive(silo.folder / ARCHIVE, Disk(), datetime.now(UTC))
            rules = agenda_of(load_profile(given.id, given.clinics), AGENDAS[0]).rules
            storage = PostgresStorage(given.store, given.id, rules, archive)
            try:
                (_import if given.direction == "import" else _export)(silo, storage)
            finally:
                storage.close()
    except (StartupError, OSError) as error:
        print(f"python -m clinics.transfer: {error}", file=sys.stderr)
        return 1
    return 0


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
