"""A conversation whose stages ask a scripted model over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.agents.registry import Registry
from orchestrator.llm.language_model import (
    UNTHROTTLED,
    ModelConfiguration,
    PlannerVariant,
    Provider,
    ReplyRequests,
    Throttle,
)
from orchestrator.turn.identity import Role
from tests.support.chat_server import ChatServer, Script, chat_server
from tests.support.talk import Talk, open_talk


def configuration_of(
    server: ChatServer,
    *,
    provider: Provider = Provider.OPENAI,
    planner: PlannerVariant = PlannerVariant.DIRECT,
    reply: ReplyRequests = ReplyRequests.NEEDED,
    timeout_s: float = 20.0,
    max_retries: int = 0,
) -> ModelConfiguration:
    """Return how a scripted server is reached."""
    is_azure = provider is Provider.AZURE
    return ModelConfiguration(
        provider=provider,
        model="played",
        endpoint=server.azure_endpoint if is_azure else server.base_url,
        api_version="2024-10-21" if is_azure else None,
        api_key="a-key",
        planner=planner,
        reply=reply,
        timeout_s=timeout_s,
        max_retries=max_retries,
    )


@contextmanager
def open_model_talk(
    registry: Registry,
    script: Script,
    *,
    consent_given: bool = True,
    role: Role = Role.PATIENT,
    provider: Provider = Provider.OPENAI,
    planner: PlannerVariant = PlannerVariant.DIRECT,
    reply: ReplyRequests = ReplyRequests.NEEDED,
    timeout_s: float = 20.0,
    throttle: Throttle = UNTHROTTLED,
) -> Iterator[tuple[Talk, ChatServer]]:
    """Yield a conversation of Carlos Teste with real clinics and a scripted model, and the model's server."""
    with chat_server(script) as server:
        model = configuration_of(server, provider=provider, planner=planner, reply=reply, timeout_s=timeout_s)
        with open_talk(registry, consent_given=consent_given, role=role, model=model, throttle=throttle) as talk:
            yield talk, server
