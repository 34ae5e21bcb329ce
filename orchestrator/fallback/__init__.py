"""Answers to requests that no agent serves."""

from orchestrator.fallback.agent_proposals import AgentProposals
from orchestrator.fallback.direct_answer_rules import DirectAnswerRules
from orchestrator.fallback.model_answerer import ANSWER_PLACEHOLDERS, ModelAnswerer
from orchestrator.fallback.policy import Fallback, Unserved

__all__ = ["ANSWER_PLACEHOLDERS", "AgentProposals", "DirectAnswerRules", "Fallback", "ModelAnswerer", "Unserved"]
