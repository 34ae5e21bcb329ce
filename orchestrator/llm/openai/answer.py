"""A model's answer, put together from the chunks of a stream or from one plain completion.

It tells a whole text from one that was cut and from a refusal.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from orchestrator.llm.configuration import Prices
from orchestrator.llm.language_model import Completion, ModelError
from orchestrator.turn import ModelFailure, Usage

LONGEST_TEXT = 100_000
"""Characters; more is no answer to anything that is asked here."""


class _Words(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    delta: _Words | None = None  # of a stream
    message: _Words | None = None  # of a plain completion
    finish_reason: str | None = None


class _Tokens(BaseModel):
    prompt_tokens: Annotated[int, Field(ge=0)] | None = None
    completion_tokens: Annotated[int, Field(ge=0)] | None = None


class _Piece(BaseModel):
    # A missing list is none that is empty; Azure and others send null where OpenAI sends nothing.
    choices: Annotated[tuple[_Choice, ...], BeforeValidator(lambda value: value or ())] = ()
    usage: object = None  # looked at apart: a wrong count spoils no answer


class StreamedAnswer:
    """What has arrived of an answer; costs are counted where there are `prices`."""

    def __init__(self, prices: Prices | None) -> None:
        self._prices = prices
        self._texts: list[str] = []
        self._length = 0
        self._was_refused = False
        self._finish_reason = ""
        self._has_choices = False
        self._usage = Usage()

    @property
    def is_too_long(self) -> bool:
        """Whether more than `LONGEST_TEXT` has arrived."""
        return self._length > LONGEST_TEXT

    def add(self, value: object) -> None:
        """Add the JSON value of the next chunk, or of a whole completion.

        Raises:
            ModelError: REJECTED: it is neither.
        """
        try:
            piece = _Piece.model_validate(value)
        except ValidationError:
            raise no_chat_server() from None
        for choice in piece.choices[:1]:
            self._has_choices = True
            self._finish_reason = choice.finish_reason or self._finish_reason
            words = choice.delta or choice.message or _Words()
            self._was_refused |= bool(words.refusal)
            self._texts.append(words.content or "")
            self._length += len(self._texts[-1])
        if piece.usage is not None:
            self._usage = self._counted(piece.usage)

    def completion(self) -> Completion:
        """Return the answer once nothing more arrives.

        Raises:
            ModelError: REFUSED, CUT, or REJECTED when nothing of a completion arrived.
        """
        if not self._has_choices:
            raise no_chat_server()
        if self._was_refused or self._finish_reason == "content_filter":
            raise ModelError(ModelFailure.REFUSED, "the model or a content filter declined", usage=self._usage)
        text = "".join(self._texts)
        if self.is_too_long or self._finish_reason in {"", "length"}:
            raise ModelError(ModelFailure.CUT, "the answer ended before its end", usage=self._usage)
        if not text.strip():
            raise ModelError(ModelFailure.CUT, "the answer is empty", usage=self._usage)
        return Completion(text, self._usage)

    def _counted(self, usage: object) -> Usage:
        try:
            tokens = _Tokens.model_validate(usage)
        except ValidationError:
            return Usage()
        prompt, completion = tokens.prompt_tokens, tokens.completion_tokens
        if self._prices is None or prompt is None or completion is None:
            return Usage(prompt, completion)
        return Usage(prompt, completion, self._prices.cost_usd(prompt, completion))


def no_chat_server() -> ModelError:
    """Return the error that what answers at an address is no Chat Completions API."""
    return ModelError(
        ModelFailure.REJECTED,
        "what answers does not speak the Chat Completions API; check OPENAI_BASE_URL or AZURE_OPENAI_ENDPOINT",
    )
