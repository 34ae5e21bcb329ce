"""The response generator: it words the answers (blueprint 2.3.3)."""

from orchestrator.responder.draft_handles import plain_text
from orchestrator.responder.model_writer import DRAFT_PLACEHOLDERS, ModelWriter
from orchestrator.responder.templates import TemplateResponder
from orchestrator.responder.voice import Label

__all__ = ["DRAFT_PLACEHOLDERS", "Label", "ModelWriter", "TemplateResponder", "plain_text"]
