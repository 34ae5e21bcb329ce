"""Answers to requests that no agent serves."""

from orchestrator.fallback.agent_proposals import AgentProposals
from orchestrator.fallback.policy import ANSWER_PLACEHOLDERS, Fallback, ModelAnswerer, Unserved
