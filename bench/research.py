"""Measures a turn of the research desk under each durability mode of LangGraph, and what each mode keeps of a kill.

A session is four turns, two of them versions; the modes take turns. Not part of `python -m bench`, whose environment
has no LangGraph: `make bench-research`.
"""

from __future__ import annotations

import statistics
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from bench.measure import interleaved
from orchestrator.journal.events import EventChannel
from orchestrator.research.graph.desk import Checkpoints, Desk, Durability, open_checkpoints

_ROUNDS = 15
_SESSION = (
    "Percebi que pacientes com hipertensão que fazem caminhada faltam menos às consultas",
    "não sei",
    "quem não caminha; 12 meses",
    "obrigado",
)
_MODES: tuple[Durability, ...] = ("sync", "async", "exit")


def main() -> None:
    """Print the median of a turn's time for each mode, and the size of a session on disk."""
    with tempfile.TemporaryDirectory() as folder, open_checkpoints(Path(folder)) as checkpoints:
        figures = interleaved({mode: _contender(checkpoints, mode) for mode in _MODES}, _ROUNDS, "ms")
        for mode, figure in figures.items():
            low, high = min(figure.rounds), max(figure.rounds)
            print(f"{mode:6} {figure.median:6.1f} ms a turn ({low:.1f} to {high:.1f})")
    for mode in _MODES:
        print(f"{mode:6} {_session_kib(mode):6.0f} KiB a session")


def _contender(checkpoints: Checkpoints, mode: Durability) -> Callable[[], float]:
    desk = Desk(checkpoints, EventChannel(), durability=mode)

    def session() -> float:
        session_id, times = str(uuid.uuid4()), list[float]()
        for utterance in _SESSION:
            started = time.perf_counter()
            desk.answer(session_id, utterance)
            times.append(time.perf_counter() - started)
        return statistics.median(times) * 1_000

    return session


def _session_kib(mode: Durability) -> float:
    with tempfile.TemporaryDirectory() as folder:
        with open_checkpoints(Path(folder)) as checkpoints:
            _contender(checkpoints, mode)()
        return sum(path.stat().st_size for path in Path(folder).iterdir()) / 1024


if __name__ == "__main__":
    main()
