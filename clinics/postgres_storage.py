"""An agenda in PostgreSQL, which several replicas of a clinic share (extra `postgres`).

Each clinic has a schema of its own, named as its id. A batch locks the clinic's one row, reads what other replicas
changed since, decides by the same rules as ever on what is then the newest state, and commits: bookings never rest on a
snapshot. Every change has a revision; a read asks for slots of later ones first, so that it is never stale.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import takewhile

import orjson
import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import ExecStatus

from clinics.database import Database, record_of
from clinics.house_rules import HouseRules
from clinics.ledger import forgotten_since, subject_of
from clinics.postgres_rows import INSERT, MIGRATIONS, REMEMBER, REQUESTS, SLOTS, UPDATE, Row, rows_of, with_rows
from clinics.request_archive import RequestArchive
from clinics.slots import Change, Snapshot
from clinics.startup import StartupError
from clinics.store import Unstored, not_stored
from mesh.strict_document import Item

# A replica that hangs with the lock is cut off; a server that does not wait for its disk is told to. What is new is few
# rows, which a planner without statistics does not know: it would read the whole agenda for them.
_SESSION = """SET enable_seqscan = off; SET lock_timeout = '3s'; SET statement_timeout = '10s';
    SET idle_in_transaction_session_timeout = '10s';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"""
_MOST_ROWS = 5_000

_log = logging.getLogger(__name__)


class PostgresStorage:
    """A `Storage` on a server. What the server says is never repeated: it may name a host or a row."""

    def __init__(self, url: str, clinic_id: str, rules: HouseRules, archive: RequestArchive) -> None:
        _check_url(url)
        self.archive = archive  # stays empty: the table of requests is the whole ledger
        self._url = url
        self._schema = clinic_id
        self._rules = rules
        self._writing: psycopg.Connection | None = None
        self._reading: psycopg.Connection | None = None
        self._read_lock, self._publish_lock = threading.Lock(), threading.Lock()
        self._begun = self._answered = 0  # reads of the server, by number
        self._database, self._revision = Database(), 0  # what the writer knows
        self._published, self._published_revision = self._database.snapshot, 0
        with _reaching():
            self.key = self._open()

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
        return self._published

    def begin(self) -> Database:
        """See `Storage.begin`; holds the clinic's lock until `flush`."""
        with self._faults():
            self._writing = connection = self._writing or _connected(self._url, self._schema)
            with connection.pipeline():
                connection.execute("BEGIN")
                clinic = connection.execute("SELECT revision FROM clinic FOR UPDATE")
                slots = connection.execute(SLOTS, [self._revision])
                requests = connection.execute(REQUESTS, [self._revision])
            self._learn(clinic.fetchall()[0][0], slots.fetchall(), requests.fetchall())
        return self._database

    def flush(self, database: Database, changes: Sequence[Change], ready: Callable[[], None]) -> Unstored | None:
        """See `Storage.flush`."""
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
                except psycopg.IntegrityError:
                    outcome = "unchanged"  # a constraint refused it
                    raise
        except OSError:
            return outcome
        self._database, self._revision = database, revision
        self._publish(database.snapshot, revision)
        return None

    def adopt(self, key: bytes) -> None:
        """Use this key for digests from now on, if what `begin` began becomes durable."""
        if self._writing is not None:
            self._writing.execute("UPDATE clinic SET key = %s", [key])
        self.key = key

    def close(self) -> None:
        """See `Storage.close`."""
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
                updated = connection.execute(UPDATE, [_json(rows_of(slots, changed, self._rules, revision))])
            added = rows_of(slots, range(known, len(slots)), self._rules, revision)
            for first in range(0, len(added), _MOST_ROWS):  # each within the time that a statement has
                connection.execute(INSERT, [_json(added[first : first + _MOST_ROWS])])
            if records:
                oldest = forgotten_since(datetime.fromisoformat(max(record.at for record in records.values())))
                connection.execute("DELETE FROM request WHERE at <= %s", [oldest])
                entered = [
                    {"key": key, "at": one.at, "record": _json(one), "revision": revision}
                    for key, one in records.items()
                ]
                connection.execute(REMEMBER, [_json(entered)])
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
        if self._reading is None:
            self._reading = _connected(self._url, self._schema)
            self._reading.pgconn.prepare(b"newer", b"SELECT 1 FROM slot WHERE revision > $1 ORDER BY revision LIMIT 1")
        known, revision = self._published, self._published_revision
        # Every read asks, and mostly nothing is newer: libpq alone answers in a third of what a cursor takes.
        found = self._reading.pgconn.exec_prepared(b"newer", [b"%d" % revision])
        if found.status != ExecStatus.TUPLES_OK:
            raise psycopg.OperationalError
        if found.ntuples:
            rows = self._reading.execute(SLOTS, [revision]).fetchall()
            self._publish(with_rows(known, rows), max(row[-1] for row in rows))

    def _publish(self, snapshot: Snapshot, revision: int) -> None:
        with self._publish_lock:
            if revision > self._published_revision:
                self._published, self._published_revision = snapshot, revision

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

    def _open(self) -> bytes:
        """Bring the schema up to date, and return the clinic's key for digests."""
        name = sql.Identifier(self._schema)
        with _connected(self._url, self._schema) as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [self._schema])
            if connection.execute("SELECT to_regclass('clinic')").fetchall()[0][0] is None:
                connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(name))
                connection.execute(MIGRATIONS[0])
                values = [self._schema, secrets.token_bytes(32)]
                connection.execute("INSERT INTO clinic VALUES (%s, %s, 1, 0)", values)
            owner, key, version = connection.execute("SELECT id, key, version FROM clinic").fetchall()[0]
            _check_owner(owner, self._schema)
            _check_version(version)
            for statements in MIGRATIONS[version:]:
                connection.execute(statements.encode())
            connection.execute("UPDATE clinic SET version = %s", [len(MIGRATIONS)])
        return bytes(key)


