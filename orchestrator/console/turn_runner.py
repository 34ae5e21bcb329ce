"""Run a turn, which SIGINT cancels, in a worker thread; keep its progress, a line a clinic; load behind the prompt."""

import logging
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from orchestrator import journal
from orchestrator.journal import ModelFailure
from orchestrator.privacy import describe_fault, mask_cpf
from orchestrator.texts import texts_in
from orchestrator.turn import Language

SLOW_AFTER_S = 1.0  # from when on a clinic is called slow; most answer within a hundredth of it

_T = TypeVar("_T")

_log = logging.getLogger(__name__)

WaitForTurn = Callable[[Future[Any], Callable[[], None]], object]  # the function that it is given stops the turn


@dataclass(eq=False)
class Progress:
    """Listen to the event channel and keep the progress of a turn."""

    names: Mapping[str, str]
    # takes each answer and each slow clinic as a line, where nothing is redrawn; None: `lines` are drawn, `kept` remain
    tell: Callable[[str], None] | None = None
    clock: Callable[[], float] = time.monotonic
    _kept: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.begin(Language.PT)

    def begin(self, language: Language) -> None:
        """Forget the last turn, and go on in a language."""
        self._texts = texts_in(language)
        self._asked: dict[int, tuple[str, float]] = {}
        self._answered: dict[int, str] = {}
        self._called_slow: set[int] = set()
        self._agent = self._model = self._notice = ""

    def __call__(self, event: journal.Event) -> None:
        """Take an event; it comes in the thread that published it."""
        match event:
            case journal.ClinicAsked():
                self._asked[event.step_id] = (self._name(event.clinic), self.clock())
            case journal.ClinicAnswered():
                items = "" if event.items is None else f", {self._texts.text('terminal.turn.items', count=event.items)}"
                told = f"{self._texts.text(f'terminal.turn.answered.{event.status}')}{items}"
                line = f"{self._name(event.clinic)}: {told} ({self._seconds(event.elapsed_s)})"
                self._answered[event.step_id] = line
                if self.tell is not None:
                    self.tell(line)
            case journal.AgentStarted():
                self._agent = f"{self._texts.table('research.speakers').get(event.agent, event.agent)}…"
            case journal.ModelAsked():
                self._model = self._texts.text(f"terminal.model.at_work.{event.purpose}")
            case journal.ModelAnswered():
                self._model = ""
            case journal.ModelSuspended():
                (self.tell or self._kept.append)(self._without_model(event.failure, event.seconds))
            case journal.ModelThrottled():
                (self.tell or self._kept.append)(self._without_model(ModelFailure.THROTTLED, event.retry_after_s))

    def cancelling(self) -> None:
        """Say that the turn is being cancelled."""
        self._notice = self._texts.text("terminal.turn.cancelling")
        if self.tell is not None:
            self.tell(self._notice)

    def kept(self) -> list[str]:
        """Return, once, the lines that came while nothing could be put on the screen."""
        kept = list(self._kept)
        self._kept.clear()
        return kept

    def lines(self) -> list[str]:
        """Return the progress of the turn, with the seconds so far."""
        asked = dict(sorted(self._asked.copy().items()))
        clinics = [self._answered.get(step_id) or self._waiting(step_id) for step_id in asked]
        hint = self._texts.text("terminal.turn.hint") if any(map(self._is_slow, asked)) and not self._notice else ""
        return [line for line in (self._agent, *clinics, self._model, self._notice or hint) if line]

    def look(self) -> None:
        """Tell of the clinics that have become slow, where nothing is redrawn; called every now and then."""
        if self.tell is None:
            return
        for step_id in self._asked.copy():
            if self._is_slow(step_id) and step_id not in self._called_slow:
                self._called_slow.add(step_id)
                self.tell(f"{self._waiting(step_id)} {self._texts.text('terminal.turn.hint')}")

    def _is_slow(self, step_id: int) -> bool:
        _, since = self._asked[step_id]
        return step_id not in self._answered and self.clock() - since >= SLOW_AFTER_S

    def _waiting(self, step_id: int) -> str:
        clinic, since = self._asked[step_id]
        elapsed = self._seconds(self.clock() - since)
        if self._is_slow(step_id):
            return self._texts.text("terminal.turn.slow", clinic=clinic, elapsed=elapsed)
        return self._texts.text("terminal.turn.waiting", clinic=clinic, elapsed=elapsed)

    def _seconds(self, elapsed_s: float) -> str:
        return self._texts.text("terminal.turn.seconds", elapsed=self._texts.decimal(elapsed_s))

    def _without_model(self, why: ModelFailure, seconds: float) -> str:
        failure = self._texts.text(f"terminal.model.failures.{why}")
        return self._texts.text("terminal.model.suspended", why=failure, seconds=math.ceil(seconds))

    def _name(self, clinic: str) -> str:
        return mask_cpf(self.names.get(clinic, clinic))


class TurnFailedError(Exception):
    """A turn ended with an unforeseen error; the log has the place, without the values."""


class TurnRunner:
    """Run turns that can be cancelled, by Ctrl-C as a signal at least."""

    def __init__(self, progress: Progress, wait_for: WaitForTurn = lambda turn, _: wait([turn])) -> None:
        self._progress = progress
        self._wait_for = wait_for
        self.cancel = threading.Event()  # set where the last turn was cancelled

    def run(self, language: Language, turn: Callable[[threading.Event], _T]) -> _T:
        """Run a turn, which is given the event that stops it. Call this in the main thread, which signals reach.

        Raise TurnFailedError if the turn raised; the session before it is still good.
        """
        self.cancel = threading.Event()
        self._progress.begin(language)
        with ThreadPoolExecutor(1, thread_name_prefix="turn") as worker, on_signal(signal.SIGINT, self._stop):
            running = worker.submit(turn, self.cancel)
            self._wait_for(running, self._stop)
            try:
                return running.result()
            except Exception as error:  # noqa: BLE001 - the edge of the program: a fault costs one turn, not the session
                _log.error("turn failed: %s", describe_fault(error))
                raise TurnFailedError(type(error).__name__) from None

    def pause(self, seconds: float) -> bool:
        """Wait between two turns and return whether nobody interrupted it. Call this in the main thread."""
        with on_signal(signal.SIGINT, self._stop):
            return not self.cancel.wait(seconds)

    def _stop(self) -> None:
        if not self.cancel.is_set():
            self.cancel.set()
            self._progress.cancelling()


@contextmanager
def on_signal(number: signal.Signals, act: Callable[[], None]) -> Iterator[None]:
    """Call a function when a signal comes in the block, in place of what else is called for it."""
    before = signal.signal(number, lambda *_: act())
    try:
        yield
    finally:
        signal.signal(number, before)


@contextmanager
def preload(make: Callable[[], _T]) -> Iterator[Callable[[], Future[_T]]]:
    """Yield what begins to make a value in a thread, at its first call, and returns its future; wait for it at the end.

    It is called in one thread at a time, when the first prompt is on the screen: a person takes a second to type.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="preload") as worker:
        yield cache(lambda: worker.submit(make))
