"""A memory is put together when it is first used, and costs a start nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.composition.memory import LazyMemory
from orchestrator.memory.turn_memory import MemoryKeeper
from orchestrator.turn.identity import Role
from orchestrator.turn.memory_calls import ListMemories, MemoryKind, MemoryStatus, SaveMemory
from tests.support.memories import MARIA, memory_settings

CALL = SaveMemory(MemoryKind.PREFERENCE, "prefiro de manhã")


def test_opening_loads_makes_and_asks_nothing(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from orchestrator.composition.memory import LazyMemory\n"
        "from orchestrator.settings import Settings\n"
        "from orchestrator.turn import Role\n"
        "folders = {name: Path(name) for name in ('data_dir', 'log_dir', 'keys_dir')}\n"
        "settings = Settings(**folders, memory_url='postgresql://nowhere', voyage_api_key='key')\n"
        "with LazyMemory(settings, Role.PATIENT):\n"
        "    late = ('sqlite3', 'psycopg', 'voyageai', 'rapidfuzz', 'cryptography')\n"
        "    print(*(name for name in late if name in sys.modules))\n"
    )
    root = Path(__file__).parents[3]
    environment = {"PYTHONPATH": str(root), "PATH": os.environ["PATH"]}
    output = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, timeout=60, check=True
    ).stdout
    assert output.strip() == b""
    assert not list(tmp_path.iterdir())


def test_what_one_process_saves_the_next_recalls(tmp_path: Path) -> None:
    settings = memory_settings(tmp_path / "data", tmp_path / "keys")
    with LazyMemory(settings, Role.PATIENT) as memory:
        keeper: MemoryKeeper = memory
        assert keeper.execute(MARIA, CALL, "one").status is MemoryStatus.SAVED
    with LazyMemory(settings, Role.PATIENT) as memory:
        assert [each.content for each in memory.recall(MARIA, "quero uma consulta")] == ["prefiro de manhã"]


def test_hosts_share_a_server(tmp_path: Path, postgres_url: str) -> None:
    # Hosts know people by one key: an administrator gives each the same memory.key.
    with LazyMemory(memory_settings(tmp_path / "one", tmp_path / "keys", url=postgres_url), Role.PATIENT) as memory:
        assert memory.execute(MARIA, CALL, "one").status is MemoryStatus.SAVED
        assert memory.execute(MARIA, CALL, "one").status is MemoryStatus.KNOWN
    with LazyMemory(memory_settings(tmp_path / "two", tmp_path / "keys", url=postgres_url), Role.PATIENT) as memory:
        assert len(memory.execute(MARIA, ListMemories(), "two").memories) == 1
    assert not (tmp_path / "one").exists(), "there is no file beside the server"


@pytest.mark.parametrize("url", ["postgresql://maria:hush@127.0.0.1:9/nowhere", "no address at all"])
def test_a_server_that_is_not_there_fails_calls_and_its_password_is_not_told(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with LazyMemory(memory_settings(tmp_path / "data", tmp_path / "keys", url=url), Role.PATIENT) as memory:
        assert memory.execute(MARIA, CALL, "one").status is MemoryStatus.FAILED
        assert memory.recall(MARIA, "quero uma consulta") == ()
    assert "hush" not in caplog.text
    assert "address" not in caplog.text


def test_a_server_that_comes_back_is_used_again(tmp_path: Path, postgres_url: str) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it there is no URL either

    with LazyMemory(memory_settings(tmp_path / "data", tmp_path / "keys", url=postgres_url), Role.PATIENT) as memory:
        memory.execute(MARIA, CALL, "one")
        with psycopg.connect(postgres_url, autocommit=True, connect_timeout=60) as administrator:
            administrator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )
        assert memory.execute(MARIA, CALL, "one").status is MemoryStatus.KNOWN
