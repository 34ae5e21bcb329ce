"""Answers to requests that no agent serves."""

from orchestrator.fallback.policy import ANSWER_PLACEHOLDERS, Fallback, ModelAnswerer, Unserved
