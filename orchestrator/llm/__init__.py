"""The language model: port, adapter, prompts, and what it may see."""

from orchestrator.llm.asker import ModelLine
from orchestrator.llm.circuit import Circuit
from orchestrator.llm.configuration import (
    OWN,
    ModelConfiguration,
    ModelSettingsError,
    PlannerVariant,
    Provider,
    read_model_configuration,
)
from orchestrator.llm.exposure import exposed
from orchestrator.llm.json_text import json_in
from orchestrator.llm.model import Asker, JsonSchema, LanguageModel, Message, ModelError, ModelRequest
from orchestrator.llm.prompt import PromptError, PromptTemplate, fenced, read_prompt
from orchestrator.llm.pseudonyms import TOKEN, Pseudonyms
from orchestrator.llm.recent_history import recollect
from orchestrator.llm.throttle import UNTHROTTLED, Throttle, throttle_of_people

__all__ = [
    "OWN",
    "TOKEN",
    "UNTHROTTLED",
    "Asker",
    "Circuit",
    "JsonSchema",
    "LanguageModel",
    "Message",
    "ModelConfiguration",
    "ModelError",
    "ModelLine",
    "ModelRequest",
    "ModelSettingsError",
    "PlannerVariant",
    "PromptError",
    "PromptTemplate",
    "Provider",
    "Pseudonyms",
    "Throttle",
    "exposed",
    "fenced",
    "json_in",
    "read_model_configuration",
    "read_prompt",
    "recollect",
    "throttle_of_people",
]
