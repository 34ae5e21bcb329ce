"""The minds of the desk with a language model; loaded only where one is configured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.events import EventChannel
from orchestrator.llm.circuit import Circuit
from orchestrator.llm.configuration import ModelConfiguration
from orchestrator.llm.line import ModelLine
from orchestrator.llm.openai_model import OpenAIModel
from orchestrator.llm.prompt import PromptError, read_prompt
from orchestrator.llm.throttle import throttle_of_people
from orchestrator.research.agents.model_answers import PLACEHOLDERS
from orchestrator.research.agents.model_opinion import ModelOpinion
from orchestrator.research.agents.model_provocation import ModelProvocation
from orchestrator.research.agents.model_reader import ModelReader
from orchestrator.research.agents.reader import RuleReader
from orchestrator.research.agents.reflection import RuleProvocation
from orchestrator.research.minds import Minds, MindsOfTurn
from orchestrator.settings import SettingsError
from orchestrator.stages import Scope


@contextmanager
def open_model_minds(configuration: ModelConfiguration, events: EventChannel) -> Iterator[MindsOfTurn]:
    """Yield the minds of each turn: a model finds, adds and words; rules decide, and stand in for it.

    Args:
        configuration: Which model, and how it is reached.
        events: Told of every call.

    Raises:
        SettingsError: A prompt and the code that fills it do not fit.
    """
    try:
        structurer, methodologist, orchestrator = (
            read_prompt(f"research_{agent}", PLACEHOLDERS) for agent in ("structurer", "methodologist", "orchestrator")
        )
    except PromptError as error:
        raise SettingsError(f"prompts: {error}") from error
    circuit, throttle = Circuit(), throttle_of_people()
    with OpenAIModel(configuration) as model:

        def minds_of(scope: Scope) -> Minds:
            line = ModelLine(model, circuit, events, scope, throttle)
            return Minds(
                ModelReader(line, structurer, RuleReader()),
                ModelOpinion(line, methodologist),
                ModelProvocation(line, orchestrator, RuleProvocation()),
            )

        yield minds_of
