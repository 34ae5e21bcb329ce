"""The response generator: it words the answers (blueprint 2.3.3)."""

from orchestrator.responder.model import DRAFT_PLACEHOLDERS, ModelWriter
from orchestrator.responder.rendering import plain_text
from orchestrator.responder.templates import TemplateResponder
from orchestrator.responder.voice import Label
from orchestrator.responder.wording import clock_time, long_date, moment

__all__ = [
    "DRAFT_PLACEHOLDERS",
    "Label",
    "ModelWriter",
    "TemplateResponder",
    "clock_time",
    "long_date",
    "moment",
    "plain_text",
]
