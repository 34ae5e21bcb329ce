"""Keep the sessions of the desk in one SQLite file, readable by this user only; deleted data are overwritten.

LangGraph owns the tables; besides its own calls, the ids of the sessions are read and old checkpoints deleted here.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from mesh import private_file
from mesh.errors import UsageError

FILE = "sessions.sqlite"
_WAIT_S = 5.0  # for another process's write


class Checkpoints(SqliteSaver):
    """The checkpointer of the graph, and the sessions that it holds."""

    def session_ids(self) -> tuple[str, ...]:
        """Return the ids of all sessions, the most recently used first."""
        with self.cursor(transaction=False) as cursor:
            rows = cursor.execute(
                "SELECT thread_id FROM checkpoints GROUP BY thread_id ORDER BY MAX(checkpoint_id) DESC"
            ).fetchall()
        return tuple(str(session_id) for (session_id,) in rows)

    def keep_last(self, session_id: str) -> None:
        """Delete all checkpoints of a session but the last, of which alone it is resumed."""
        with self.cursor() as cursor:
            for table in ("checkpoints", "writes"):
                cursor.execute(
                    f"DELETE FROM {table} WHERE thread_id = :id AND checkpoint_id <"  # noqa: S608 - two fixed names
                    " (SELECT MAX(checkpoint_id) FROM checkpoints WHERE thread_id = :id)",
                    {"id": session_id},
                )

    def delete_thread(self, thread_id: str) -> None:
        """Delete a session, in the write-ahead log too."""
        super().delete_thread(thread_id)
        with self.cursor(transaction=False) as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


@contextmanager
def open_checkpoints(folder: Path) -> Iterator[Checkpoints]:
    """Yield the sessions of a folder, made for this user only; raise `UsageError` if it cannot be used."""
    path = folder / FILE
    try:
        _make_private(path)
        # The graph's nodes run in threads of LangGraph's, one at a time; the saver has a lock.
        with closing(sqlite3.connect(path, check_same_thread=False, timeout=_WAIT_S)) as connection:
            connection.execute("PRAGMA secure_delete=ON").fetchall()
            # Strict: a manipulated file can create no objects but those that a conversation consists of.
            checkpoints = Checkpoints(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
            checkpoints.setup()
            yield checkpoints
    except sqlite3.DatabaseError as error:  # and no other fault of who uses the sessions, a closed pipe's say
        raise UsageError(f"{path}: cannot be used: {type(error).__name__}") from error


def _make_private(path: Path) -> None:
    try:
        private_file.make_folder(path.parent)
        path.parent.chmod(private_file.FOLDER_MODE)
        # Made before SQLite opens it: the files beside it, -wal and -shm, take its mode.
        private_file.ensure(path)
        path.chmod(private_file.FILE_MODE)
    except OSError as error:
        raise UsageError(f"{path}: cannot be used: {error.strerror}") from error
