"""The stages of a turn with a language model, each around the one that needs none.

Half of the composition root; loaded only where a model is configured.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from orchestrator.direct_rules import DirectAnswerRules
from orchestrator.directory import Directory
from orchestrator.events import EventChannel
from orchestrator.llm.circuit import Circuit
from orchestrator.llm.configuration import ModelConfiguration, PlannerVariant
from orchestrator.llm.line import ModelLine
from orchestrator.llm.openai_model import OpenAIModel
from orchestrator.llm.prompt import Prompt, PromptError, read_prompt
from orchestrator.llm.throttle import UNTHROTTLED, Throttle
from orchestrator.planner.model import ModelPlanner
from orchestrator.planner.model_prompt import PlannerPrompts
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.responder import direct
from orchestrator.responder import model as writing
from orchestrator.responder.direct import ModelAnswerer
from orchestrator.responder.model import ModelWriter
from orchestrator.responder.templates import TemplateResponder
from orchestrator.settings import SettingsError
from orchestrator.stages import Router, Scope, Stages, StagesOfTurn
from orchestrator.verifier import audit as auditing
from orchestrator.verifier.audit import AuditingVerifier
from orchestrator.verifier.rules import RuleVerifier


@dataclass(frozen=True, slots=True)
class Prompts:
    """All that a model is told besides a turn's data."""

    planner: PlannerPrompts
    audit: Prompt
    writer: Prompt
    answerer: Prompt

    @classmethod
    def read(cls) -> Prompts:
        """Return the texts of the package `prompts`.

        Raises:
            PromptError: One is missing, lacks a placeholder or has one that nobody fills.
        """
        return cls(
            PlannerPrompts.read(),
            read_prompt("verifier", auditing.PLACEHOLDERS),
            read_prompt("response_generator", writing.PLACEHOLDERS),
            read_prompt("fallback_answer", direct.PLACEHOLDERS),
        )


def usable_prompts() -> Prompts:
    """Return the texts of the package `prompts`, as a command needs them.

    Raises:
        SettingsError: A prompt and the code that fills it do not fit.
    """
    try:
        return Prompts.read()
    except PromptError as error:
        raise SettingsError(f"prompts: {error}") from error


@contextmanager
def open_model_stages(
    router: Router,
    directory: Directory,
    configuration: ModelConfiguration,
    events: EventChannel,
    throttle: Throttle = UNTHROTTLED,
) -> Iterator[StagesOfTurn]:
    """Yield the stages of each turn: a model plans, audits and writes; code checks it and stands in for it.

    Args:
        router: Calls the clinics.
        directory: Who they are.
        configuration: Which model, and how it is reached.
        events: Told of every call.
        throttle: How often one person may have it asked.

    Raises:
        SettingsError: A prompt and the code that fills it do not fit.
    """
    prompts, circuit = usable_prompts(), Circuit()
    planner, rules, templates = OfflinePlanner(), RuleVerifier(), TemplateResponder()
    direct_rules = DirectAnswerRules()
    reasons_first = configuration.planner is PlannerVariant.COT
    with OpenAIModel(configuration) as model:

        def stages_of(scope: Scope) -> Stages:
            line = ModelLine(model, circuit, events, scope, throttle)
            return Stages(
                ModelPlanner(
                    planner,
                    line,
                    prompts.planner,
                    history_tokens=configuration.history_tokens,
                    cot=reasons_first,
                ),
                router,
                AuditingVerifier(rules, line, prompts.audit, directory.clinics()),
                templates,
                ModelWriter(line, prompts.writer),
                ModelAnswerer(
                    line,
                    prompts.answerer,
                    AuditingVerifier(direct_rules, line, prompts.audit, directory.clinics()),
                ),
            )

        yield stages_of
