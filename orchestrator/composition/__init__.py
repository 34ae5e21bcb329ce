"""The composition root: the only place that builds adapters and joins them; heavy ones are loaded at first use."""

from orchestrator.composition.connection import (
    Connection,
    connect,
    connect_fleet,
    fleet_of,
    live_registry,
    members_of,
    open_router,
    turn_log,
)
from orchestrator.composition.conversation_parts import (
    ConversationOptions,
    conversation_of,
    danger_answer,
    open_conversation,
    open_model,
    open_stages,
    usable_prompts,
)
from orchestrator.composition.memory import LazyMemory, memory_condition, memory_of, serving_memory
