"""Tells, once for each question, that a prompt begins to wait for its answer.

A prompt is drawn again with every key; who preloads behind it, or types in a test, wants to know of the first time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from prompt_toolkit.application import Application

_T = TypeVar("_T")


class Beginning:
    """The first drawing of each question.

    Args:
        app: The prompt's application.
        on_prompt: Called when a question that was announced has been drawn.
    """

    def __init__(self, app: Application[_T], on_prompt: Callable[[], None]) -> None:
        self._on_prompt = on_prompt
        self._is_due = False
        app.after_render += lambda _: self._drawn()

    def announce(self) -> None:
        """Take note that a question is about to be asked."""
        self._is_due = True

    def _drawn(self) -> None:
        if self._is_due:
            self._is_due = False
            self._on_prompt()
