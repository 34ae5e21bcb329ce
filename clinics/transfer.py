"""`python -m clinics.transfer ACTION ID --store URL`: an agenda from db.json to PostgreSQL and back, and its schema.

`clinic-mesh store` and `doctor` run it. Slots, visits, closures, requests and the key of their digests go over at once
or not at all, while no clinic is at work on either side. What is there already is never written over; a repeat finds
the same and does nothing. The log of operations stays in the silo, where a clinic on PostgreSQL writes it, too.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clinics.agenda import agenda_of
from clinics.database import Database
from clinics.ledger import Ledger, Record
from clinics.options import parser_of
from clinics.profile import load_profile
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.silo import DATABASE, KEY, DatabaseFile, Silo
from clinics.slots import Change
from clinics.startup import StartupError
from mesh.private_file import Disk

if TYPE_CHECKING:
    from clinics.postgres_storage import PostgresStorage

_SAME = "the same is there already; nothing to do"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one action and say what came of it; return 0, or 1 (2 for wrong usage) where nothing was changed."""
    given = parser_of("transfer", "python -m clinics.transfer").parse_args(arguments)
    try:
        print(f"{given.id}: {_moved(given) if given.action in {'import', 'export'} else _of_schema(given)}")
    except (StartupError, OSError) as error:
        print(f"{given.id}: {error}", file=sys.stderr)
        return 2 if isinstance(error, StartupError) and error.usage else 1
    except ModuleNotFoundError:
        print(f"{given.id}: --store needs psycopg: make extra-postgres", file=sys.stderr)
        return 2
    return 0


def _of_schema(given: argparse.Namespace) -> str:
    from clinics.postgres_schema import MIGRATIONS, look, open_schema  # noqa: PLC0415 - an extra

    seen, newest = look(given.store, given.id), len(MIGRATIONS)
    if seen is None:
        return "nothing is kept there yet; the first start makes its tables, or `clinic-mesh store import`"
    if given.action == "check":
        kind = "" if seen.agenda is None else f"{seen.agenda} "
        advice = "" if seen.version == newest else "; `clinic-mesh store migrate` brings them up to date"
        content = f"{seen.slots} slots and {seen.requests} requests of its {kind}agenda"
        return f"{content}, in tables of version {seen.version}{advice}"
    if seen.version == newest:
        return f"the tables have version {newest} already; nothing to do"
    open_schema(given.store, given.id, given.agenda, is_alone=True)
    return f"the tables went from version {seen.version} to {newest}"


def _moved(given: argparse.Namespace) -> str:
    from clinics.postgres_schema import look  # noqa: PLC0415 - an extra
    from clinics.postgres_storage import PostgresStorage  # noqa: PLC0415 - an extra

    if given.action == "import" and not (given.silo / DATABASE).exists():
        raise StartupError(f"{given.silo / DATABASE} is not there; nothing was changed.")
    if given.action == "export" and look(given.store, given.id) is None:
        raise StartupError("--store: this clinic has no agenda there; nothing was changed.")
    rules = agenda_of(load_profile(given.id, given.clinics), given.agenda).rules
    with Silo(given.silo, given.id, given.agenda) as silo:
        now = datetime.now(UTC)
        archive = RequestArchive(silo.folder / ARCHIVE, Disk(), now)
        file = DatabaseFile(silo.database, Disk(), silo.check)
        database = file.read()
        archived: dict[str, Record | None] = {key: archive.find(key) for key in archive}
        records = (archived | database.ledger.records).items()
        here = Database(database.snapshot, Ledger.of((key, one) for key, one in records if one is not None))
        opened = PostgresStorage(given.store, given.id, rules, archive, agenda=given.agenda, is_alone=True)
        with closing(opened) as storage:
            return (_import if given.action == "import" else _export)(silo, file, here, storage, now)


def _are_same(one: Database, other: Database, now: datetime) -> bool:
    ledgers = one.ledger.copy(), other.ledger.copy()
    for ledger in ledgers:
        ledger.forget(now)  # each side does so in its own time
    return one.snapshot.slots == other.snapshot.slots and ledgers[0] == ledgers[1]


def _import(silo: Silo, _file: DatabaseFile, here: Database, storage: "PostgresStorage", now: datetime) -> str:
    there, key = storage.begin(), silo.key(Disk())
    if there.snapshot.slots or there.ledger.records:
        if storage.key == key and _are_same(here, there, now):
            return _SAME
        raise StartupError("--store: this clinic has another agenda there already; nothing was changed.")
    change = Change(added=tuple(here.snapshot.slots))
    storage.adopt(key)
    unstored = storage.flush(Database(there.snapshot.changed(change), here.ledger), [change], lambda: None)
    if unstored is not None:
        raise StartupError(f"--store: the server did not confirm the import, whose outcome is {unstored}. Repeat it.")
    return f"{len(here.snapshot.slots)} slots and {len(here.ledger.records)} requests are on the server now"


def _export(silo: Silo, file: DatabaseFile, here: Database, storage: "PostgresStorage", now: datetime) -> str:
    there, path = storage.begin(), silo.folder / KEY
    is_same_key = path.exists() and silo.key(Disk()) == storage.key
    is_there = silo.database.exists() and is_same_key and _are_same(here, there, now)
    if not is_there:
        if silo.database.exists() or here.ledger.records or (path.exists() and not is_same_key):
            raise StartupError(f"{silo.folder}: another agenda or key is there already; nothing was changed.")
        Disk().replace(path, f"{storage.key.hex()}\n".encode())
        file.replace(there.encode())
    if not file.sync():
        raise StartupError(f"{silo.database} is written, but may not outlive a power failure yet. Repeat it.")
    if is_there:
        return _SAME
    return f"{len(there.snapshot.slots)} slots and {len(there.ledger.records)} requests are in {silo.database} now"


if __name__ == "__main__":
    sys.exit(main())
