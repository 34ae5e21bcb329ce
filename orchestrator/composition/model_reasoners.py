"""Build the desk's reasoners with a language model; loaded only where one is configured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.journal import EventChannel
from orchestrator.llm import CircuitBreaker, ModelConfiguration, PromptError, TurnAsker, read_prompt, throttle_of_people
from orchestrator.llm.openai import OpenAIModel
from orchestrator.research.graph import (
    PLACEHOLDERS,
    ModelOpinion,
    ModelProvocation,
    ModelReader,
    Reasoners,
    ReasonersOfTurn,
    provoke_by_rules,
    read_by_rules,
)
from orchestrator.settings import SettingsError
from orchestrator.stages import TurnScope


@contextmanager
def open_model_reasoners(configuration: ModelConfiguration, events: EventChannel) -> Iterator[ReasonersOfTurn]:
    """Yield the reasoners of each turn: a model finds, adds and words; rules decide, and stand in for it."""
    try:
        structurer, methodologist, orchestrator = (
            read_prompt(f"research_{agent}", PLACEHOLDERS) for agent in ("structurer", "methodologist", "orchestrator")
        )
    except PromptError as error:
        raise SettingsError(f"prompts: {error}") from error
    circuit, throttle = CircuitBreaker(), throttle_of_people()
    with OpenAIModel(configuration) as model:

        def reasoners_of(scope: TurnScope) -> Reasoners:
            line = TurnAsker(model, circuit, events, scope, throttle)
            return Reasoners(
                ModelReader(line, structurer, read_by_rules),
                ModelOpinion(line, methodologist),
                ModelProvocation(line, orchestrator, provoke_by_rules),
            )

        yield reasoners_of
