"""How memories are kept, found and forgotten, one person at a time; loaded when a memory is first used."""

from orchestrator.memory.keeping.handler import MemoryHandler, SubjectKey
from orchestrator.memory.keeping.memory_file import LARGEST_FILE, read_memories, written
