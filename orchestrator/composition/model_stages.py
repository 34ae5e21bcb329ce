"""Build the stages of a turn with a language model; only a run with a model imports this, for it loads the SDK."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.composition.prompts import usable_prompts
from orchestrator.fallback import DirectAnswerRules, ModelAnswerer
from orchestrator.journal import EventChannel
from orchestrator.llm import UNTHROTTLED, CircuitBreaker, ModelConfiguration, PlannerVariant, Throttle, TurnAsker
from orchestrator.llm.openai import OpenAIModel
from orchestrator.planner import OfflinePlanner
from orchestrator.planner.model import ModelPlanner
from orchestrator.responder import ModelWriter, TemplateResponder
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
    """Yield the stages of each turn: a model plans, audits and writes; code checks it and stands in for it."""
    prompts, circuit = usable_prompts(), CircuitBreaker()
    planner, rules, templates = OfflinePlanner(), RuleVerifier(), TemplateResponder()
    direct_rules = DirectAnswerRules()
    reasons_first = configuration.planner is PlannerVariant.COT
    with OpenAIModel(configuration) as model:

        def stages_of(scope: TurnScope) -> Stages:
            line = TurnAsker(model, circuit, events, scope, throttle)
            return Stages(
                ModelPlanner(
                    planner, line, prompts.planner, history_tokens=configuration.history_tokens, cot=reasons_first
                ),
                router,
                AuditingVerifier(rules, line, prompts.audit, directory.clinics()),
                templates,
                ModelWriter(line, prompts.writer),
                ModelAnswerer(
                    line, prompts.answerer, AuditingVerifier(direct_rules, line, prompts.audit, directory.clinics())
                ),
            )

        yield stages_of
