"""One completion from a server of the Chat Completions API; its retries fit into the time that the call has."""

import asyncio
import logging
import random
import time
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Annotated

import openai
from pydantic import AliasPath, BaseModel, BeforeValidator, Field, ValidationError

from orchestrator.journal import ModelFailure, Usage
from orchestrator.llm.language_model import Completion, ModelConfiguration, ModelError, ModelRequest, Prices
from orchestrator.llm.openai.api_features import ApiFeatures, ServerRefusal

_logger = logging.getLogger(__name__)

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 8.0
_WORTH_REPEATING = frozenset({ModelFailure.UNREACHABLE, ModelFailure.RATE_LIMITED, ModelFailure.SERVER_ERROR})

LONGEST_TEXT = 100_000  # characters; more is no answer to anything that is asked here


@dataclass(slots=True)
class ChatCall:
    """The requests that one completion takes."""

    client: openai.AsyncOpenAI
    configuration: ModelConfiguration
    request: ModelRequest
    features: ApiFeatures  # what the server takes, as far as it is known
    sent: int = field(default=0, init=False)

    async def complete(self) -> Completion:
        """Return the completion; raise ModelError when there is none in the configured time."""
        deadline = asyncio.get_running_loop().time() + self.configuration.timeout_s
        try:
            async with asyncio.timeout_at(deadline):
                completion = await self._persist(deadline)
        except TimeoutError:
            raise self._timed_out() from None
        except ModelError as error:
            error.retries = self._retries
            raise
        return replace(completion, retries=self._retries)

    @property
    def _retries(self) -> int:
        return max(0, self.sent - 1)

    async def _persist(self, deadline: float) -> Completion:
        attempt = 0
        while True:
            self.sent += 1
            try:
                return await self._answer()
            except ModelError as error:
                outcome: ApiFeatures | ModelError = error
            except Exception as fault:  # noqa: BLE001 - the SDK lets through what its transport raises at a body
                outcome = self._meaning(fault)
            if isinstance(outcome, ApiFeatures):
                self.features = outcome
                continue
            longest_s = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0**attempt)
            spread_s = random.uniform(longest_s / 2, longest_s)  # noqa: S311 - spreads load, hides nothing
            pause_s = spread_s if outcome.retry_after_s is None else outcome.retry_after_s
            is_in_time = asyncio.get_running_loop().time() + pause_s < deadline
            may_repeat = is_in_time and attempt < self.configuration.max_retries
            if not may_repeat or outcome.failure not in _WORTH_REPEATING:
                raise outcome
            attempt += 1
            await asyncio.sleep(pause_s)

    def _meaning(self, fault: Exception) -> ApiFeatures | ModelError:
        match fault:
            case openai.APIStatusError():
                refusal = ServerRefusal.of(fault.status_code, fault.body, fault.response.headers, datetime.now(UTC))
                return self.features.after(refusal, self.request) or refusal.as_error(self.configuration)
            case openai.APITimeoutError():
                return self._timed_out()
            case openai.APIConnectionError():
                return _broken_off()
            case openai.APIError():  # an error in the place of a chunk
                return ModelError(ModelFailure.SERVER_ERROR, "the model's server failed on its way; try again later")
            case ValueError() | RecursionError():
                return _no_chat_server()
            case _:
                _logger.warning("a model's answer broke off: %s", type(fault).__name__)
                return _broken_off()

    async def _answer(self) -> Completion:
        # A server may answer a request for a stream with a plain completion, and says so by its media type.
        answer = StreamedAnswer(self.configuration.prices)
        create = self.client.chat.completions.with_streaming_response.create
        parameters = self.features.parameters(self.request)
        async with create(model=self.configuration.model, **parameters) as response:
            media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if self.features.streams and media_type != "application/json":
                async with aclosing(await response.parse(to=openai.AsyncStream[object])) as stream:
                    async for value in stream:
                        answer.add(value)
                        if answer.is_too_long:
                            break
            else:
                answer.add(await response.json())
        return answer.completion()

    def _timed_out(self) -> ModelError:
        problem = f"no connection or no whole answer within {self.configuration.timeout_s:g} s"
        advice = "check the network, or raise CLINIC_MESH_LLM_TIMEOUT_S"
        return ModelError(ModelFailure.TIMED_OUT, f"{problem}; {advice}", retries=self._retries)


