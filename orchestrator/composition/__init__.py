"""The composition root: the only place that builds adapters and joins them; heavy ones are loaded at first use."""

from orchestrator.composition.connection import *
from orchestrator.composition.conversation_parts import *
from orchestrator.composition.memory import LazyMemory, memory_condition, serving_memory
