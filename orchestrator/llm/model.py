"""The port to a language model: messages in, a text out, or the reason why there is none.

Nothing here knows a vendor. What a model is told and what becomes of its text are the stages' to decide.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

JsonSchema = Mapping[str, Any]
"""A JSON Schema; its values are whatever a keyword takes."""


class Purpose(StrEnum):
    """What a model is asked for."""

    PLAN = "plan"
    REPAIR = "repair"  # the plan again, after one that cannot be used
    AUDIT = "audit"
    WRITE = "write"
    ANSWER = "answer"  # a request that no agent is for
    CHECK = "check"  # whether it answers at all
    STRUCTURE = "structure"  # the elements of a research question
    REVIEW = "review"  # what a research question lacks
    REFLECT = "reflect"  # a question that makes a researcher think


class ModelFailure(StrEnum):
    """Why a model gave no text that can be used."""

    UNREACHABLE = "unreachable"  # no connection, or it broke off
    TIMED_OUT = "timed_out"
    RATE_LIMITED = "rate_limited"  # HTTP 429, retries included
    SERVER_ERROR = "server_error"  # HTTP 5xx, retries included
    REJECTED = "rejected"  # any other HTTP 4xx: credentials, deployment, a request that it does not take
    REFUSED = "refused"  # it declined, or a content filter did
    CUT = "cut"  # the text ended before its end
    SUSPENDED = "suspended"  # not asked: it failed a moment ago
    THROTTLED = "throttled"  # not asked: the same person asked too often
    CANCELLED = "cancelled"  # the person stopped the turn


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt; it may quote what a person said, so its text is not in the representation."""

    role: Literal["system", "user", "assistant"]
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a model is asked.

    Attributes:
        purpose: What for.
        messages: The prompt, in order; the boundary has been over every text of it.
        temperature: 0.0 for the same answer each time.
        schema: The JSON Schema that the answer must have; None for running text.
        max_tokens: The longest answer.
    """

    purpose: Purpose
    messages: tuple[Message, ...]
    temperature: float
    schema: JsonSchema | None = None
    max_tokens: int = 2048


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call consumed, as far as the server says; None where it does not.

    Attributes:
        prompt_tokens: Tokens read.
        completion_tokens: Tokens written.
        cost_usd: US dollars, by the prices of the settings; None without prices.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer.

    Attributes:
        text: The whole text, never empty.
        usage: What it consumed.
        retries: How often the request was sent again.
    """

    text: str = field(repr=False)
    usage: Usage = Usage()
    retries: int = 0


class ModelError(Exception):
    """A model gave no text; the message says what happened and what to do, and repeats nothing that was sent.

    Attributes:
        failure: Why.
        retry_after_s: Seconds for which the server wants to be left alone; None where it did not say.
        usage: What was consumed all the same.
        retries: How often the request was sent again.
    """

    def __init__(
        self,
        failure: ModelFailure,
        message: str,
        *,
        retry_after_s: float | None = None,
        usage: Usage | None = None,
        retries: int = 0,
    ) -> None:
        super().__init__(message)
        self.failure = failure
        self.retry_after_s = retry_after_s
        self.usage = usage or Usage()
        self.retries = retries


class LanguageModel(Protocol):
    """Completes prompts."""

    @property
    def name(self) -> str:
        """What logs call it: the model or the deployment."""
        ...

    def complete(self, request: ModelRequest, cancel: threading.Event) -> Completion:
        """Return the answer to a prompt.

        Args:
            request: The prompt.
            cancel: Set by another thread to stop waiting.

        Raises:
            ModelError: There is none.
        """
        ...


class Asker(Protocol):
    """A language model as the stages of one turn use it: counted, cancellable, left alone while it fails."""

    def ask(self, request: ModelRequest) -> str:
        """Return the answer to a prompt.

        Raises:
            ModelError: There is none.
        """
        ...
