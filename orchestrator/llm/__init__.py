"""The language model: port, adapter, prompts, and what it may see."""

from orchestrator.llm.exposure import TOKEN, Pseudonyms, exposed, recollect
from orchestrator.llm.language_model import *
from orchestrator.llm.model_text import *
