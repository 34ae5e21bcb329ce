"""The orchestrator's last word of a turn: the first open gap as a question to think about, or the next stage."""

from __future__ import annotations

from typing import Protocol

from orchestrator.research.graph.dialogue import is_done, language_of, last_version, said
from orchestrator.research.graph.field_ownership import FieldWriter, Update
from orchestrator.research.graph.state import MultiAgentState
from orchestrator.research.graph.structures import HypothesisVersion, StageSuggestion
from orchestrator.research.rules import Element
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Language


class Provocation(Protocol):
    """Words a question that makes a person think."""

    def prompt(self, version: HypothesisVersion, language: Language) -> str:
        """Return a question about the first gap of a version that has one."""
        ...


class RuleProvocation:
    """The `Provocation` from the texts."""

    def prompt(self, version: HypothesisVersion, language: Language) -> str:
        """Return a question about the first gap."""
        first = version.feedback.improvements[0]
        texts = texts_in(language)
        missing = (element for element in Element if texts.text(f"research.gaps.{element}.gap") == first.gap)
        return next((texts.text(f"research.gaps.{element}.reflection") for element in missing), first.suggestion)


class Reflection:
    """Closes a turn in which the methodologist has spoken.

    Args:
        provocation: Words the question.
    """

    def __init__(self, provocation: Provocation) -> None:
        self._provocation = provocation

    def __call__(self, state: MultiAgentState) -> Update:
        """Return the fields of the orchestrator after a verdict."""
        language = language_of(state)
        last = last_version(state)
        judged = state["methodologist_output"]
        if last is None or judged is None or judged["status"] == "rejected":
            return {"next_step": "clarify"}
        if is_done(state):
            return _ending(state, last, texts_in(language))
        prompt = self._provocation.prompt(last, language)
        return {"next_step": "clarify", "reflection_prompt": prompt, **said(state, FieldWriter.ORCHESTRATOR, prompt)}


def _ending(state: MultiAgentState, last: HypothesisVersion, texts: Texts) -> Update:
    if last.feedback.status != "approved":
        return {"next_step": None}
    matured = StageSuggestion(
        from_stage="hypothesis", to_stage="methodology", justification=texts.text("research.matured")
    )
    return {
        "next_step": None,
        "stage_suggestion": matured,
        **said(state, FieldWriter.ORCHESTRATOR, texts.text("research.matured")),
    }