def _broken_off() -> ModelError:
    problem = "the model's server is not reached, or the connection broke off; check its address and the network"
    return ModelError(ModelFailure.UNREACHABLE, problem)


class _ToolCall(BaseModel):
    index: int = 0
    arguments: str | None = Field(None, validation_alias=AliasPath("function", "arguments"))


class _Words(BaseModel):
    content: str | None = None
    refusal: str | None = None
    # the answer of a server that takes its form as a tool
    tool_calls: Annotated[tuple[_ToolCall, ...], BeforeValidator(lambda value: value or ())] = ()

    @property
    def text(self) -> str:
        """The text, or the arguments of the first tool call."""
        return self.content or "".join(one.arguments or "" for one in self.tool_calls if not one.index)


class _Choice(BaseModel):
    delta: _Words | None = None  # of a stream
    message: _Words | None = None  # of a plain completion
    finish_reason: str | None = None


class _Tokens(BaseModel):
    prompt_tokens: Annotated[int, Field(ge=0)] | None = None
    completion_tokens: Annotated[int, Field(ge=0)] | None = None
    cached_tokens: Annotated[int, Field(ge=0)] | None = Field(
        None, validation_alias=AliasPath("prompt_tokens_details", "cached_tokens")
    )


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
        self._usage = Usage()
        self._started = time.monotonic()
        self._first_token_s: float | None = None

    @property
    def is_too_long(self) -> bool:
        """Whether more than `LONGEST_TEXT` has arrived."""
        return self._length > LONGEST_TEXT

    def add(self, value: object) -> None:
        """Add the JSON value of a chunk or of a whole completion; raise ModelError (REJECTED) when it is neither."""
        try:
            piece = _Piece.model_validate(value)
        except ValidationError:
            raise _no_chat_server() from None
        for choice in piece.choices[:1]:
            self._finish_reason = choice.finish_reason or self._finish_reason
            words = choice.delta or choice.message or _Words()
            self._was_refused |= bool(words.refusal)
            self._texts.append(words.text)
            self._length += len(self._texts[-1])
            if choice.delta and words.text and self._first_token_s is None:
                self._first_token_s = time.monotonic() - self._started
        if piece.usage is not None:
            self._usage = self._counted(piece.usage)

    def completion(self) -> Completion:
        """Return the answer at its end; raise ModelError when it was refused, cut off or never came."""
        if not self._texts:
            raise _no_chat_server()
        if self._was_refused or self._finish_reason == "content_filter":
            raise ModelError(ModelFailure.REFUSED, "the model or a content filter declined", usage=self._usage)
        text = "".join(self._texts)
        if self.is_too_long or self._finish_reason in {"", "length"}:
            raise ModelError(ModelFailure.CUT, "the answer ended before its end", usage=self._usage)
        if not text.strip():
            raise ModelError(ModelFailure.CUT, "the answer is empty", usage=self._usage)
        return Completion(text, self._usage, first_token_s=self._first_token_s)

    def _counted(self, usage: object) -> Usage:
        try:
            tokens = _Tokens.model_validate(usage)
        except ValidationError:
            return Usage()
        prompt, completion = tokens.prompt_tokens, tokens.completion_tokens
        if self._prices is None or prompt is None or completion is None:
            return Usage(prompt, completion, None, tokens.cached_tokens)
        return Usage(prompt, completion, self._prices.cost_usd(prompt, completion), tokens.cached_tokens)


def _no_chat_server() -> ModelError:
    advice = "check OPENAI_BASE_URL or AZURE_OPENAI_ENDPOINT"
    return ModelError(ModelFailure.REJECTED, f"what answers does not speak the Chat Completions API; {advice}")
