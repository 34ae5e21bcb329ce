"""The response generator: words the answer to a turn, by the texts of the catalogue (blueprint 2.3.3)."""

from orchestrator.responder.opening_list import refusals_of, words_of
from orchestrator.responder.question_answers import OpeningSnapshot, snapshot_of
from orchestrator.responder.reply_context import Label, ReplyContext
from orchestrator.responder.templates import TemplateResponder
