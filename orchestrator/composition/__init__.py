"""The composition root: the only place that builds adapters and joins them.

What takes long to load is loaded when it is first used.
"""

from orchestrator.composition.clinic_fleet import checked_registry, fleet_of, live_registry
from orchestrator.composition.connection import Connection, connect
from orchestrator.composition.conversation_parts import check_prompts, open_conversation, open_model, open_stages
from orchestrator.composition.memory import memory_condition, memory_of, open_memory, remembers
from orchestrator.composition.research_desk import open_desk
from orchestrator.composition.tracing import follow, telemetry_of

__all__ = [
    "Connection",
    "check_prompts",
    "checked_registry",
    "connect",
    "fleet_of",
    "follow",
    "live_registry",
    "memory_condition",
    "memory_of",
    "open_conversation",
    "open_desk",
    "open_memory",
    "open_model",
    "open_stages",
    "remembers",
    "telemetry_of",
]
