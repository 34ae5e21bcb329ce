"""An agenda in db.json, with an archive of older records beside it."""

import logging
from collections.abc import Callable, Sequence

from clinics.database import Database, Encoder
from clinics.request_archive import RequestArchive
from clinics.silo import DatabaseFile
from clinics.slots import Change
from clinics.store import Unstored

MOST_IN_DATABASE = 256  # records that db.json holds; of more, those that it surely holds move to the archive
_log = logging.getLogger(__name__)


class FileStorage:
    """A `Storage` in one JSON file, whose folder is there and is this process's own.

    A batch is written beside db.json, synced, and renamed over it; then the folder is synced. If anything fails before
    the rename, nothing changed. If the folder's sync fails, the change is in the file but may not outlive a power
    failure: it is not published or acknowledged before a later flush succeeds; its callers get "outcome unknown".

    A record goes to the archive only when db.json surely holds it, and leaves db.json only when the archive does:
    wherever a crash comes between, at least one of them has it.
    """

    def __init__(self, file: DatabaseFile, archive: RequestArchive, key: bytes) -> None:
        self.archive = archive
        self.key = key
        self._file = file
        self._database = file.read()  # what db.json holds
        self._moved: set[str] = set()  # keys of records that db.json holds and the archive surely does, too
        self._is_reported = False  # whether the log says that the archive takes no records
        self._encoder = Encoder()
        # Whether db.json's name is known to be on the medium. A process before this one may have been killed between
        # rename and the folder's sync: a repeat must not be answered from what a power failure would undo.
        self._settled = file.sync()
        self.snapshot = self.known = self._database.snapshot

    def begin(self) -> Database:
        """Return what was last written: one process holds the file, so that is what there is."""
        return self._database

    def close(self) -> None:
        """Do nothing: the file is whole after every write."""

    def flush(self, database: Database, _changes: Sequence[Change], ready: Callable[[], None]) -> Unstored | None:
        if database is self._database and self._settled:
            return None
        database = self._without_archived(database)
        try:
            content = self._encoder.encode(database.snapshot.slots, database.ledger.records)
            self._file.replace(content, ready)
        except OSError:
            return "unchanged"
        self._database = database
        self._moved.clear()
        self._settled = self._file.sync()
        if not self._settled:
            return "unknown"
        self.snapshot = self.known = database.snapshot
        return None

    def _without_archived(self, database: Database) -> Database:
        """Move the records that db.json surely holds to the archive once they are many; return what remains for it."""
        sure = self._database.ledger.records
        if not self._settled or len(sure) < MOST_IN_DATABASE:
            return database
        try:
            self.archive.append({key: record for key, record in sure.items() if key not in self._moved})
        except OSError as error:
            if not self._is_reported:
                told = "%s takes no records (%s); they stay in db.json, which costs time"
                _log.warning(told, self.archive.path, error)
                self._is_reported = True
            return database
        self._is_reported = False
        self._moved.update(sure)
        ledger = database.ledger.copy()
        ledger.drop(sure)
        return Database(database.snapshot, ledger)
