"""The adapter to OpenAI, Azure OpenAI and servers of the same API; prompts and answers are never logged."""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future, wait
from typing import Any, Self, TypeVar, assert_never

import openai

from orchestrator.llm.configuration import ModelConfiguration, Provider
from orchestrator.llm.language_model import Completion, ModelError, ModelRequest
from orchestrator.llm.openai.api_features import ApiFeatures
from orchestrator.llm.openai.chat_call import ChatCall
from orchestrator.turn import ModelFailure

_CONNECT_S = 5.0
_NO_KEY = "none"  # for a server that asks for no key: the SDK does not start without one
_LOGGERS = ("openai", "httpx2", "httpcore2")


class OpenAIModel:
    """A model behind the Chat Completions API for any thread; a context manager that closes its connections."""

    def __init__(self, configuration: ModelConfiguration) -> None:
        self._configuration = configuration
        self._loop = BackgroundLoop("model")
        self._client: openai.AsyncOpenAI | None = None  # only the loop's thread touches it
        self._features = ApiFeatures()  # likewise

    @property
    def name(self) -> str:
        """The model, or on Azure the deployment."""
        return self._configuration.model

    def complete(self, request: ModelRequest, cancel: threading.Event) -> Completion:
        """Return the answer to a prompt or raise ModelError; setting `cancel` closes the connection."""
        if cancel.is_set():
            raise _stopped()
        try:
            return self._loop.run(self._complete(request), cancel)
        except CancelledError:
            raise _stopped() from None

    async def _complete(self, request: ModelRequest) -> Completion:
        client = self._opened()
        known = self._features
        call = ChatCall(client, self._configuration, request, known)
        completion = await call.complete()
        if call.features is not known:  # what a call at the same time found out is not undone by one that found nothing
            self._features = call.features
        return completion

    def _opened(self) -> openai.AsyncOpenAI:
        if self._client is None:
            self._client = _client(self._configuration)
        return self._client

    async def _close(self) -> None:
        if self._client is not None:
            await self._client.close()

    def __enter__(self) -> Self:
        self._loop.__enter__()
        # A client takes a moment to make; a person takes longer to type.
        self._loop.call_soon(self._opened)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.run(self._close(), threading.Event())
        self._loop.__exit__()


def _client(configuration: ModelConfiguration) -> openai.AsyncOpenAI:
    for name in _LOGGERS:  # at lower levels they tell addresses and bodies
        logging.getLogger(name).setLevel(logging.WARNING)
    timeout = openai.Timeout(configuration.timeout_s, connect=min(_CONNECT_S, configuration.timeout_s))
    match configuration.provider:
        case Provider.AZURE:
            return openai.AsyncAzureOpenAI(
                azure_endpoint=configuration.endpoint or "",
                api_version=configuration.api_version,
                api_key=configuration.api_key,
                azure_ad_token=configuration.azure_ad_token,
                timeout=timeout,
                max_retries=0,
            )
        case Provider.OPENAI:
            return openai.AsyncOpenAI(
                base_url=configuration.endpoint or "https://api.openai.com/v1",
                api_key=configuration.api_key or _NO_KEY,
                timeout=timeout,
                max_retries=0,
            )
        case _:
            assert_never(configuration.provider)


def _stopped() -> ModelError:
    return ModelError(ModelFailure.CANCELLED, "the turn was stopped")


_T = TypeVar("_T")

_POLL_S = 0.02


class BackgroundLoop:
    """An event loop in a thread of its own for callers that block; a context manager that ends both."""

    def __init__(self, name: str) -> None:
        self._running: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        # A daemon: an owner that never leaves the context must not keep the process from ending.
        self._thread = threading.Thread(target=lambda: asyncio.run(self._until_closed()), name=name, daemon=True)

    def run(self, coroutine: Coroutine[Any, Any, _T], cancel: threading.Event) -> _T:
        """Run a coroutine; raise concurrent.futures.CancelledError when `cancel` or the loop's end stops it."""
        loop, _ = self._running.result()
        future = asyncio.run_coroutine_threadsafe(coroutine, loop)
        try:
            while not wait([future], timeout=_POLL_S).done:
                if cancel.is_set():
                    future.cancel()
            return future.result()
        finally:
            future.cancel()  # without effect unless waiting was interrupted, as Ctrl-C does in the main thread

    def call_soon(self, function: Callable[[], object]) -> None:
        """Call a function in the loop's thread and return at once."""
        loop, _ = self._running.result()
        loop.call_soon_threadsafe(function)

    async def _until_closed(self) -> None:
        closing = asyncio.Event()
        self._running.set_result((asyncio.get_running_loop(), closing))
        await closing.wait()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        loop, closing = self._running.result()
        loop.call_soon_threadsafe(closing.set)
        self._thread.join()
