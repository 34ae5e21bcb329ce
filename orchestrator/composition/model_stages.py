"""Build the stages of a turn with a language model; only a run with a model imports this, for it loads the SDK."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.composition.prompts import usable_prompts
from orchestrator.fallback import ModelAnswerer
from orchestrator.journal import EventChannel
from orchestrator.llm import (
    UNTHROTTLED,
    CircuitBreaker,
    ModelConfiguration,
    PlannerVariant,
    ReplyRequests,
    Throttle,
    TurnAsker,
)
from orchestrator.llm.openai import OpenAIModel
from orchestrator.planner import OfflinePlanner
from orchestrator.planner.model import ModelOptions, ModelPlanner
from orchestrator.responder import TemplateResponder
from orchestrator.stages import Router, Stages, StagesOfTurn, TurnScope
from orchestrator.turn import Directory
from orchestrator.verifier import AuditingVerifier, RuleVerifier


@contextmanager
def open_model_stages(
    router: Router,
    directory: Directory,
    configuration: ModelConfiguration,
    events: EventChannel,
    throttle: Throttle = UNTHROTTLED,
) -> Iterator[StagesOfTurn]:
    """Yield the stages of each turn: a model chooses steps and audits; code checks it and stands in for it."""
    (prompts, audit, answerer), circuit = usable_prompts(), CircuitBreaker()
    planner, rules, templates = OfflinePlanner(), RuleVerifier(), TemplateResponder()
    always = configuration.reply is ReplyRequests.ALWAYS
    options = ModelOptions(configuration.history_tokens, configuration.planner is PlannerVariant.COT, always)
    with OpenAIModel(configuration) as model:

        def stages_of(scope: TurnScope) -> Stages:
            line = TurnAsker(model, circuit, events, scope, throttle)
            return Stages(
                chooser := ModelPlanner(planner, line, prompts, options),
                router,
                auditor := AuditingVerifier(rules, line, audit, directory.clinics(), always=always),
                templates,
                chooser,
                ModelAnswerer(line, answerer, auditor),
            )

        yield stages_of
