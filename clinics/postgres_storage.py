"""An agenda in PostgreSQL, which several replicas of a clinic share (extra `postgres`).

Each clinic has a schema of its own, named as its id. A batch locks the clinic's one row, reads what other replicas
changed since, decides by the same rules as ever on what is then the newest state, and commits: bookings never rest on a
snapshot. Every change has a revision; a read asks for slots of later ones first, so that it is never stale.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from itertools import takewhile

import orjson
import psycopg
from psycopg.pq import ExecStatus

from clinics.agenda import AgendaName
from clinics.database import Database, record_of
from clinics.ledger import forgotten_since, subject_of
from clinics.postgres_schema import STATEMENTS, Row, connected, open_schema, rows_of, with_rows
from clinics.request_archive import RequestArchive
from clinics.schedule import HouseRules
from clinics.slots import Change, Snapshot
from clinics.store import Unstored, not_stored
from mesh.strict_document import Item

_MOST_ROWS = 5_000
# What the server answers to COMMIT where it made nothing of it; other words than these may come after it did.
_REFUSED = (
    psycopg.IntegrityError,
    psycopg.errors.SerializationFailure,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.DiskFull,
)

_log = logging.getLogger(__name__)


class PostgresStorage:
    """A `Storage` on a server. What the server says is never repeated: it may name a host or a row."""

    def __init__(
        self,
        url: str,
        clinic_id: str,
        rules: HouseRules,
        archive: RequestArchive,
        *,
        agenda: AgendaName = "rolling",
        is_alone: bool = False,  # whether no clinic may be at work there meanwhile
    ) -> None:
        self.key = open_schema(url, clinic_id, agenda, is_alone=is_alone)
        self.archive = archive  # stays empty: the table of requests is the whole ledger
        self._connected = partial(connected, url, clinic_id, is_alone=is_alone)
        self._rules = rules
        self._writing: psycopg.Connection | None = None
        self._reading: psycopg.Connection | None = None
        self._read_lock, self._publish_lock = threading.Lock(), threading.Lock()
        self._begun = self._answered = 0  # reads of the server, by number
        self._database, self._revision = Database(), 0  # what the writer knows
        self._published = self._database.snapshot, self._revision

    @property
    def snapshot(self) -> Snapshot:
        """The agenda as the server had it when this was called, or later."""
        wanted = self._begun + 1  # one that is under way may miss what was written before this call
        with self._read_lock:
            if self._answered < wanted:
                self._begun = number = self._begun + 1
                for is_last in (False, True):  # the connection may have been cut while nobody asked
                    try:
                        self._refresh()
                        break
                    except psycopg.Error as error:
                        _close(self._reading)
                        self._reading = None
                        if is_last:
                            _log.warning("the database does not answer (%s)", type(error).__name__)
                            raise not_stored("unchanged") from None
                self._answered = number
        return self.known

    @property
    def known(self) -> Snapshot:
        return self._published[0]

    def begin(self) -> Database:
        """Return what is stored, and hold the clinic's lock until `flush`."""
        with self._faults():
            if self._writing is None:
                self._writing = self._connected()
                self._database, self._revision = Database(), 0  # a server that took over may have forgotten something
            connection = self._writing
            with connection.pipeline():
                connection.execute("BEGIN")
                clinic = connection.execute("SELECT revision FROM clinic FOR UPDATE")
                slots = connection.execute(STATEMENTS["slots"], [self._revision])
                requests = connection.execute(STATEMENTS["requests"], [self._revision])
            self._learn(clinic.fetchall()[0][0], slots.fetchall(), requests.fetchall())
        return self._database

    def flush(self, database: Database, changes: Sequence[Change], ready: Callable[[], None]) -> Unstored | None:
        outcome: Unstored = "unchanged"
        try:
            with self._faults():
                connection, revision = self._writing, self._revision
                if connection is None:
                    raise psycopg.OperationalError
                if database is not self._database:
                    revision += 1
                    self._send(connection, database, changes, revision)
                ready()
                outcome = "unknown"
                try:
                    connection.execute("COMMIT")
                except _REFUSED:
                    outcome = "unchanged"
                    raise
        except OSError:
            return outcome
        self._database, self._revision = database, revision
        self._publish(database.snapshot, revision)
        return None

    def adopt(self, key: bytes) -> None:
        """Use this key for digests from now on, if what `begin` began becomes durable."""
        if self._writing is not None:
            with self._faults():
                self._writing.execute("UPDATE clinic SET key = %s", [key])
        self.key = key

    def close(self) -> None:
        with self._read_lock:
            _close(self._reading)
            _close(self._writing)

    def _send(
        self, connection: psycopg.Connection, database: Database, changes: Sequence[Change], revision: int
    ) -> None:
        slots, known = database.snapshot.slots, len(self._database.snapshot.slots)
        changed = sorted({at for change in changes for at in change.replaced if at < known})
        earlier, newest_first = self._database.ledger.records, reversed(database.ledger.records.items())
        records = dict(takewhile(lambda pair: earlier.get(pair[0]) is not pair[1], newest_first))
        with connection.pipeline():
            if changed:
                rows = _json(rows_of(slots, changed, self._rules, revision))
                updated = connection.execute(STATEMENTS["update"], [rows])
            added = rows_of(slots, range(known, len(slots)), self._rules, revision)
            for first in range(0, len(added), _MOST_ROWS):  # each within the time that a statement has
                connection.execute(STATEMENTS["insert"], [_json(added[first : first + _MOST_ROWS])])
            if records:
                oldest = forgotten_since(datetime.fromisoformat(max(record.at for record in records.values())))
                connection.execute("DELETE FROM request WHERE at <= %s", [oldest])
                entered = [
                    {"key": key, "at": one.at, "record": _json(one), "revision": revision}
                    for key, one in records.items()
                ]
                connection.execute(STATEMENTS["remember"], [_json(entered)])
            connection.execute("UPDATE clinic SET revision = %s", [revision])
        if changed and updated.rowcount != len(changed):  # only a hand past the lock can lead here
            raise psycopg.OperationalError

    def _learn(self, revision: int, slots: Sequence[Row], requests: Sequence[Row]) -> None:
        snapshot, ledger = with_rows(self._database.snapshot, slots), self._database.ledger
        if requests:
            read = {key: record_of(Item(orjson.loads(record))) for key, record in requests}
            ledger = ledger.copy()
            ledger.drop(read)
            ledger.records.update(read)  # later revisions are not older
            ledger.subjects.update(map(subject_of, read))
        if slots or requests:
            self._database = Database(snapshot, ledger)
        self._revision = revision

    def _refresh(self) -> None:
        known, revision = self._published
        is_anew = self._reading is None  # see `begin`
        if self._reading is None:
            self._reading = self._connected()
            self._reading.pgconn.prepare(b"newer", b"SELECT 1 FROM slot WHERE revision > $1 ORDER BY revision LIMIT 1")
            known, revision = Snapshot(), 0
        # Every read asks, and mostly nothing is newer: libpq alone answers in a third of what a cursor takes.
        found = self._reading.pgconn.exec_prepared(b"newer", [b"%d" % revision])
        if found.status != ExecStatus.TUPLES_OK:
            raise psycopg.OperationalError
        if found.ntuples:
            rows = self._reading.execute(STATEMENTS["slots"], [revision]).fetchall()
            self._publish(with_rows(known, rows), rows[-1][-1], is_anew=is_anew)

    def _publish(self, snapshot: Snapshot, revision: int, *, is_anew: bool = False) -> None:
        with self._publish_lock:
            if is_anew or revision > self._published[1]:
                self._published = snapshot, revision

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            _close(self._writing)  # which ends its transaction, if the server did not
            self._writing = None
            if not isinstance(error, psycopg.Error):
                raise
            _log.warning("the database did not take a batch (%s)", type(error).__name__)
            raise OSError("the database did not take a batch") from None


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _close(connection: psycopg.Connection | None) -> None:
    if connection is not None:
        with suppress(psycopg.Error):
            connection.close()
