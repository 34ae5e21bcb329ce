"""The adapter to OpenAI, Azure OpenAI and servers of the same API; prompts and answers are never logged."""

import asyncio
import logging
import threading
from concurrent.futures import CancelledError, wait
from typing import Self

import openai

from orchestrator.journal import ModelFailure
from orchestrator.llm.language_model import Completion, ModelConfiguration, ModelError, ModelRequest, Provider
from orchestrator.llm.openai.api_features import ApiFeatures
from orchestrator.llm.openai.chat_call import ChatCall

_CONNECT_S = 5.0
_NO_KEY = "none"  # for a server that asks for no key: the SDK does not start without one
_LOGGERS = ("openai", "httpx2", "httpcore2")
_POLL_S = 0.02


class OpenAIModel:
    """A model behind the Chat Completions API, for any thread; a context manager, whose loop has its own thread."""

    def __init__(self, configuration: ModelConfiguration) -> None:
        self._configuration = configuration
        self._loop = asyncio.new_event_loop()
        # A daemon: an owner that never leaves the context must not keep the process from ending.
        self._thread = threading.Thread(target=self._loop.run_forever, name="model", daemon=True)
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
        future = asyncio.run_coroutine_threadsafe(self._complete(request), self._loop)
        try:
            while not wait([future], timeout=_POLL_S).done:
                if cancel.is_set():
                    future.cancel()
            return future.result()
        except CancelledError:
            raise _stopped() from None
        finally:
            future.cancel()  # without effect unless waiting was interrupted, as Ctrl-C does in the main thread

    async def _complete(self, request: ModelRequest) -> Completion:
        known = self._features
        call = ChatCall(self._opened(), self._configuration, request, known)
        completion = await call.complete()
        if call.features is not known:  # what a call at the same time found out is not undone by one that found nothing
            self._features = call.features
        return completion

    def _opened(self) -> openai.AsyncOpenAI:
        if self._client is None:
            self._client = _client(self._configuration)
        return self._client

    async def _close(self) -> None:
        calls = asyncio.all_tasks() - {asyncio.current_task()}
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
        await self._loop.shutdown_asyncgens()

    def __enter__(self) -> Self:
        self._thread.start()
        self._loop.call_soon_threadsafe(self._opened)  # a client takes a moment to make; a person takes longer to type
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _client(configuration: ModelConfiguration) -> openai.AsyncOpenAI:
    for name in _LOGGERS:  # at lower levels they tell addresses and bodies
        logging.getLogger(name).setLevel(logging.WARNING)
    timeout = openai.Timeout(configuration.timeout_s, connect=min(_CONNECT_S, configuration.timeout_s))
    if configuration.provider is Provider.OPENAI:
        url, key = configuration.endpoint or "https://api.openai.com/v1", configuration.api_key or _NO_KEY
        return openai.AsyncOpenAI(base_url=url, api_key=key, timeout=timeout, max_retries=0)
    return openai.AsyncAzureOpenAI(
        azure_endpoint=configuration.endpoint or "",
        api_version=configuration.api_version,
        api_key=configuration.api_key,
        azure_ad_token=configuration.azure_ad_token,
        timeout=timeout,
        max_retries=0,
    )


def _stopped() -> ModelError:
    return ModelError(ModelFailure.CANCELLED, "the turn was stopped")
