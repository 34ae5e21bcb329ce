"""The rules over a model's draft of a reply."""

from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.draft_rules import fault_of
