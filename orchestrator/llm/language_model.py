"""The port to a language model: messages in, a text out, or the reason why there is none."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from orchestrator.turn import ModelFailure, Purpose, Usage

JsonSchema = Mapping[str, Any]  # A JSON Schema; its values are whatever a keyword takes


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a model is asked; its texts may quote a person and are not in the representation."""

    purpose: Purpose
    system: str = field(repr=False)  # the instructions; empty for none
    user: str = field(repr=False)  # what they are about; all that people wrote has passed the session's pseudonyms
    temperature: float = 0.0  # 0.0 for the same answer each time
    schema: JsonSchema | None = None  # the JSON Schema that the answer must have; None for running text
    max_tokens: int = 2048


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer: the whole text (never empty), what it consumed, and how often it was asked again."""

    text: str = field(repr=False)
    usage: Usage = field(default_factory=Usage)
    retries: int = 0
    failure: ClassVar[None] = None
    first_token_s: float | None = None  # seconds until its text began; None where it came at once


@dataclass(eq=False, repr=False)
class ModelError(Exception):
    """A model gave no text; the message says what happened and what to do, and repeats nothing that was sent."""

    failure: ModelFailure
    message: str
    retry_after_s: float | None = None  # for which the server wants to be left alone; None where it did not say
    usage: Usage = field(default_factory=Usage)  # consumed all the same
    retries: int = 0  # how often the request was sent again
    first_token_s: ClassVar[None] = None

    def __str__(self) -> str:
        return self.message


class LanguageModel(Protocol):
    """A language model: complete prompts."""

    @property
    def name(self) -> str:
        """What logs call it: the model or the deployment."""

    def complete(self, request: ModelRequest, cancel: threading.Event) -> Completion:
        """Return the answer to a prompt or raise ModelError; another thread may set `cancel` to stop waiting."""


class Asker(Protocol):
    """A language model as the stages of one turn use it: counted, cancellable, left alone while it fails."""

    def ask(self, request: ModelRequest) -> str:
        """Return the answer to a prompt or raise ModelError."""
