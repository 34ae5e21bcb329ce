"""Looks whether memories could be kept with some settings, and writes nothing: what `clinic-mesh doctor` says of it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from orchestrator.memory.opening import FILE

_CONNECT_TIMEOUT_S = 3


@dataclass(frozen=True, slots=True)
class Condition:
    """What was found.

    Attributes:
        text: What holds; where something is wrong, what to do. No address and no key is in it.
        is_well: Whether memories can be kept and found as the settings say.
    """

    text: str
    is_well: bool = True


def examine(data_dir: Path, url: str | None, voyage_key: str | None) -> Condition:
    """Return the condition of the memory; the settings are those of `open_memory`."""
    place = _file(data_dir / FILE) if url is None else _server(url)
    if not place.is_well or voyage_key is None:
        return place
    if find_spec("voyageai") is None:
        return Condition(
            "VOYAGE_API_KEY is set, but voyageai is not installed: pip install clinic-mesh[embeddings]", is_well=False
        )
    return Condition(f"{place.text}; searched by meaning, too")


def _file(path: Path) -> Condition:
    if not path.exists():
        return Condition(f"on; {FILE} will be made when there is something to remember")
    import sqlite3  # noqa: PLC0415 - the first use pays, no start

    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error:
        return Condition(
            f"{path} cannot be read as a database; move it away, and a new one will be made", is_well=False
        )
    return Condition(f"on; {FILE} can be read")


def _server(url: str) -> Condition:
    if find_spec("psycopg") is None:
        return Condition("psycopg is not installed: pip install clinic-mesh[memory-postgres]", is_well=False)
    import psycopg  # noqa: PLC0415 - an extra

    try:
        psycopg.connect(url, connect_timeout=_CONNECT_TIMEOUT_S).close()
    except psycopg.Error:
        return Condition(
            "the server of CLINIC_MESH_MEMORY_URL does not let us in; check address, name and password", is_well=False
        )
    return Condition("on; the server of CLINIC_MESH_MEMORY_URL answers")
