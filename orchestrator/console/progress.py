"""What a running turn waits for, a line a clinic, and a language model at work; draws nothing."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from orchestrator import journal
from orchestrator.privacy import mask_cpf
from orchestrator.texts import texts_in
from orchestrator.turn import Language, ModelFailure

SLOW_AFTER_S = 1.0  # from when on a clinic is called slow; most answer within a hundredth of it


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
                self._answered[event.step_id] = line = self._answer(event)
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

    def _answer(self, event: journal.ClinicAnswered) -> str:
        items = "" if event.items is None else f", {self._texts.text('terminal.turn.items', count=event.items)}"
        answered = self._texts.text(f"terminal.turn.answered.{event.status}")
        return f"{self._name(event.clinic)}: {answered}{items} ({self._seconds(event.elapsed_s)})"

    def _seconds(self, elapsed_s: float) -> str:
        return self._texts.text("terminal.turn.seconds", elapsed=self._texts.decimal(elapsed_s))

    def _without_model(self, why: ModelFailure, seconds: float) -> str:
        failure = self._texts.text(f"terminal.model.failures.{why}")
        return self._texts.text("terminal.model.suspended", why=failure, seconds=math.ceil(seconds))

    def _name(self, clinic: str) -> str:
        return mask_cpf(self.names.get(clinic, clinic))
