"""Shows the clinics of a running turn, a line each, and a language model at work, from the event channel.

On a terminal the lines are redrawn in place and vanish when the reply comes; elsewhere each answer is one plain line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.text import Text

from orchestrator.events import (
    AgentFinished,
    AgentStarted,
    ClinicAnswered,
    ClinicAsked,
    Event,
    ModelAnswered,
    ModelAsked,
    ModelSuspended,
    ModelThrottled,
)
from orchestrator.language import Language
from orchestrator.llm.model import ModelFailure
from orchestrator.terminal.model_texts import MODEL_TEXTS
from orchestrator.terminal.research.texts import AGENTS
from orchestrator.terminal.texts import TEXTS, decimal


class Progress:
    """Listens to the event channel and draws what a turn waits for.

    Args:
        console: Where to draw; standard error for scripts.
        names: What people call the clinics, by id; an id that is missing is shown itself.
    """

    def __init__(self, console: Console, names: Mapping[str, str]) -> None:
        self._console = console
        self._names = names
        self._language = Language.PT
        self._lines: dict[int, str] = {}
        self._agent = ""
        self._model = ""
        self._notice = ""
        self._in_place = console.is_terminal and not console.is_dumb_terminal

    def __call__(self, event: Event) -> None:
        """Take an event; it comes in the thread that published it."""
        texts = TEXTS[self._language]
        match event:
            case ClinicAsked():
                self._lines[event.step_id] = f"{self._name(event.clinic)}: {texts.asking}"
            case ClinicAnswered():
                items = "" if event.items is None else f", {texts.items.format(count=event.items)}"
                elapsed = texts.seconds.format(elapsed=decimal(event.elapsed_s, self._language))
                line = f"{self._name(event.clinic)}: {texts.answered[event.status]}{items} ({elapsed})"
                self._lines[event.step_id] = line
                if not self._in_place:
                    self._console.print(Text(line))
            case AgentStarted():
                self._agent = f"{AGENTS[self._language].get(event.agent, event.agent)}…"
            case AgentFinished():
                self._agent = ""
            case ModelAsked():
                self._model = MODEL_TEXTS[self._language].at_work[event.purpose]
            case ModelAnswered():
                self._model = ""
            case ModelSuspended():
                self._console.print(Text(self._without_model(event.failure, event.seconds)))
            case ModelThrottled():
                self._console.print(Text(self._without_model(ModelFailure.THROTTLED, event.retry_after_s)))
            case _:
                pass

    def _without_model(self, why: ModelFailure, seconds: float) -> str:
        texts = MODEL_TEXTS[self._language]
        return texts.suspended.format(why=texts.failures[why], seconds=math.ceil(seconds))

    @contextmanager
    def shown(self, language: Language) -> Iterator[None]:
        """Draw while the block runs.

        Args:
            language: Of the lines.
        """
        self._language = language
        self._lines.clear()
        self._agent = ""
        self._model = ""
        self._notice = ""
        if not self._in_place:
            yield
            return
        with Live(console=self._console, get_renderable=self._drawing, refresh_per_second=12, transient=True):
            yield

    def cancelling(self) -> None:
        """Say that the turn is being cancelled."""
        self._notice = TEXTS[self._language].cancelling

    def _drawing(self) -> Text:
        lines = [self._agent, *dict(sorted(self._lines.copy().items())).values(), self._model, self._notice]
        return Text("\n".join(line for line in lines if line), style="dim")

    def _name(self, clinic: str) -> str:
        return self._names.get(clinic, clinic)
