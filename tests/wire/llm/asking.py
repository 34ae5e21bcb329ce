"""The adapter in front of a scripted server, and what it is asked."""

from __future__ import annotations

import threading
from dataclasses import replace

from orchestrator.journal.events import Purpose
from orchestrator.llm.language_model import Completion, ModelConfiguration, ModelError, ModelRequest, Provider
from orchestrator.llm.openai.openai_model import OpenAIModel
from tests.support.chat_server import ChatServer

KEY = "sk-secret-of-a-test-0123456789"
PROMPT = "words of a prompt that nobody else may read"

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}

TEXT = ModelRequest(Purpose.WRITE, "Be brief.", PROMPT, temperature=0.3)
JSON = replace(TEXT, purpose=Purpose.PLAN, temperature=0.0, schema=SCHEMA, max_tokens=300)


def openai_at(server: ChatServer) -> ModelConfiguration:
    """Return how the server is reached as OpenAI."""
    return ModelConfiguration(provider=Provider.OPENAI, model="gpt-x", endpoint=server.base_url, api_key=KEY)


def azure_at(server: ChatServer) -> ModelConfiguration:
    """Return how the server is reached as Azure."""
    return ModelConfiguration(
        provider=Provider.AZURE,
        model="my-deployment",
        endpoint=server.azure_endpoint,
        api_version="2024-10-21",
        api_key=KEY,
    )


def ask(configuration: ModelConfiguration, request: ModelRequest = TEXT) -> Completion:
    """Ask once, through an adapter of its own."""
    with OpenAIModel(configuration) as model:
        return model.complete(request, threading.Event())


def failure_of(configuration: ModelConfiguration, request: ModelRequest = TEXT) -> ModelError:
    """Ask once and return why there is no text."""
    try:
        ask(configuration, request)
    except ModelError as error:
        return error
    raise AssertionError("there is a text")
