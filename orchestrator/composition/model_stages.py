"""Build the stages of a turn with a language model; only a run with a model imports this, for it loads more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator import llm
from orchestrator.composition.conversation_parts import open_model
from orchestrator.fallback import ANSWER_PLACEHOLDERS, ModelAnswerer
from orchestrator.journal import EventChannel
from orchestrator.planner.model import ModelOptions, ModelPlanner, PlannerPrompts
from orchestrator.responder import TemplateResponder
from orchestrator.settings import SettingsError
from orchestrator.stages import Router, Stages, StagesOfTurn, TurnScope
from orchestrator.turn import Directory
from orchestrator.verifier import AUDIT_PLACEHOLDERS, AuditingVerifier


def usable_prompts() -> tuple[PlannerPrompts, llm.PromptTemplate, llm.PromptTemplate]:
    """Return the prompts to plan, audit and answer; raise SettingsError where one is missing or wrongly filled."""
    try:
        return (
            PlannerPrompts.read(),
            llm.read_prompt("verifier", AUDIT_PLACEHOLDERS),
            llm.read_prompt("fallback_answer", ANSWER_PLACEHOLDERS),
        )
    except llm.PromptError as error:
        raise SettingsError(f"prompts: {error}") from error


@contextmanager
def open_model_stages(
    router: Router,
    directory: Directory,
    configuration: llm.ModelConfiguration,
    events: EventChannel,
    throttle: llm.Throttle,
) -> Iterator[StagesOfTurn]:
    """Yield the stages of each turn: a model chooses steps and audits; code checks it and stands in for it."""
    (prompts, audit, answerer), circuit = usable_prompts(), llm.CircuitBreaker()
    templates = TemplateResponder()
    always = configuration.reply is llm.ReplyRequests.ALWAYS
    options = ModelOptions(configuration.history_tokens, configuration.planner is llm.PlannerVariant.COT, always)
    with open_model(configuration) as model:

        def stages_of(scope: TurnScope) -> Stages:
            line = llm.TurnAsker(model, circuit, events, scope, throttle)
            return Stages(
                chooser := ModelPlanner(line, prompts, options),
                router,
                auditor := AuditingVerifier(line, audit, directory.clinics(), always=always),
                templates,
                chooser,
                ModelAnswerer(line, answerer, auditor),
            )

        yield stages_of
