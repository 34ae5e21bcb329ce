"""Read and check the prompts of the language model before anybody waits for an answer."""

from __future__ import annotations

from orchestrator.fallback import ANSWER_PLACEHOLDERS
from orchestrator.llm import PromptError, PromptTemplate, read_prompt
from orchestrator.planner.model import PlannerPrompts
from orchestrator.settings import SettingsError
from orchestrator.verifier import AUDIT_PLACEHOLDERS


def usable_prompts() -> tuple[PlannerPrompts, PromptTemplate, PromptTemplate]:
    """Return the prompts to plan, audit and answer; raise SettingsError where one is missing or wrongly filled."""
    try:
        return (
            PlannerPrompts.read(),
            read_prompt("verifier", AUDIT_PLACEHOLDERS),
            read_prompt("fallback_answer", ANSWER_PLACEHOLDERS),
        )
    except PromptError as error:
        raise SettingsError(f"prompts: {error}") from error
