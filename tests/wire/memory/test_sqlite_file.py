"""The file of memories on the disk: whose it is, what is left in it, and what its failures and killed processes do."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from orchestrator.memory.keeping.handler import MemoryHandler, SubjectKey
from orchestrator.memory.memory_store import StoreError
from orchestrator.memory.sqlite_store import SqliteMemoryStore
from orchestrator.turn.memory_calls import (
    ForgetAllMemories,
    ForgetMemory,
    ListMemories,
    MemoryKind,
    MemoryStatus,
    SaveMemory,
)
from tests.support.memories import CARLOS, MARIA, NOW, TODAY, a_memory

SUBJECT = "a" * 64
SECRET = "moro em Santo André, sobrado verde"
ROOT = Path(__file__).parents[3]
DEADLINE_S = 60


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "memory.db"


@pytest.fixture
def handler(path: Path, tmp_path: Path) -> MemoryHandler:
    return MemoryHandler(SqliteMemoryStore(path), SubjectKey(tmp_path / "keys"), None, lambda: NOW)


def save(handler: MemoryHandler, content: str = SECRET) -> MemoryStatus:
    return handler.execute(MARIA, SaveMemory(MemoryKind.PERSONAL, content), "one").status


def bytes_on_disk(path: Path) -> bytes:
    """Return all bytes of all files beside a file, journals included."""
    return b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_the_file_is_its_owners_alone_from_the_start(path: Path) -> None:
    mask = os.umask(0)
    try:
        with SqliteMemoryStore(path).changing(SUBJECT, TODAY) as shelf:
            shelf.add(a_memory(SECRET), None)
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(mask)
    assert modes["memory.db"] == 0o600
    assert set(modes.values()) == {0o600}, "the journal too"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_others_could_read_is_closed_to_them(handler: MemoryHandler, path: Path) -> None:
    save(handler)
    path.chmod(0o644)
    assert handler.execute(MARIA, ListMemories(), "one").status is MemoryStatus.FOUND
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_looking_makes_no_file(handler: MemoryHandler, path: Path) -> None:
    assert handler.recall(MARIA, "quero uma consulta") == ()
    assert handler.execute(MARIA, ListMemories(), "one").status is MemoryStatus.FOUND
    assert not path.exists()


def test_neither_cpf_nor_name_is_in_the_file(handler: MemoryHandler, path: Path) -> None:
    save(handler)
    content = bytes_on_disk(path)
    assert SECRET.encode() in content
    for part in (b"52998224725", MARIA.cpf.encode(), b"Maria", b"Souza"):
        assert part not in content


def test_the_table_is_the_documents(handler: MemoryHandler, path: Path) -> None:
    save(handler)
    with closing(sqlite3.connect(path)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(doctor_context)")]
        row = connection.execute("SELECT source, tipo, conversation FROM doctor_context").fetchone()
    assert columns == [
        "position",
        "id",
        "subject",
        "content",
        "embedding",
        "source",
        "tipo",
        "created_at",
        "updated_at",
        "conversation",
        "expires_on",
    ]
    assert row == ("conversation", "info_pessoal", "one")


@pytest.mark.parametrize("others", [0, 300])
def test_after_all_is_forgotten_no_byte_of_it_is_left(handler: MemoryHandler, path: Path, others: int) -> None:
    # Others' memories around them make SQLite move rows between pages.
    with SqliteMemoryStore(path).changing(SUBJECT, TODAY) as shelf:
        for number in range(others):
            shelf.add(a_memory(f"memória alheia {number} " + "x" * (number % 90)), None)
    said = [f"{SECRET} número {number} " + "y" * number for number in range(40)]
    for content in said:
        assert save(handler, content) is MemoryStatus.SAVED
    assert handler.execute(MARIA, ForgetAllMemories(), "one").status is MemoryStatus.FORGOTTEN
    left = bytes_on_disk(path)
    assert SECRET.encode() not in left
    assert b"sobrado" not in left
    assert b"yyyy" not in left
    assert left.count(b"alheia") >= others
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"], "no journal is left"


def test_after_one_is_forgotten_no_byte_of_it_is_left(handler: MemoryHandler, path: Path) -> None:
    for number in range(30):
        save(handler, f"prefiro o consultório {number}")
    save(handler)
    assert handler.execute(MARIA, ForgetMemory("sobrado verde"), "one").status is MemoryStatus.FORGOTTEN
    assert b"sobrado" not in bytes_on_disk(path)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the file as another process that writes for long."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


def all_calls(handler: MemoryHandler) -> set[MemoryStatus]:
    calls = (SaveMemory(MemoryKind.PERSONAL, SECRET), ListMemories(), ForgetMemory("sobrado"), ForgetAllMemories())
    return {handler.execute(MARIA, call, "one").status for call in calls}


def test_a_file_that_stays_locked_fails_calls_and_raises_nothing(
    handler: MemoryHandler, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(handler)
    monkeypatch.setattr("orchestrator.memory.sqlite_store._BUSY_TIMEOUT_S", 0.01)
    with held(path):
        assert all_calls(handler) == {MemoryStatus.FAILED}
        assert handler.recall(MARIA, "quero uma consulta") == ()
    assert [memory.content for memory in handler.recall(MARIA, "Santo André")] == [SECRET]


def test_a_file_that_is_none_of_ours_fails_calls_and_stays(handler: MemoryHandler, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"not a database, but somebody's letter" * 100)
    assert all_calls(handler) == {MemoryStatus.FAILED}
    assert handler.recall(MARIA, "quero uma consulta") == ()
    assert path.read_bytes().startswith(b"not a database")


def test_a_file_of_a_later_version_is_left_alone(handler: MemoryHandler, path: Path) -> None:
    save(handler)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    assert all_calls(handler) == {MemoryStatus.FAILED}


def test_a_folder_that_cannot_be_made_fails_calls(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("", "utf-8")
    store = SqliteMemoryStore(tmp_path / "data" / "memory.db")
    handler = MemoryHandler(store, SubjectKey(tmp_path / "keys"), None, lambda: NOW)
    assert save(handler) is MemoryStatus.FAILED


def test_a_disk_that_is_full_fails_the_save_and_keeps_what_is_there(handler: MemoryHandler, path: Path) -> None:
    save(handler)
    before = path.stat().st_size
    code = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from orchestrator.memory.sqlite_store import SqliteMemoryStore\n"
        "from orchestrator.memory.memory_store import StoreError\n"
        "from tests.support.memories import TODAY, a_memory\n"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))\n"
        "try:\n"
        "    with SqliteMemoryStore(Path(sys.argv[1])).changing('a' * 64, TODAY) as shelf:\n"
        "        for _ in range(200): shelf.add(a_memory('z' * 500), None)\n"
        "except StoreError as error: print('StoreError', error)\n"
    )
    ended = run(code, path, str(before))
    assert ended.stdout.startswith("StoreError the file of memories:")
    assert [memory.content for memory in handler.execute(MARIA, ListMemories(), "one").memories] == [SECRET]


def run(code: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )


def test_a_process_killed_in_the_middle_of_a_save_leaves_what_was_there(handler: MemoryHandler, path: Path) -> None:
    save(handler)
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from orchestrator.memory.sqlite_store import SqliteMemoryStore\n"
        "from tests.support.memories import TODAY, a_memory\n"
        "with SqliteMemoryStore(Path(sys.argv[1])).changing('a' * 64, TODAY) as shelf:\n"
        # More than SQLite's cache: pages are in the file before the end, and only the journal can undo them.
        "    for _ in range(9000): shelf.add(a_memory('pela metade ' + 'z' * 480), None)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    size = path.stat().st_size
    assert run(code, path).returncode == -9
    assert path.stat().st_size > size, "half of it was in the file already"
    assert [memory.content for memory in handler.recall(MARIA, "Santo André")] == [SECRET]
    with SqliteMemoryStore(path).reading(SUBJECT, TODAY) as shelf:
        assert shelf.memories() == ()
    assert save(handler, "prefiro de manhã cedo") is MemoryStatus.SAVED


@pytest.mark.long
def test_processes_that_save_at_once_lose_nothing(handler: MemoryHandler, path: Path, tmp_path: Path) -> None:
    save(handler)
    processes, each = 3, 20
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from orchestrator.composition.memory import LazyMemory\n"
        "from orchestrator.turn.memory_calls import SaveMemory\n"
        "from orchestrator.turn.memory_calls import MemoryKind\n"
        "from orchestrator.turn import Role\n"
        "from tests.support.memories import CARLOS, memory_settings\n"
        "data, keys, name = sys.argv[1:]\n"
        "with LazyMemory(memory_settings(Path(data), Path(keys)), Role.PATIENT) as memory:\n"
        "    input()\n"
        f"    for number in range({each}):\n"
        "        call = SaveMemory(MemoryKind.PERSONAL, f'prefiro o consultório {name}{number:02}')\n"
        "        print(memory.execute(CARLOS, call, name).status)\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, path.parent, tmp_path / "keys", str(number + 1)],
            env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(processes)
    ]
    outputs = [process.communicate("\n", timeout=DEADLINE_S)[0] for process in started]
    assert [output.split() for output in outputs] == [["saved"] * each] * processes
    assert len(handler.execute(CARLOS, ListMemories(), "one").memories) == processes * each
    assert len(handler.execute(MARIA, ListMemories(), "one").memories) == 1


def test_a_fault_is_told_without_what_was_kept(path: Path) -> None:
    store = SqliteMemoryStore(path)
    twice = a_memory(SECRET)
    with store.changing(SUBJECT, TODAY) as shelf:
        shelf.add(twice, None)
    with pytest.raises(StoreError) as caught, store.changing(SUBJECT, TODAY) as shelf:
        shelf.add(twice, None)
    assert "Santo" not in str(caught.value)
    assert twice.id not in str(caught.value)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE doctor_context SET tipo = 'segredo'",
        "UPDATE doctor_context SET created_at = 'segredo'",
        "UPDATE doctor_context SET expires_on = '9segredo'",
        "UPDATE doctor_context SET content = CAST(x'7365677265646fff' AS TEXT)",
    ],
)
def test_a_damaged_row_fails_calls_is_not_told_and_can_be_forgotten(
    handler: MemoryHandler, path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    save(handler)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(damage)
    assert handler.execute(MARIA, ListMemories(), "one").status is MemoryStatus.FAILED
    assert handler.recall(MARIA, "quero uma consulta") == ()
    assert "segredo" not in caplog.text


@pytest.mark.parametrize("column", ["tipo", "created_at", "source"])
def test_what_cannot_be_read_can_be_forgotten(handler: MemoryHandler, path: Path, column: str) -> None:
    save(handler)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE doctor_context SET {column} = 'damaged'")
    assert handler.execute(MARIA, ForgetAllMemories(), "one").status is MemoryStatus.FORGOTTEN
    assert handler.execute(MARIA, ListMemories(), "one").memories == ()
    assert b"sobrado" not in bytes_on_disk(path)


def test_what_cannot_be_changed_is_still_read(
    handler: MemoryHandler, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(handler)
    monkeypatch.setattr("orchestrator.memory.sqlite_store._BUSY_TIMEOUT_S", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as another:
        another.execute("BEGIN IMMEDIATE")
        assert [memory.content for memory in handler.recall(MARIA, "Santo André")] == [SECRET]
        assert handler.execute(MARIA, ListMemories(), "one").status is MemoryStatus.FOUND
        assert handler.execute(MARIA, ForgetAllMemories(), "one").status is MemoryStatus.FAILED
