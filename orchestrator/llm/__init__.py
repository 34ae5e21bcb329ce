"""The language model: port, adapter, prompts, and what it may see."""

from orchestrator.llm.configuration import (
    MODEL_VARIABLES,
    ModelConfiguration,
    PlannerVariant,
    Provider,
    ReplyRequests,
    read_model_configuration,
)
from orchestrator.llm.exposure import TOKEN, Pseudonyms, exposed, recollect
from orchestrator.llm.language_model import (
    UNTHROTTLED,
    Asker,
    CircuitBreaker,
    JsonSchema,
    LanguageModel,
    ModelError,
    ModelRequest,
    Throttle,
    TurnAsker,
    throttle_of_people,
)
from orchestrator.llm.model_text import (
    PromptError,
    PromptTemplate,
    fenced,
    json_in,
    read_prompt,
    strict_schema,
    without_markdown,
)
