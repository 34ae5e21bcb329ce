"""What people say about themselves, remembered so that nobody is asked twice; where and how it is kept.

Nothing of clinic answers, of other people or about health is remembered.
"""

from orchestrator.memory.memory_store import (Condition, Embeddings, MEMORY_FILE, MemoryStore, MissingStore, NoEmbeddings)
from orchestrator.memory.memory_tools import (InvalidCall, MEMORY_TOOLS, ToolDefinition, call_of)
from orchestrator.memory.turn_memory import (TurnMemory, listed, tool_of)
from orchestrator.memory.voyage import (VoyageEmbeddings)

__all__ = ['Condition', 'Embeddings', 'InvalidCall', 'MEMORY_FILE', 'MEMORY_TOOLS', 'MemoryStore', 'MissingStore', 'NoEmbeddings', 'ToolDefinition', 'TurnMemory', 'VoyageEmbeddings', 'call_of', 'listed', 'tool_of']
