"""What people say about themselves, remembered so that nobody is asked twice; where and how it is kept.

Nothing of clinic answers, of other people or about health is remembered.
"""

from orchestrator.memory.examination import examine
from orchestrator.memory.opening import open_memory
from orchestrator.memory.tools import MEMORY_TOOLS, InvalidCall, ToolDefinition, call_of
from orchestrator.memory.turn_memory import TurnMemory, listed, tool_of

__all__ = [
    "MEMORY_TOOLS",
    "InvalidCall",
    "ToolDefinition",
    "TurnMemory",
    "call_of",
    "examine",
    "listed",
    "open_memory",
    "tool_of",
]