def look(url: str, clinic_id: str) -> str:
    """Say what a server keeps of a clinic, and change nothing there; raise StartupError where it cannot be used."""
    _check_url(url)
    with _reaching(), _connected(url, clinic_id) as connection, connection.transaction():
        connection.execute("SET TRANSACTION READ ONLY")
        if connection.execute("SELECT to_regclass('clinic')").fetchall()[0][0] is None:
            return "nothing is kept there yet; the first start makes its tables"
        owner, version = connection.execute("SELECT id, version FROM clinic").fetchall()[0]
        _check_owner(owner, clinic_id)
        _check_version(version)
        slots = connection.execute("SELECT count(*) FROM slot").fetchall()[0][0]
    if version < len(MIGRATIONS):
        return f"{slots} slots, in tables of an earlier release; `clinic-mesh store migrate` brings them up to date"
    return f"{slots} slots, in tables of version {version}"


@contextmanager
def _reaching() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise StartupError(
            f"--store: the PostgreSQL server does not let us work ({type(error).__name__}). Check its address, the "
            "user's rights, and the password, which belongs in PGPASSFILE."
        ) from None


def _connected(url: str, schema: str) -> psycopg.Connection:
    connection = psycopg.connect(
        url, autocommit=True, connect_timeout=3, tcp_user_timeout=5000, application_name="clinic-mesh"
    )
    connection.execute(_SESSION)
    connection.execute("SELECT set_config('search_path', %s, false)", [f'"{schema}"'])
    return connection


def _check_owner(owner: str, clinic_id: str) -> None:
    if owner != clinic_id:  # a schema that was renamed by hand
        raise StartupError(f"--store: the schema {clinic_id} holds another clinic's agenda. Name it as it was again.")


def _check_version(version: int) -> None:
    if version > len(MIGRATIONS):
        raise StartupError("--store: a later release made this database. Use that release.")


def _check_url(url: str) -> None:
    """Raise StartupError for a URL that holds a password: it would stand where all users of a machine can read it."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        raise StartupError("--store must be a URL such as postgresql://user@host/database", usage=True) from None
    if parts.get("password"):
        raise StartupError(
            "--store holds a password, which every user of this machine could read. Put it into the file of PGPASSFILE "
            "(or PGPASSWORD, or a service of PGSERVICEFILE) and leave it out of the URL; change it, too.",
            usage=True,
        )


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _close(connection: psycopg.Connection | None) -> None:
    if connection is not None:
        with suppress(psycopg.Error):
            connection.close()
