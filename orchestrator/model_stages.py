"""The stages of a turn with a language model, each around the one that needs none.

Half of the composition root; loaded only where a model is configured.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from orchestrator.fallback import ANSWER_PLACEHOLDERS, DirectAnswerRules, ModelAnswerer
from orchestrator.journal import EventChannel
from orchestrator.llm import (
    UNTHROTTLED,
    Circuit,
    ModelConfiguration,
    ModelLine,
    OpenAIModel,
    PlannerVariant,
    PromptError,
    PromptTemplate,
    Throttle,
    read_prompt,
)
from orchestrator.planner import OfflinePlanner
from orchestrator.planner.model import ModelPlanner, PlannerPrompts
from orchestrator.responder import DRAFT_PLACEHOLDERS, ModelWriter, TemplateResponder
from orchestrator.settings import SettingsError
from orchestrator.stages import Router, Stages, StagesOfTurn, TurnScope
from orchestrator.turn import Directory
from orchestrator.verifier import AUDIT_PLACEHOLDERS, AuditingVerifier, RuleVerifier


@dataclass(frozen=True, slots=True)
class Prompts:
    """All that a model is told besides a turn's data."""

    planner: PlannerPrompts
    audit: PromptTemplate
    writer: PromptTemplate
    answerer: PromptTemplate

    @classmethod
    def read(cls) -> Prompts:
        """Return the texts of the package `prompts`.

        Raises:
            PromptError: One is missing, lacks a placeholder or has one that nobody fills.
        """
        return cls(
            PlannerPrompts.read(),
            read_prompt("verifier", AUDIT_PLACEHOLDERS),
            read_prompt("response_generator", DRAFT_PLACEHOLDERS),
            read_prompt("fallback_answer", ANSWER_PLACEHOLDERS),
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

        def stages_of(scope: TurnScope) -> Stages:
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
