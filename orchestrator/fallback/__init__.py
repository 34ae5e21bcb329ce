"""Answers to requests that no agent serves."""

from orchestrator.fallback.agent_proposals import AgentProposals
from orchestrator.fallback.direct_answers import ANSWER_PLACEHOLDERS, DirectAnswerRules, ModelAnswerer
from orchestrator.fallback.policy import Fallback, Unserved

__all__ = ["ANSWER_PLACEHOLDERS", "AgentProposals", "DirectAnswerRules", "Fallback", "ModelAnswerer", "Unserved"]
