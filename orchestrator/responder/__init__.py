"""The response generator: words the answer to a turn, from templates or with a model (blueprint 2.3.3)."""

from orchestrator.responder.draft_handles import without_markdown
from orchestrator.responder.model_writer import DRAFT_PLACEHOLDERS, ModelWriter
from orchestrator.responder.reply_context import Label
from orchestrator.responder.templates import TemplateResponder
