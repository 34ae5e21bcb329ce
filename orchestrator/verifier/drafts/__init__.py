"""The rules over a model's draft of a reply."""

from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.drafts.rules import fault_of

__all__ = ["DraftReview", "fault_of"]
