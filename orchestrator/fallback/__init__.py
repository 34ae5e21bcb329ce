"""Answers to requests that no agent serves."""

from orchestrator.fallback.policy import ANSWER_PLACEHOLDERS, AgentProposals, Fallback, ModelAnswerer, Unserved
