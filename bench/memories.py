"""Measures what a search of memories costs: 10,000 of them in one file, of as many people as may have so many.

By words, as without an embeddings service, and by words and meaning, with vectors that are at hand: what the service
takes for the vector of a question is not in it. One person never has more than the handler's limit, which is what makes
plain Python enough.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.measure import interleaved
from bench.report import Goal, Section
from mesh.clock import system_clock
from orchestrator.memory.keeping.handler import MAX_MEMORIES, MemoryHandler, SubjectKey
from orchestrator.memory.memory_store import DIMENSIONS, EmbeddingPurpose, Vector
from orchestrator.memory.sqlite_store import SqliteMemoryStore
from orchestrator.memory.voyage import VoyageEmbeddings
from orchestrator.turn.identity import Identity
from orchestrator.turn.memory_calls import Memory, MemoryKind, MemoryStatus, RecallMemories, Source

_MEMORIES = 10_000
_SEARCHES = 200
_P95_MS = 20
_ABOUT = ("sextas", "segundas", "manhãs", "tardes", "noites", "férias", "filhos", "trabalho", "escola", "dezembro")
_WHAT = ("não posso", "prefiro consultas", "moro perto", "busco alguém", "saio tarde", "tenho folga", "viajo sempre")
_WHERE = ("no centro", "do metrô", "da estação", "do parque", "no bairro", "de ônibus", "de carro", "do hospital")
_QUERY = "tem algum horário de manhã perto do metrô, depois do trabalho?"


class _GivenVectors(VoyageEmbeddings):
    """Embeddings that have the vector of the question at hand."""

    def __init__(self, vector: Vector) -> None:
        self._vector = vector

    def embed(self, texts: Sequence[str], purpose: EmbeddingPurpose) -> tuple[Vector | None, ...]:  # noqa: ARG002 - of the port
        return (self._vector,) * len(texts)

    def close(self) -> None:
        """Nothing is open."""


def measure(rounds: int) -> list[Section]:
    """Measure both ways to search, and a turn's recall.

    Args:
        rounds: How many count; each is a number of searches of people taken by chance, and its value the p95.
    """
    chance = random.Random(1)
    people = [Identity.of("Pessoa Qualquer", f"{number:011}") for number in range(_MEMORIES // MAX_MEMORIES)]
    with tempfile.TemporaryDirectory(prefix="clinic-mesh-bench-") as folder:
        store = SqliteMemoryStore(Path(folder) / "memory.db")
        key = SubjectKey(Path(folder) / "keys")
        for person in people:
            _fill(store, key.subject_of(person), chance)

        def handler(embeddings: VoyageEmbeddings | None) -> MemoryHandler:
            return MemoryHandler(store, key, embeddings, system_clock)

        by_words, by_meaning = handler(None), handler(_GivenVectors(_vector(chance)))
        figures = interleaved(
            {
                "search by words, p95": lambda: _p95_ms(lambda: _search(by_words, chance.choice(people))),
                "search by meaning, p95": lambda: _p95_ms(lambda: _search(by_meaning, chance.choice(people))),
                "recall of a turn, p95": lambda: _p95_ms(lambda: _recall(by_meaning, chance.choice(people))),
            },
            rounds,
            "ms",
        )
        megabytes = (Path(folder) / "memory.db").stat().st_size / 1e6
    remark = f"the file has {megabytes:.0f} MB; one of its {len(people)} people is searched at a time"
    goals = [Goal(figure, _P95_MS) for figure in figures.values()]
    return [Section(f"{_MEMORIES} memories, {MAX_MEMORIES} a person ({rounds} rounds)", goals=goals, remarks=[remark])]


def _fill(store: SqliteMemoryStore, subject: str, chance: random.Random) -> None:
    now = system_clock()
    with store.changing(subject, now.date()) as shelf:
        for number in range(MAX_MEMORIES):
            parts = (_WHAT, _ABOUT, _WHERE, _WHAT, _ABOUT)
            content = " ".join(chance.choice(part) for part in parts)
            kind = chance.choice(list(MemoryKind))
            shelf.add(Memory(f"{subject}-{number}", content, kind, Source.IMPORT, "", now, now), _vector(chance))


def _vector(chance: random.Random) -> Vector:
    numbers = [chance.gauss(0, 1) for _ in range(DIMENSIONS)]
    length = sum(number * number for number in numbers) ** 0.5
    return tuple(number / length for number in numbers)


def _search(handler: MemoryHandler, person: Identity) -> None:
    result = handler.execute(person, RecallMemories(_QUERY), "")
    if result.status is not MemoryStatus.FOUND:
        raise RuntimeError(f"the search ended as {result.status}")


def _recall(handler: MemoryHandler, person: Identity) -> None:
    if not handler.recall(person, _QUERY):
        raise RuntimeError("nothing was recalled")


def _p95_ms(work: Callable[[], None]) -> float:
    taken: list[float] = []
    for _ in range(_SEARCHES):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return sorted(taken)[int(len(taken) * 0.95)]
