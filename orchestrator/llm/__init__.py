"""The language model: port, adapter, prompts, and what it may see."""

from orchestrator.llm.asker import UNTHROTTLED, CircuitBreaker, Throttle, TurnAsker, throttle_of_people
from orchestrator.llm.configuration import (
    MODEL_VARIABLES,
    ModelConfiguration,
    PlannerVariant,
    Provider,
    ReplyRequests,
    read_model_configuration,
)
from orchestrator.llm.exposure import TOKEN, Pseudonyms, exposed, recollect
from orchestrator.llm.language_model import Asker, JsonSchema, LanguageModel, ModelError, ModelRequest
from orchestrator.llm.model_text import json_in, strict_schema, without_markdown
from orchestrator.llm.prompt_template import PromptError, PromptTemplate, fenced, read_prompt
